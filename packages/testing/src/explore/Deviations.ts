/**
 * Deviations: a schedule as the list of where it leaves production order, and its short string.
 *
 * A string like `4:1/3,9:2/4~1k5d2` reads: at decision 4 option 1 of 3, at decision 9 option 2 of
 * 4, and everywhere else option 0. Behind the `~` is a checksum of how many options every decision
 * of the run had, so that a string that belongs to another version of the program is told.
 */
import type { Choice, Chooser } from "./Choices.js";

/** One choice that is not option 0. */
export interface Deviation {
  readonly at: number;
  readonly chosen: number;
  readonly of: number;
}

/** Where a schedule left production order. */
export const deviationsOf = (choices: ReadonlyArray<Choice>): ReadonlyArray<Deviation> =>
  choices.flatMap(({ chosen, n }, at) => (chosen === 0 ? [] : [{ at, chosen, of: n }]));

/** Makes these deviations and nothing else; an option that is not there becomes the last one. */
export const follow = (deviations: ReadonlyArray<Deviation>): Chooser => {
  let next = 0;
  return ({ at, n }) => {
    const deviation = deviations[next];
    if (deviation === undefined || deviation.at !== at) return 0;
    next++;
    return Math.min(deviation.chosen, n - 1);
  };
};

const checksumOf = (choices: ReadonlyArray<Choice>): string => {
  let sum = 0x811c9dc5;
  for (const { n, order } of choices) sum = Math.imul(sum ^ (n * 1024 + order), 0x01000193);
  return (sum >>> 0).toString(36);
};

/** The replay string of a run. */
export const printReplay = (choices: ReadonlyArray<Choice>): string => {
  const deviations = deviationsOf(choices).map(({ at, chosen, of }) => `${at}:${chosen}/${of}`);
  return `${deviations.join(",")}~${checksumOf(choices)}`;
};

const shape = /^(?:replay: )?((?:\d+:\d+\/\d+(?:,(?=\d)|(?=~)))*)~([0-9a-z]+)(?: \(cost \d+\))?$/;

/** A replay string, read, with or without what a report prints around it; `null` for none. */
export const parseReplay = (
  text: string,
): { readonly deviations: ReadonlyArray<Deviation>; readonly checksum: string } | null => {
  const parts = shape.exec(text.trim());
  if (parts === null) return null;
  const deviations = [...(parts[1] ?? "").matchAll(/(\d+):(\d+)\/(\d+)/g)].map(
    ([, at, chosen, of]) => ({ at: Number(at), chosen: Number(chosen), of: Number(of) }),
  );
  const inOrder = deviations.every(({ at }, i) => i === 0 || at > (deviations[i - 1]?.at ?? at));
  if (!inOrder) return null;
  return { deviations, checksum: parts[2] ?? "" };
};

/** Why a run does not belong to the replay string that it was asked for; `null` when it does. */
export const staleness = (
  replay: { readonly deviations: ReadonlyArray<Deviation>; readonly checksum: string },
  choices: ReadonlyArray<Choice>,
): string | null => {
  for (const { at, chosen, of } of replay.deviations) {
    const made = choices[at];
    if (made === undefined) return `the run ended before decision ${at}`;
    if (made.n !== of) return `decision ${at} had ${made.n} options, not ${of}`;
    if (made.chosen !== chosen) return `decision ${at} has no option ${chosen}`;
  }
  if (checksumOf(choices) === replay.checksum) return null;
  return "the decisions of this run had other numbers of options";
};
