/**
 * Untruth: what somebody was told and is not so at that very moment, in words: of a delete that it
 * has ended and that its snapshot is kept, of a gc what it forgot and what it kept.
 *
 * It looks as nobody's client, so nothing of it is a step of the programs.
 */
import { type GcReport, isFinal, type SessionRecord } from "@troupe/core";
import { Explore, FakeTmux } from "@troupe/testing";
import { Context, Effect } from "effect";
import { type Machine, recordedIn, stillThere } from "./EndingOf.js";
import type { WorldStore } from "./WorldStore.js";

/** What was asked, and the rows that there were before, where the answer is about those. */
export interface Asked {
  readonly name: string;
  readonly before: ReadonlyArray<SessionRecord>;
}

/** What a delete was acknowledged for. */
interface Acknowledged {
  readonly session: string;
  readonly generation: number;
  /** The terminal, when it was one alone. */
  readonly terminal?: string;
  readonly snapshot?: string;
}

const isAcknowledged = (value: unknown): value is Acknowledged =>
  typeof value === "object" && value !== null && "session" in value && "generation" in value;

const isReport = (value: unknown): value is GcReport =>
  typeof value === "object" && value !== null && "forgotten" in value && "kept" in value;

/** The rows, where what is asked may take them away. */
export const known = (
  store: WorldStore,
  name: string,
): Effect.Effect<ReadonlyArray<SessionRecord>> =>
  name.startsWith("gc")
    ? Explore.quietly(Effect.map(store.remembered, ({ records }) => records))
    : Effect.succeed([]);

const ofDelete = Effect.fnUntraced(function* (
  machine: Machine,
  store: WorldStore,
  name: string,
  { generation, session, snapshot, terminal }: Acknowledged,
) {
  const { records } = yield* store.remembered;
  const record = records.find((r) => r.session === session && r.generation === generation);
  if (record === undefined) return [`untrue: ${name}: there is no such row`];
  const of = [record.incarnation, ...(terminal === undefined ? [] : [terminal])].join(" ");
  const there = yield* stillThere(machine, of);
  if (there !== null) return [`untrue: ${name} was acknowledged, and ${there}`];
  const kept = [...store.files.snapshots.kept.values()].some(
    (one) =>
      one.incarnation === record.incarnation &&
      (terminal === undefined || one.terminal === terminal),
  );
  return snapshot === "kept" && !kept ? [`untrue: ${name} kept a snapshot of ${of}`] : [];
});

type Item = GcReport["kept"][number];

/** What is still kept of an incarnation: its row, output and snapshots. */
const keptOf = Effect.fnUntraced(function* (
  machine: Machine,
  store: WorldStore,
  { incarnation }: SessionRecord,
) {
  const { output, snapshots } = store.files;
  const recorded = yield* recordedIn(Context.get(machine, FakeTmux));
  const row = (yield* store.remembered).records.find((r) => r.incarnation === incarnation);
  return {
    row,
    wasRecorded: recorded.includes(incarnation),
    output: recorded.includes(incarnation) && !output.removed.has(incarnation),
    snapshot: [...snapshots.kept.values()].some((one) => one.incarnation === incarnation),
  };
});

const toldOf = (name: string, line: string): string => `untrue: ${name} was told, and ${line}`;

const ofGc = Effect.fnUntraced(function* (
  machine: Machine,
  store: WorldStore,
  { before, name }: Asked,
  report: GcReport,
) {
  const of = (items: ReadonlyArray<Item>) =>
    before.filter((r) =>
      items.some((i) => i.session === r.session && i.generation === r.generation),
    );
  const lines: Array<string> = [];
  for (const record of of(report.forgotten)) {
    const { output, row, snapshot } = yield* keptOf(machine, store, record);
    const left = row !== undefined ? "row" : output ? "output" : snapshot ? "snapshot" : null;
    const there = yield* stillThere(machine, record.incarnation);
    if (left !== null) lines.push(`the ${left} of ${record.incarnation} is there`);
    if (there !== null) lines.push(there);
  }
  for (const record of of(report.deleted)) {
    const { row } = yield* keptOf(machine, store, record);
    const there = yield* stillThere(machine, record.incarnation);
    if (row !== undefined && !isFinal(row.state)) lines.push(`a deleted row is ${row.state}`);
    if (there !== null) lines.push(there);
  }
  // Another gc may be between its files and its row.
  if ((yield* store.remembered).heldBy.length > 0) return lines.map((line) => toldOf(name, line));
  const failed = new Set(report.failed.map(({ what }) => what));
  const stays = of(report.kept.filter(({ what }) => !failed.has(what)));
  for (const record of stays) {
    const { output, row, wasRecorded } = yield* keptOf(machine, store, record);
    if (row === undefined || !wasRecorded || output) continue;
    lines.push(`the output of ${record.incarnation} was kept, and is gone`);
  }
  return lines.map((line) => toldOf(name, line));
});

/** What is not so of what was told; a line for each. */
export const untruth = (
  machine: Machine,
  store: WorldStore,
  asked: Asked,
  value: unknown,
): Effect.Effect<ReadonlyArray<string>> =>
  Explore.quietly(
    Effect.suspend((): Effect.Effect<ReadonlyArray<string>> => {
      const { name } = asked;
      if (name.startsWith("gc") && isReport(value)) return ofGc(machine, store, asked, value);
      if (!name.startsWith("delete") || !isAcknowledged(value)) return Effect.succeed([]);
      return ofDelete(machine, store, name, value);
    }),
  );
