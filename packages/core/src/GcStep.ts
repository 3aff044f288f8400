/**
 * GcStep: what gc does about one name, under its claim.
 *
 * A plan is old when its step begins, so the rows are read and tmux is looked at again; what is not
 * as it was planned stays, and that is told. Files go before their rows: whoever is cut off between
 * the two leaves a row that says what is still to be removed.
 */
import { Effect, Either } from "effect";
import { deleteSeen } from "./Delete.js";
import { type GcBounds, judgeRecord, marksIn, nameOf } from "./GcPlan.js";
import { done, type GcDone, joined, keptBy } from "./GcReport.js";
import type { Holding } from "./Holding.js";
import type { IncarnationId, ServerId } from "./Identity.js";
import { noOtherServer } from "./OtherServer.js";
import { OutputFiles } from "./OutputFiles.js";
import { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import { SessionScopes } from "./SessionScopes.js";
import { Settings } from "./Settings.js";
import { observe, serverLife } from "./Sight.js";
import { Snapshots } from "./Snapshots.js";
import { type Listing, Tmux } from "./Tmux.js";

const attempted = "gc";

/** One step. `Name` is the last one of a name: what is left of it is its claim. */
export type GcStep =
  | {
      readonly _tag: "Delete";
      readonly record: SessionRecord;
      readonly bounds: GcBounds;
    }
  | {
      readonly _tag: "Forget";
      readonly incarnations: ReadonlyArray<IncarnationId>;
      /** Generations of which no row is known, and snapshots are. */
      readonly orphans: ReadonlyArray<number>;
      readonly bounds: GcBounds;
    }
  | { readonly _tag: "Name" };

const kept = (record: SessionRecord, why: string): GcDone =>
  done({ kept: [{ ...nameOf(record), why }] });

/** Deletes a session whose programs ended long ago, as a delete does. */
const deleteExited = Effect.fnUntraced(function* (
  holding: Holding,
  { bounds, record }: Extract<GcStep, { readonly _tag: "Delete" }>,
) {
  const registry = yield* Registry;
  const { graceMs } = yield* Settings;
  const { records } = yield* registry.history(holding.session);
  const now = records.find(({ incarnation }) => incarnation === record.incarnation);
  if (now === undefined) return kept(record, "another program forgot it meanwhile");
  const { item, verdict } = judgeRecord(now, bounds, new Set());
  if (verdict !== "delete") return done({ kept: [item] });
  const listing = yield* holding.look(attempted);
  const seen = yield* observe(now, listing, attempted);
  if (seen._tag === "Absent") return kept(now, `tmux does not have it: ${seen.why}`);
  // Also a window that a user made: nobody asked for the end of what runs in that.
  if (seen.session.terminals.some(({ exit }) => exit === null)) {
    return kept(now, "a program runs in it");
  }
  const how = { graceMs, spareDetached: false, snapshot: true, release: true };
  yield* deleteSeen(holding, { record: now, listing, seen, attempted }, how);
  return done({ deleted: [item] });
});

/** The recorded servers that are positively dead. */
const deadServers = Effect.gen(function* () {
  const registry = yield* Registry;
  const dead: Array<ServerId> = [];
  for (const known of yield* registry.servers) {
    const life = yield* Effect.either(serverLife(known, null, attempted));
    if (life._tag === "Right" && life.right !== "alive") dead.push(known.server);
  }
  return dead;
});

/** What is looked at once for all incarnations of a name. */
interface Look {
  readonly bounds: GcBounds;
  readonly listing: Listing;
  readonly dead: ReadonlyArray<ServerId>;
}

const snapshotsOf = ({ generation, session }: Pick<SessionRecord, "generation" | "session">) =>
  `snapshots of ${session}, generation ${generation}`;

/** Forgets one incarnation: its files, then its row. */
const forgetOne = (holding: Holding, record: SessionRecord, { bounds, dead, listing }: Look) =>
  Effect.gen(function* () {
    const { item, verdict } = judgeRecord(record, bounds, marksIn(listing));
    if (verdict !== "forget") return done({ kept: [item] });
    const outputs = yield* OutputFiles;
    const snapshots = yield* Snapshots;
    // Absence needs proof here as well: its server may live out of reach.
    yield* observe(record, listing, attempted);
    yield* outputs.remove(record.incarnation);
    yield* snapshots.remove(record.session, record.generation);
    const registry = yield* Registry;
    yield* holding.write((claim) => registry.forget(claim, record.incarnation, dead));
    const scopes = yield* SessionScopes;
    yield* scopes.close(record.session, record.incarnation);
    // One that was overtaken may have kept something since, of which no row will tell.
    const again = yield* Effect.either(snapshots.remove(record.session, record.generation));
    const forgotten = done({ forgotten: [item] });
    if (Either.isRight(again)) return forgotten;
    return joined([
      forgotten,
      keptBy({ ...nameOf(record), what: snapshotsOf(record) }, again.left),
    ]);
  }).pipe(
    Effect.catchTag("LookupFailed", (failure) => Effect.succeed(keptBy(nameOf(record), failure))),
  );

const forgetSnapshots = Effect.fnUntraced(function* (holding: Holding, generation: number) {
  const { session } = holding;
  const snapshots = yield* Snapshots;
  const what = { what: snapshotsOf({ session, generation }), session, generation };
  return yield* Effect.match(snapshots.remove(session, generation), {
    onFailure: (failure) => keptBy(what, failure),
    onSuccess: () => done({ forgotten: [{ ...what, why: "no row knows it" }] }),
  });
});

/** Forgets incarnations that ended long ago, and snapshots that no row knows. */
const forgetEnded = Effect.fnUntraced(function* (
  holding: Holding,
  { bounds, incarnations, orphans }: Extract<GcStep, { readonly _tag: "Forget" }>,
) {
  const registry = yield* Registry;
  const { records, unreadable } = yield* registry.history(holding.session);
  const look = { bounds, listing: yield* holding.look(attempted), dead: yield* deadServers };
  const due = records.filter(({ incarnation }) => incarnations.includes(incarnation));
  const forgotten = yield* Effect.forEach(due, (record) => forgetOne(holding, record, look));
  const known = new Set(records.map(({ generation }) => generation));
  const loose = unreadable.length > 0 ? [] : orphans.filter((number) => !known.has(number));
  const removed = yield* Effect.forEach(loose, (number) => forgetSnapshots(holding, number));
  return joined([...forgotten, ...removed]);
});

/** Why the name cannot be forgotten yet; `null` when nothing of it can be under way in tmux. */
export const standing = Effect.fnUntraced(function* (session: Holding["session"], look: Listing) {
  const { home } = yield* Settings;
  if (look._tag === "NoServer") {
    yield* noOtherServer(session, attempted, null);
    return null;
  }
  yield* noOtherServer(session, attempted, look.server);
  const ours = look.sessions.some((s) => s.name === session && s.mark?.home === home);
  if (ours) return "tmux has a session of it";
  const tmux = yield* Tmux;
  const fence = yield* tmux.fenceOf(session, look.server);
  if (fence === 0) return null;
  const { pid } = look.server;
  return fence === null
    ? `tmux server ${pid} answers no more`
    : `its fence stands in tmux server ${pid}, where older commands may wait, and goes with that`;
});

/** What the claim of a name is called. */
export const claimOf = (session: Holding["session"]) => ({
  what: `claim of ${session}`,
  session,
  generation: null,
});

/**
 * Forgets the claim of a name of which nothing else is left. A fence is never taken away: without
 * one, a command of an overtaken program that tmux was given and has not run yet would pass.
 */
const forgetName = Effect.fnUntraced(function* (holding: Holding) {
  const what = claimOf(holding.session);
  const why = yield* standing(holding.session, yield* holding.look(attempted));
  if (why !== null) return done({ kept: [{ ...what, why }] });
  const registry = yield* Registry;
  const isGone = yield* holding.write(registry.forgetName);
  if (!isGone) return done({ kept: [{ ...what, why: "it was used again meanwhile" }] });
  return done({ forgotten: [{ ...what, why: "nothing else is left of the name" }] });
});

/** Does the step. */
export const gcStep = (holding: Holding, step: GcStep) => {
  switch (step._tag) {
    case "Delete":
      return deleteExited(holding, step);
    case "Forget":
      return forgetEnded(holding, step);
    case "Name":
      return forgetName(holding);
  }
};
