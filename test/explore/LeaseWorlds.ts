/**
 * LeaseWorlds: one writer at every moment: who claims, who takes over, who ends while his turn runs
 * on, who releases what is moved, and who dies.
 *
 * Each scene has a twin, from which the guard in its middle was taken, in LeaseTwins.
 */
import type { Lease } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Deferred, Effect, Option, Schedule } from "effect";
import {
  ended,
  type Kit,
  type LeaseEnding,
  type LeaseScene,
  leaseWorld,
  name,
} from "./LeaseWorld.js";
import type { NamedWorld } from "./NamedWorld.js";

/** A turn in two steps, and between them a point at which another could come. */
const twoSteps = (kit: Kit) => (_: unknown, lease: Lease) =>
  Effect.gen(function* () {
    yield* kit.log(`begin ${kit.owner} ${lease.epoch}`);
    yield* Explore.point("work");
    yield* kit.log(`end ${kit.owner} ${lease.epoch}`);
  });

/** A turn, and whether it ran; with `again` until it is let in. */
const letIn = <A, E extends { readonly _tag: string }, R>(
  turn: Effect.Effect<A, E, R>,
  again = true,
) =>
  turn.pipe(
    Effect.tap(() => Explore.reached("ran")),
    Effect.tapError(({ _tag }) =>
      _tag === "LeaseHeld" ? Explore.reached("refused") : Effect.void,
    ),
    Effect.retry({
      while: ({ _tag }) => again && _tag === "LeaseHeld",
      schedule: Schedule.spaced(50),
    }),
  );

/** Runs a turn; with `again` until it is let in. */
const turn =
  (again: boolean) =>
  (kit: Kit): Effect.Effect<unknown, unknown> =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a", { kind: "turn" });
      yield* Effect.option(letIn(handle.runTurn(twoSteps(kit)), again));
    });

/** Whoever began ended, or died, before another began. */
export const oneAtATime = ({ log }: LeaseEnding): string | null => {
  let at: string | null = null;
  for (const line of log) {
    const [what, who] = line.split(" ");
    if (what === "begin" && at !== null) return `${who} began while ${at} was at work: ${log}`;
    if (what === "begin") at = who ?? null;
    if ((what === "end" || what === "crash") && who === at) at = null;
  }
  return null;
};

/** Nothing is left behind by who lives. */
export const nothingLeft = (ending: LeaseEnding): string | null => {
  const dead = ending.log.filter((line) => line.startsWith("crash")).map((l) => l.slice(6));
  const left = ending.rows.filter((row) => !dead.some((owner) => row.endsWith(owner)));
  return left.length === 0 ? null : `left: ${left.join(", ")}`;
};

const claims: LeaseScene = {
  name: "two programs claim one lease",
  sessions: ["a"],
  programs: [turn(false), turn(false)],
  sometimes: ["ran", "refused"],
  check: (ending) => oneAtATime(ending) ?? nothingLeft(ending),
};

const crashes: LeaseScene = {
  name: "two programs run turns, and whoever holds the lease dies",
  sessions: ["a"],
  programs: [turn(true), turn(true)],
  crash: true,
  sometimes: ["ran"],
  check: (ending) => {
    const wrong = oneAtATime(ending) ?? nothingLeft(ending);
    const living = 2 - ending.log.filter((line) => line.startsWith("crash")).length;
    const done = ending.log.filter((line) => line.startsWith("end")).length;
    return wrong ?? (done >= living ? null : `a program was never let in: ${ending.log}`);
  },
};

/** A turn that writes, and a sibling that comes back while nobody is at the first. */
const takeover: LeaseScene = {
  name: "a takeover beside a step of the old turn",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>();
        const told = Deferred.succeed(begun, undefined);
        const writes = (_: unknown, lease: Lease) =>
          Effect.zipRight(
            kit.step(lease, `step ${lease.epoch}`, told),
            kit.step(lease, `step ${lease.epoch}`),
          );
        const old = yield* kit.handles.get("a");
        const first = yield* Effect.fork(Effect.exit(old.runTurn(writes)));
        yield* Effect.raceFirst(Deferred.await(begun), first.await);
        const next = yield* kit.handles.get("a", { anew: true });
        const second = yield* Effect.exit(next.runTurn(writes));
        const other = yield* first.await;
        if (second._tag === "Success" && other._tag === "Success") {
          if (other.value._tag === "Failure") yield* Explore.reached("the old one was stopped");
        }
      }),
  ],
  sometimes: ["the old one was stopped"],
  check: ({ log }) => {
    const epochs = log.map((line) => Number(line.split(" ")[1]));
    const late = epochs.findIndex((epoch, at) => epoch < (epochs[at - 1] ?? 0));
    return late === -1 ? null : `a step of an epoch that is over: ${log}`;
  },
};

