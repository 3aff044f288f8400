/**
 * Keeping: what must be kept of terminals at the end of a session world: of everything that has a
 * row its output, and no snapshot of another in the place of its own.
 *
 * Pure. It holds wherever no gc is at work; where one is, it may be cut off between the files of an
 * incarnation that has ended and its row, and behind a whole one nothing is kept without a row.
 */
import { isFinal, type SessionRecord, type Snapshot } from "@troupe/core";

/** What was recorded of terminals, and what of it and of what they showed is kept. */
export interface Kept {
  /** Incarnations of which output was ever recorded. */
  readonly recorded: ReadonlyArray<string>;
  /** Those of which it is still kept. */
  readonly outputs: ReadonlyArray<string>;
  readonly snapshots: ReadonlyArray<Snapshot>;
}

type WithRows = Kept & { readonly records: ReadonlyArray<SessionRecord> };

const snapshotsOf = ({ generation, session }: SessionRecord, { snapshots }: Kept) =>
  snapshots.filter((one) => one.session === session && one.generation === generation);

/** What is not kept of a session that has a row, or of another in its place. */
export const unkept = (ending: WithRows): string | null => {
  const { outputs, recorded, records } = ending;
  for (const record of records) {
    const { incarnation, state } = record;
    if (recorded.includes(incarnation) && !outputs.includes(incarnation)) {
      return `the output of ${incarnation} is gone, which is ${state}`;
    }
    const other = snapshotsOf(record, ending).find((one) => one.incarnation !== incarnation);
    if (other !== undefined) return `a snapshot of ${other.incarnation} is one of ${incarnation}`;
  }
  return null;
};

/** The same of what has not ended, where a gc may have been cut off. */
export const unkeptOfLiving = (ending: WithRows): string | null =>
  unkept({ ...ending, records: ending.records.filter(({ state }) => !isFinal(state)) });

/** What a whole gc of every age left behind of what has ended, rows and files. */
export const leftBehind = (ending: WithRows): string | null => {
  const { outputs, records, snapshots } = ending;
  const ended = records.find(({ state }) => isFinal(state));
  if (ended !== undefined)
    return `the row of ${ended.incarnation} was left, which is ${ended.state}`;
  const known = new Set<string>(records.map(({ incarnation }) => incarnation));
  const output = outputs.find((incarnation) => !known.has(incarnation));
  if (output !== undefined) return `output of ${output} was left, and no row`;
  const snapshot = snapshots.find(({ incarnation }) => !known.has(incarnation));
  return snapshot === undefined
    ? null
    : `a snapshot of ${snapshot.incarnation} was left, and no row`;
};
