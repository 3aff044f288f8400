/**
 * ToldElements: what a client was told of a log and a recording, held against both.
 *
 * All of it in order and once, as far at least as both had come while its writer was not over, or a
 * gap is told; `ended` is the last of it, and told once.
 */
import type { AttachElement } from "@troupe/core";

/** How far log and recording had come while the writer was not over. */
export interface Far {
  log: number;
  output: number;
}

/** What is wrong with what was told of the log. */
const ofLog = (heard: ReadonlyArray<AttachElement>, log: ReadonlyArray<number>, far: Far) => {
  let at = 0;
  for (const element of heard) {
    if (element.type !== "log") continue;
    const { entry } = element;
    if (entry.type === "gap") {
      at = entry.first - 1;
      continue;
    }
    const next = log.find((sequence) => sequence > at);
    if (entry.sequence !== next) return `behind event ${at} it is told ${entry.sequence}`;
    at = entry.sequence;
  }
  return at < far.log ? `it is told of no event behind ${at}, and there were ${far.log}` : null;
};

/** The same of the recording. */
const ofOutput = (heard: ReadonlyArray<AttachElement>, printed: string, far: Far) => {
  let at = 0;
  for (const element of heard) {
    if (element.type !== "output") continue;
    const { output } = element;
    if (output.sequence !== at) return `behind byte ${at} it is told ${output.sequence}`;
    if (output.type === "gap") at = output.to ?? at;
    if (output.type !== "data") continue;
    const text = new TextDecoder().decode(output.data);
    if (!printed.startsWith(text, at)) return `at byte ${at} it is told ${text}`;
    at += text.length;
  }
  return at < far.output ? `it is told ${at} bytes of ${far.output}` : null;
};

/** What is wrong with all that was told; `log` are the numbers of the events. */
export const judged = (
  heard: ReadonlyArray<AttachElement>,
  log: ReadonlyArray<number>,
  printed: string,
  far: Far,
): string | null => {
  const lasts = heard.filter(({ type }) => type === "ended").length;
  if (lasts !== 1 || heard.at(-1)?.type !== "ended") return `the end is told ${lasts} times`;
  return ofLog(heard, log, far) ?? ofOutput(heard, printed, far);
};
