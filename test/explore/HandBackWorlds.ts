/**
 * HandBackWorlds: a lease that goes to another name while somebody of its program gives it back: by
 * a release, by the scope that wanted it, or by the end of its writer.
 *
 * Whichever is first, no other program begins anything beside what is done under it where it is by
 * then, and nothing is left.
 */
import { Explore } from "@troupe/testing";
import { Effect, Either, Exit, Scope } from "effect";
import { type Kit, type LeaseScene, leaseWorld, name } from "./LeaseWorld.js";
import { nothingLeft, oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** How long a step takes at most, and how often somebody comes. */
const [STEP_MS, COMES] = [60, 3];

/** Who gives it back. */
type GivesBack = "a release" | "the end of its scope" | "the end of its writer";

/** Has `a`, goes over to `b` and does something there, while the lease is given back. */
const moves = (by: GivesBack) => (kit: Kit) =>
  Effect.gen(function* () {
    const { actor } = yield* kit.handles.get("a");
    const never = { attended: () => true, taken: Effect.void };
    const scope = yield* Scope.make();
    const claim = kit.leases.acquire({ session: name("a"), actor, surface: "explored", ...never });
    const lease = yield* Scope.extend(claim, scope);
    const back = {
      "a release": kit.leases.release(lease),
      "the end of its scope": Scope.close(scope, Exit.void),
      "the end of its writer": kit.leases.end(actor, null),
    };
    const goes = Effect.gen(function* () {
      const moved = yield* Effect.either(kit.leases.reanchor(lease, name("b")));
      if (Either.isLeft(moved)) return yield* Explore.reached("given back");
      const work = kit.step(moved.right, `end ${kit.owner}`, kit.log(`begin ${kit.owner}`));
      yield* Explore.reached(Exit.isSuccess(yield* Effect.exit(work)) ? "worked" : "moved");
    });
    yield* Effect.all([Explore.named("goes")(goes), Explore.named("gives back")(back[by])], {
      concurrency: "unbounded",
    });
    yield* Scope.close(scope, Exit.void);
  });

/** Wants `b`, and comes now and then. */
const comes = (kit: Kit) =>
  Effect.gen(function* () {
    const handle = yield* kit.handles.get("b", { kind: "turn" });
    const work = [kit.log(`begin ${kit.owner}`), kit.log(`end ${kit.owner}`)];
    for (let left = COMES; left > 0; left--) {
      yield* Effect.sleep(STEP_MS / 3);
      yield* Effect.exit(handle.runTurn(() => Effect.all(work, { discard: true })));
    }
  });

const scene = (by: GivesBack): LeaseScene => ({
  name: `a lease that goes elsewhere beside ${by}`,
  sessions: ["a", "b"],
  programs: [moves(by), comes],
  sometimes: ["given back", "worked", "moved"],
  check: (ending) => oneAtATime(ending) ?? nothingLeft(ending),
});

/** The worlds. */
export const handBackWorlds: ReadonlyArray<NamedWorld> = (
  ["a release", "the end of its scope", "the end of its writer"] as const
).map((by) => ({ world: leaseWorld(scene(by)), cost: 2 }));
