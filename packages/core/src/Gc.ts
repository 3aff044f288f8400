/**
 * Gc: forgetting what has ended: rows with their snapshots, output and events, and the server when
 * nothing is in it.
 *
 * Repairs come first; then one reading makes a plan, and each name that has something to be done
 * gets messages of its own, which look again. It goes on past a name that fails. Nothing is
 * removed that tmux shows, that is held, or that could not be looked up: then it is told why.
 */
import { Clock, Effect, Either } from "effect";
import { plannedGc } from "./GcDryRun.js";
import type { GcBounds, GcReading } from "./GcPlan.js";
import { repairEach } from "./GcRepair.js";
import {
  done,
  type GcDone,
  type GcOptions,
  type GcReport,
  joined,
  KEPT_MS,
  keptBy,
} from "./GcReport.js";
import type { GcStep } from "./GcStep.js";
import { atWork, judged, provenAbsent, serverItem, survey, sweep } from "./GcSurvey.js";
import { GcTally } from "./GcTally.js";
import { listProven } from "./ListenAgain.js";
import { OutputFiles } from "./OutputFiles.js";
import { milliseconds } from "./Quantity.js";
import { Registry } from "./Registry.js";
import type { SessionActor } from "./SessionActor.js";
import type { SessionName } from "./SessionName.js";
import { stopServer } from "./StopServer.js";

const attempted = "gc";

const boundsOf = ({ exitedMs, olderThanMs }: GcOptions) =>
  Effect.map(
    Clock.currentTimeMillis,
    (now): GcBounds => ({
      now,
      olderThanMs: milliseconds("olderThanMs", olderThanMs) ?? KEPT_MS,
      exitedMs: milliseconds("exitedMs", exitedMs) ?? null,
    }),
  );

type Judged = ReturnType<typeof judged>;

/** Runs one step of a name; what came of it. A name that a living program holds is left alone. */
const perform =
  (actor: SessionActor) =>
  (session: SessionName, what: string, step: GcStep): Effect.Effect<GcDone> => {
    const item = { what, session, generation: null };
    return Effect.match(actor.gc(session, step), {
      onFailure: (failure) =>
        failure._tag === "Busy" && failure.reason === "claimed"
          ? done({ kept: [{ ...item, why: `held by ${failure.holder}` }] })
          : keptBy(item, failure),
      onSuccess: (told) => told,
    });
  };

/** Whose a gc is, and how far it has come. */
interface Collector {
  readonly actor: SessionActor;
  readonly tally: GcTally;
}

const deleteEach = ({ actor, tally }: Collector, { records }: Judged, bounds: GcBounds) =>
  tally.each(
    records.filter(({ verdict }) => verdict === "delete"),
    ({ item, thing }) =>
      perform(actor)(thing.session, item.what, { _tag: "Delete", record: thing, bounds }),
    true,
  );

const forgetEach = ({ actor, tally }: Collector, plan: Judged, bounds: GcBounds) => {
  const due = plan.records.filter(({ verdict }) => verdict === "forget").map(({ thing }) => thing);
  const loose = plan.snapshots
    .filter(({ verdict }) => verdict === "forget")
    .map(({ thing }) => thing);
  const names = new Set([...due, ...loose].map(({ session }) => session));
  const step = (session: SessionName): GcStep => ({
    _tag: "Forget",
    incarnations: due.filter((r) => r.session === session).map((r) => r.incarnation),
    orphans: loose.filter((s) => s.session === session).map((s) => s.generation),
    bounds,
  });
  return tally.each(
    names,
    (session) => perform(actor)(session, `session ${session}`, step(session)),
    true,
  );
};

/** Recorded output of an incarnation that no row knows: none is ever known by that id again. */
const forgetOutputs = Effect.fnUntraced(function* (
  { tally }: Collector,
  { outputs }: Judged,
  { listing }: GcReading,
) {
  const due = outputs.filter(({ verdict }) => verdict === "forget");
  if (due.length === 0) return done({});
  const files = yield* OutputFiles;
  const proven = provenAbsent(listing);
  const one = ({ item, thing }: (typeof due)[number]) =>
    Effect.match(Effect.zipRight(proven, files.remove(thing.incarnation)), {
      onFailure: (failure) => keptBy(item, failure),
      onSuccess: () => done({ forgotten: [item] }),
    });
  const steps = yield* tally.each(due, one, false);
  return joined(steps);
});

interface Ended {
  readonly server: GcReport["server"];
  readonly told: GcDone;
}

/** Ends the server when nothing is in it and nobody is about to use it. */
const endServer = Effect.gen(function* () {
  const registry = yield* Registry;
  const busy = atWork(yield* registry.history(null));
  if (busy !== null) {
    return { server: "kept" as const, told: done({ kept: [serverItem(busy)] }) };
  }
  const stopped = yield* Effect.either(stopServer);
  if (Either.isLeft(stopped)) {
    return { server: "unknown" as const, told: keptBy(serverItem(""), stopped.left) };
  }
  const stays = stopped.right === "kept" ? [serverItem("it has a session")] : [];
  return { server: stopped.right, told: done({ kept: stays }) };
}) satisfies Effect.Effect<Ended, unknown, unknown>;

/** Does it. */
const collect = Effect.fnUntraced(function* (collector: Collector, bounds: GcBounds) {
  // Asked first: where tmux cannot be asked, nothing is known and nothing is touched.
  const look = listProven(attempted);
  yield* look;
  const { repaired, told } = yield* repairEach(collector.actor.reconcile, collector.tally);
  const first = yield* survey(look);
  const deleted = yield* deleteEach(collector, judged(first.reading, bounds), bounds);
  const { reading, told: unlisted } = deleted.length === 0 ? first : yield* survey(look);
  // What is still to be deleted was told of by its own step.
  const plan = judged(reading, bounds);
  const forgotten = yield* forgetEach(collector, plan, bounds);
  const outputs = yield* forgetOutputs(collector, plan, reading);
  const { server, told: ended } = yield* endServer;
  const registry = yield* Registry;
  const { bare } = yield* registry.history(null);
  const { actor, tally } = collector;
  const names = yield* tally.each(
    bare,
    ({ session }) => perform(actor)(session, `claim of ${session}`, { _tag: "Name" }),
    true,
  );
  const swept = yield* sweep(true);
  const steps = [
    told,
    unlisted,
    ...deleted,
    plan.kept,
    ...forgotten,
    outputs,
    ended,
    ...names,
    swept,
  ];
  const report: GcReport = { ...joined(steps), dryRun: false, repaired, server };
  return report;
});

/** Forgets what ended long ago, or tells what that would be. */
export const gcEvery = (actor: SessionActor) =>
  Effect.fnUntraced(function* (options: GcOptions) {
    const bounds = yield* boundsOf(options);
    if (options.dryRun === true) return yield* plannedGc(bounds);
    return yield* collect({ actor, tally: new GcTally(options.onProgress) }, bounds);
  });
