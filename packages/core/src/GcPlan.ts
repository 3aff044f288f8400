/**
 * GcPlan: what may go and what must stay, and why. Pure.
 *
 * It judges one reading: the rows of a home, the files that are kept of sessions, and what tmux
 * shows. Whatever is not positively known to have ended stays. A verdict is not acted on: whoever
 * acts takes the claim, reads the row and looks again.
 */

import type { GcItem } from "./GcReport.js";
import type { IncarnationId } from "./Identity.js";
import { isFinal } from "./Lifecycle.js";
import type { OutputLeft } from "./OutputFiles.js";
import type { BareName, Unreadable } from "./Registry.js";
import type { ClaimRecord, SessionRecord } from "./Session.js";
import type { SnapshotsLeft } from "./Snapshots.js";
import type { Listing } from "./Tmux.js";

/** What is old enough, and when that is asked. With `exitedMs` `null` nothing is deleted. */
export interface GcBounds {
  readonly now: number;
  readonly olderThanMs: number;
  readonly exitedMs: number | null;
}

/** What was read of a home. The files were listed before the rows were read. */
export interface GcReading {
  readonly records: ReadonlyArray<SessionRecord>;
  readonly unreadable: ReadonlyArray<Unreadable>;
  readonly bare: ReadonlyArray<BareName>;
  readonly snapshots: ReadonlyArray<SnapshotsLeft>;
  readonly outputs: ReadonlyArray<OutputLeft>;
  readonly listing: Listing;
}

/** What is to become of a thing. */
export interface GcVerdict<Thing> {
  readonly verdict: "forget" | "delete" | "keep";
  readonly item: GcItem;
  readonly thing: Thing;
}

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** A length of time in one unit, for people. */
export const ageText = (ms: number): string => {
  const [size, unit] = units.find(([least]) => ms >= least) ?? [1, "ms"];
  return `${Math.floor(ms / size)} ${unit}`;
};

const ageOf = (at: number, { now }: GcBounds): number => Math.max(0, now - at);

/** Why a claim stands in the way; `null` when it does not. */
export const heldBy = ({ holder, owner }: ClaimRecord): string | null =>
  holder === "alive" || holder === "unknown" ? `held by ${owner}` : null;

/** The marks that tmux shows, of whichever home. */
export const marksIn = (listing: Listing): ReadonlySet<string> =>
  new Set(
    listing._tag === "Server" ? listing.sessions.flatMap((s) => s.mark?.incarnation ?? []) : [],
  );

type Opinion = readonly [GcVerdict<unknown>["verdict"], string];

const endedOpinion = (record: SessionRecord, bounds: GcBounds, isShown: boolean): Opinion => {
  const age = ageOf(record.updatedAt, bounds);
  const ended = `${record.state} ${ageText(age)} ago`;
  if (isShown) return ["keep", `${ended}, and tmux still shows something of it`];
  const { olderThanMs } = bounds;
  if (age >= olderThanMs) return ["forget", ended];
  return ["keep", `${ended}, and kept for ${ageText(olderThanMs)}`];
};

const exitedOpinion = (record: SessionRecord, bounds: GcBounds): Opinion => {
  const age = ageOf(record.updatedAt, bounds);
  const { exitedMs } = bounds;
  const ended = `its programs ended ${ageText(age)} ago`;
  if (exitedMs === null) return ["keep", `${ended}; it is kept until it is deleted`];
  return age >= exitedMs ? ["delete", ended] : ["keep", `${ended}, and not ${ageText(exitedMs)}`];
};

const opinionOf = (
  record: SessionRecord,
  bounds: GcBounds,
  shown: ReadonlySet<string>,
): Opinion => {
  const held = heldBy(record.claim);
  if (held !== null) return ["keep", held];
  if (isFinal(record.state)) return endedOpinion(record, bounds, shown.has(record.incarnation));
  if (record.state === "exited") return exitedOpinion(record, bounds);
  if (record.state === "lost") return ["keep", "it is lost: kept until it is restored or deleted"];
  return ["keep", `it is ${record.state}`];
};

/** What a row is called. */
export const nameOf = ({ generation, session }: SessionRecord): Omit<GcItem, "why"> => ({
  what: `session ${session}, generation ${generation}`,
  session,
  generation,
});

/** What is to become of a row, with all that is kept of it. */
export const judgeRecord = (
  record: SessionRecord,
  bounds: GcBounds,
  shown: ReadonlySet<string>,
): GcVerdict<SessionRecord> => {
  const [verdict, why] = opinionOf(record, bounds, shown);
  return { verdict, item: { ...nameOf(record), why }, thing: record };
};

/** Files are of no row; whether they may go, given why nothing may, if so. */
const orphanOpinion = (at: number, bounds: GcBounds, obstacle: string | null): Opinion => {
  const age = ageOf(at, bounds);
  if (obstacle !== null) return ["keep", `no row knows it, but ${obstacle}`];
  const { olderThanMs } = bounds;
  const lack = `no row knows it, and it is ${ageText(age)} old`;
  return age >= olderThanMs ? ["forget", lack] : ["keep", `${lack}, not ${ageText(olderThanMs)}`];
};

/** A damaged row may be the one that knows of a file. */
const damage = ({ unreadable }: GcReading): string | null =>
  unreadable.length === 0 ? null : "a row that cannot be read may be its own";

/** Snapshots that no row knows. */
export const judgeSnapshots = (
  reading: GcReading,
  bounds: GcBounds,
): ReadonlyArray<GcVerdict<SnapshotsLeft>> => {
  const known = new Set(reading.records.map((r) => `${r.session}/${r.generation}`));
  return reading.snapshots
    .filter(({ generation, session }) => !known.has(`${session}/${generation}`))
    .map((thing) => {
      const { at, generation, session } = thing;
      const [verdict, why] = orphanOpinion(at, bounds, damage(reading));
      const what = `snapshots of ${session}, generation ${generation}`;
      return { verdict, item: { what, session, generation, why }, thing };
    });
};

/** Recorded output that no row knows. */
export const judgeOutputs = (
  reading: GcReading,
  bounds: GcBounds,
): ReadonlyArray<GcVerdict<OutputLeft>> => {
  const known = new Set<string>(reading.records.map(({ incarnation }) => incarnation));
  const shown = marksIn(reading.listing);
  const obstacle = (incarnation: IncarnationId): string | null =>
    shown.has(incarnation) ? "tmux shows its session" : damage(reading);
  return reading.outputs
    .filter(({ incarnation }) => !known.has(incarnation))
    .map((thing) => {
      const [verdict, why] = orphanOpinion(thing.at, bounds, obstacle(thing.incarnation));
      const what = `output of ${thing.incarnation}`;
      return { verdict, item: { what, session: null, generation: null, why }, thing };
    });
};