/** A turn that does not stop, its writer's end, and another program that wants the session. */
const settlement: LeaseScene = {
  name: "a close beside the end of its turn",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a");
        const begun = yield* Deferred.make<void>();
        const stubborn = Effect.zipRight(
          kit.log(`begin ${kit.owner}`),
          Effect.zipRight(Deferred.succeed(begun, undefined), Effect.sleep(200)),
        ).pipe(Effect.zipRight(kit.log(`end ${kit.owner}`)));
        const running = yield* Effect.fork(
          Effect.exit(handle.runTurn(() => Effect.uninterruptible(stubborn))),
        );
        yield* Effect.raceFirst(Deferred.await(begun), running.await);
        yield* Effect.exit(handle.end("explicit_close"));
        yield* kit.log("closed");
        yield* running.await;
        yield* Effect.sleep(500);
      }),
    turn(true),
  ],
  time: true,
  sometimes: ["ran", "refused"],
  check: (ending) => oneAtATime(ending) ?? nothingLeft(ending),
};

/** A turn that does not stop, its writer's end, and a sibling that comes in the same program. */
const coming: LeaseScene = {
  name: "a close beside a sibling that comes",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a");
        const begun = yield* Deferred.make<void>();
        const stubborn = Effect.all(
          [kit.log("begin old"), Deferred.succeed(begun, undefined), Effect.sleep(400)],
          { discard: true },
        ).pipe(Effect.zipRight(kit.log("end old")));
        const running = yield* Effect.fork(
          Effect.exit(handle.runTurn(() => Effect.uninterruptible(stubborn))),
        );
        yield* Effect.raceFirst(Deferred.await(begun), running.await);
        const sibling = Effect.gen(function* () {
          const next = yield* kit.handles.get("a", { anew: true });
          const work = [kit.log("begin new"), Explore.point("work"), kit.log("end new")];
          yield* Effect.exit(letIn(next.runTurn(() => Effect.all(work, { discard: true }))));
          yield* Effect.exit(next.end("explicit_close"));
        });
        // Before the close it could take the lease over, and the old turn would be fenced.
        yield* Effect.exit(handle.end("explicit_close"));
        yield* sibling;
        yield* running.await;
        yield* Effect.sleep(500);
      }),
  ],
  time: true,
  sometimes: ["ran", "refused"],
  check: (ending) => oneAtATime(ending) ?? nothingLeft(ending),
};

/** A lease that is released and moved at once: one of them is first. */
const moving: LeaseScene = {
  name: "a release beside a move",
  sessions: ["a", "b"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a");
        yield* handle.runTurn(() => Effect.void);
        const session = name("a");
        const { actor } = handle;
        const never = { attended: () => true, taken: Effect.void };
        const lease = yield* kit.leases.claim({ session, actor, surface: "explored", ...never });
        const [moved] = yield* Effect.all(
          [
            Effect.option(Explore.named("move")(kit.leases.reanchor(lease, name("b")))),
            Explore.named("release")(kit.leases.release(lease)),
          ],
          { concurrency: "unbounded" },
        );
        yield* Explore.reached(Option.isSome(moved) ? "moved" : "released");
        const { ownOrphans } = yield* kit.leases.sweep;
        if (ownOrphans > 0) yield* kit.log("a row that nobody answers for");
        if (Option.isSome(moved)) yield* kit.leases.release(moved.value);
      }),
  ],
  sometimes: ["moved", "released"],
  check: ({ log, rows }) => log[0] ?? (rows.length === 0 ? null : `left: ${rows}`),
};

/** A delete by another program, while a turn writes. */
const deleting: LeaseScene = {
  name: "a delete beside the steps of a turn",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a");
        const steps = (_: unknown, lease: Lease) =>
          Effect.zipRight(kit.step(lease, "step"), kit.step(lease, "step"));
        const exit = yield* Effect.exit(handle.runTurn(steps));
        if (exit._tag === "Failure") yield* Explore.reached("stopped");
      }),
    (kit) => Effect.zipRight(ended(kit.registry, "a"), kit.log("deleted")),
  ],
  sometimes: ["stopped"],
  check: ({ log, rows }) => {
    const from = log.indexOf("deleted");
    if (from === -1) return "it was not deleted";
    if (rows.length > 0) return `left: ${rows}`;
    return log.slice(from).includes("step") ? `a step behind the delete: ${log}` : null;
  },
};

/** The scenes, by what stands in their middle. */
export const leaseScenes = { claims, crashes, takeover, settlement, coming, moving, deleting };

/** What holds, and up to which cost. */
export const leaseWorlds: ReadonlyArray<NamedWorld> = [
  { world: leaseWorld(claims), cost: 3 },
  { world: leaseWorld(crashes), cost: 2 },
  { world: leaseWorld(takeover), cost: 2 },
  { world: leaseWorld(settlement), cost: 2 },
  { world: leaseWorld(coming), cost: 2 },
  { world: leaseWorld(moving), cost: 3 },
  { world: leaseWorld(deleting), cost: 3 },
];
