/**
 * MoveWorlds: a lease that is moved to a name, and another program that claims that very name: one
 * of them has it, and the other is told who.
 *
 * A step of whoever has it stands between a begin and an end in the log, and two never overlap.
 */
import { Explore } from "@troupe/testing";
import { Effect, Either } from "effect";
import { type Kit, type LeaseScene, leaseWorld, name } from "./LeaseWorld.js";
import { nothingLeft, oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** Work under a lease of `b`, with points at which another could come. */
const works = (kit: Kit) =>
  Effect.gen(function* () {
    yield* kit.log(`begin ${kit.owner}`);
    yield* Effect.repeatN(Explore.point("work"), 2);
    yield* kit.log(`end ${kit.owner}`);
  });

/** Holds `a`, and goes over to `b`. */
const moves = (kit: Kit) =>
  Effect.gen(function* () {
    const handle = yield* kit.handles.get("a");
    const never = { attended: () => true, taken: Effect.void };
    const writer = { session: name("a"), actor: handle.actor, surface: "explored", ...never };
    const lease = yield* kit.leases.claim(writer);
    const moved = yield* Effect.either(kit.leases.reanchor(lease, name("b")));
    yield* Explore.reached(Either.isRight(moved) ? "moved" : "refused");
    if (Either.isRight(moved)) yield* works(kit);
    yield* kit.leases.release(Either.getOrElse(moved, () => lease));
  });

/** Wants `b`, a step later than the other has `a`. */
const claims = (kit: Kit) =>
  Effect.gen(function* () {
    yield* Explore.point("wait");
    const handle = yield* kit.handles.get("b", { kind: "turn" });
    yield* Effect.either(handle.runTurn(() => works(kit)));
  });

const beside: LeaseScene = {
  name: "a move beside a claim of the name that it goes to",
  sessions: ["a", "b"],
  programs: [moves, claims],
  sometimes: ["moved", "refused"],
  check: (ending) => oneAtATime(ending) ?? nothingLeft(ending),
};

/** The scene, and that where any program may die. */
export const moveWorlds: ReadonlyArray<NamedWorld> = [
  { world: leaseWorld(beside), cost: 2 },
  {
    world: leaseWorld({
      ...beside,
      name: `${beside.name}, and any program may die`,
      crash: true,
      check: oneAtATime,
    }),
    cost: 1,
  },
];
