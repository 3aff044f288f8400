/**
 * Recorder: the shell loop that tmux runs to record a pane's output into a ring of segments.
 *
 * A segment is a file named for the sequence of its first byte. While the loop runs there is a file
 * `open` with its pid, whose removal says that the last byte is recorded; one that could not go on
 * leaves `broken` in its place and reads on without recording, because what tmux cannot hand over
 * it keeps in memory. `dd` writes what it reads at once and never reads beyond its count; `head -c`
 * holds back what does not fill its buffer (measured: coreutils 9.1), so nobody could follow it.
 */
import type { Recording } from "@troupe/core";
import { literal, quote } from "./TmuxCommand.js";

/** The file that is there while the recorder runs; its pid stands in it. */
export const RECORDING = "open";

/** The file that is there when the recorder could not go on recording. */
export const BROKEN = "broken";

/** What a recorder waits in for more output. */
export const WAITS_IN = "dd";

const BLOCK = 4096;

/** The sequence that a segment begins with; `null` for a file that is none. */
export const segmentStart = (name: string): number | null =>
  /^(0|[1-9][0-9]{0,15})$/.test(name) ? Number(name) : null;

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

// b: where the segment begins; e: its size; k: the segments before it. A pass that reads nothing
// is the end. The file `open` is made before the first segment and goes behind the last byte.
const loop = (count: number, { segmentBytes, segments }: Recording): string =>
  [
    "b=0 e=0 k=",
    `while dd bs=${BLOCK} count=${count} >>$b 2>/dev/null && n=$(wc -c <$b)`,
    "do n=$((n))",
    `if [ $n -eq $e ]; then rm -f ${RECORDING}; exit 0; fi`,
    "e=$n",
    `if [ $e -ge ${segmentBytes} ]; then k="$k $b" b=$((b+e)) e=0; set -- $k`,
    `if [ $# -ge ${segments} ]; then rm -f $1; shift; k="$*"; fi; fi`,
    "done",
  ].join("; ");

/** The script, for `/bin/sh -c`, that records what it reads. */
export const recorderScript = (recording: Recording): string => {
  const count = Math.max(1, Math.floor(recording.segmentBytes / BLOCK));
  const directory = shellWord(recording.directory);
  const enter = `umask 077; d=${directory}; if mkdir -p "$d" && cd "$d" && echo $$ >${RECORDING}`;
  const passes = loop(count, recording).replaceAll("do; ", "do ");
  return `${enter}; then ${passes}; mv ${RECORDING} ${BROKEN}; fi; exec cat >/dev/null`;
};

/** What reads a pane that is not recorded. */
const DISCARD = "exec cat >/dev/null";

/** The command that opens the pipe of a pane; tmux expands its text as a format and a date. */
export const pipeList = (target: string, recording: Recording | null): string => {
  const script = recording === null ? DISCARD : recorderScript(recording);
  return `pipe-pane -O -t ${target} ${quote(literal(script).replaceAll("%", "%%"))}`;
};
