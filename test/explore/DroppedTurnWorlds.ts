/**
 * DroppedTurnWorlds: a turn that is stopped before it has begun, at any call of its admission: what
 * it claimed itself goes with it, and what its writer had before that stays his, for whoever else
 * wants it and for the next turn.
 */
import { Explore } from "@troupe/testing";
import { Effect, Exit, Fiber } from "effect";
import { type Kit, type LeaseEnding, type LeaseScene, leaseWorld } from "./LeaseWorld.js";
import type { NamedWorld } from "./NamedWorld.js";

/** Whose the lease is, if it is anybody's. */
const holder = (kit: Kit) =>
  Effect.map(kit.registry.leases, (all) => (all.length === 0 ? "nobody's" : "its writer's"));

const scene = (before: boolean): LeaseScene => ({
  name: `a turn that is stopped before it begins, of a writer ${before ? "with" : "without"} a lease`,
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a");
        if (before) yield* handle.runTurn(() => Effect.void);
        const begins = kit.log("it began");
        const turn = yield* Effect.fork(Effect.exit(handle.runTurn(() => begins)));
        yield* Explore.point("stop it");
        yield* handle.interrupt("user_stop");
        const exit = yield* Fiber.join(turn);
        if (Exit.isFailure(exit)) yield* Explore.reached("it was stopped");
        yield* kit.log(yield* holder(kit));
        const next = yield* Effect.exit(handle.runTurn(() => Effect.void));
        yield* kit.log(Exit.isSuccess(next) ? "the next one ran" : `no next one: ${next.cause}`);
        yield* handle.end("explicit_close");
      }),
  ],
  sometimes: ["it was stopped"],
  check: ({ log, rows }: LeaseEnding) => {
    const began = log[0] === "it began";
    const [whose, next] = log.slice(-2);
    if (next !== "the next one ran") return next ?? "nothing is told";
    if (rows.length > 0) return `a lease is left: ${rows}`;
    const should = before || began ? "its writer's" : "nobody's";
    return whose === should ? null : `the lease is ${whose}, and should be ${should}: ${log}`;
  },
});

/** The worlds. */
export const droppedTurnWorlds: ReadonlyArray<NamedWorld> = [true, false].map((before) => ({
  world: leaseWorld(scene(before)),
  cost: 2,
}));
