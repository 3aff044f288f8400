/**
 * GcSurvey: reading a home for gc, and what is made of the reading.
 *
 * One query, one listing of tmux, and the names of the files that are kept. It changes nothing but
 * what a sweep is told to remove; the plan that comes of it is for others to act on.
 */
import { Effect } from "effect";
import {
  type GcBounds,
  type GcReading,
  judgeOutputs,
  judgeRecord,
  judgeSnapshots,
  marksIn,
} from "./GcPlan.js";
import { done, type GcItem, joined, keptBy } from "./GcReport.js";
import { noServerOfSocket } from "./OtherServer.js";
import { OutputFiles } from "./OutputFiles.js";
import { type History, Registry } from "./Registry.js";
import type { LookupFailed } from "./SessionError.js";
import { Snapshots } from "./Snapshots.js";
import type { Listing } from "./Tmux.js";

/** Files that could not be listed are none, and told. */
const listed = <A, R>(what: string, list: Effect.Effect<ReadonlyArray<A>, LookupFailed, R>) =>
  Effect.match(list, {
    onFailure: (failure) => ({
      found: [] as ReadonlyArray<A>,
      told: keptBy({ what, session: null, generation: null }, failure),
    }),
    onSuccess: (found) => ({ found, told: done({}) }),
  });

/** Reads what is judged: files before rows, so that what no row knows then is no longer of one. */
export const survey = Effect.fnUntraced(function* <E, R>(look: Effect.Effect<Listing, E, R>) {
  const registry = yield* Registry;
  const snapshots = yield* listed("snapshots", (yield* Snapshots).left);
  const outputs = yield* listed("output", (yield* OutputFiles).left);
  const history = yield* registry.history(null);
  const listing = yield* look;
  const found = { snapshots: snapshots.found, outputs: outputs.found };
  const reading: GcReading = { ...history, ...found, listing };
  return { reading, told: joined([snapshots.told, outputs.told]) };
});

/**
 * Fails unless what the listing does not have is nowhere: also without rows, which could name a
 * server whose death is to be shown, there may be one out of reach, whoever answers.
 */
export const provenAbsent = (listing: Listing) =>
  noServerOfSocket(null, "gc", listing._tag === "Server" ? listing.server : null);

/** What is planned, and what stays. */
export const judged = (reading: GcReading, bounds: GcBounds) => {
  const shown = marksIn(reading.listing);
  const records = reading.records.map((record) => judgeRecord(record, bounds, shown));
  const snapshots = judgeSnapshots(reading, bounds);
  const outputs = judgeOutputs(reading, bounds);
  const damaged = reading.unreadable.map(
    ({ detail, session }): GcItem => ({
      what: `a row of ${session}`,
      session,
      generation: null,
      why: `it cannot be read: ${detail}`,
    }),
  );
  const all = [...records, ...snapshots, ...outputs];
  const stay = all.filter(({ verdict }) => verdict === "keep").map(({ item }) => item);
  return { records, snapshots, outputs, kept: done({ kept: [...stay, ...damaged] }) };
};

/** What programs left beside the rows; with `remove`, what dead ones left is gone. */
export const sweep = Effect.fnUntraced(function* (remove: boolean) {
  const registry = yield* Registry;
  const left = yield* registry.leftovers({ remove });
  const items = left.map(({ removable, what, why }) => ({
    removable,
    item: { what, session: null, generation: null, why },
  }));
  return done({
    forgotten: items.filter(({ removable }) => removable).map(({ item }) => item),
    kept: items.filter(({ removable }) => !removable).map(({ item }) => item),
  });
});

/** Whoever holds a claim may be about to make a session. */
export const atWork = ({ bare, records }: History): string | null => {
  const claims = [...records, ...bare].map(({ claim, session }) => ({ claim, session }));
  const held = claims.find(({ claim }) => claim.holder !== "none" && claim.holder !== "dead");
  return held === undefined ? null : `${held.claim.owner} is at work on ${held.session}`;
};

/** The server, and why it stays. */
export const serverItem = (why: string): GcItem => ({
  what: "tmux server",
  session: null,
  generation: null,
  why,
});
