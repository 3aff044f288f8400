/**
 * HandBackWorlds: a lease that goes to another name while somebody of its program gives it back: by
 * a release, by the scope that wanted it, or by the end of its writer.
 *
 * Whichever is first, no other program begins anything beside what is done under it where it is by
 * then, and nothing is left; nor of what a turn gave back itself, whose writer ends meanwhile.
 */
import { ActorId } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Deferred, Effect, Either, Exit, Scope } from "effect";
import { type Kit, type LeaseScene, leaseWorld, name } from "./LeaseWorld.js";
import { nothingLeft, oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** How long a step takes at most, and how often somebody comes. */
const [STEP_MS, COMES] = [60, 3];

/** When it is given back: also while something is done under it elsewhere. */
const WHEN = ["at once", "a little later"] as const;

/** Who gives it back. */
type GivesBack = "a release" | "the end of its scope" | "the end of its writer";

/** Has `a`, goes over to `b` and does something there, while the lease is given back. */
const moves = (by: GivesBack) => (kit: Kit) =>
  Effect.gen(function* () {
    const actor = ActorId.make(kit.owner);
    const never = { attended: () => true, taken: Effect.void };
    const writer = { session: name("a"), actor, surface: "explored", ...never };
    const scope = yield* Scope.make();
    const lease = yield* by === "the end of its scope"
      ? Scope.extend(kit.leases.acquire(writer), scope)
      : kit.leases.claim(writer);
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
    const gives = Effect.flatMap(Explore.choose("it is given back", WHEN), (when) =>
      when === "at once" ? back[by] : Effect.delay(back[by], STEP_MS / 3),
    );
    yield* Effect.all([Explore.named("goes")(goes), Explore.named("gives back")(gives)], {
      concurrency: "unbounded",
    });
    const left = yield* Explore.quietly(kit.leases.all);
    if (left.some((row) => row.actor === actor)) yield* kit.log("it was not given back");
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
  check: (ending) =>
    oneAtATime(ending) ?? ending.log.find((line) => line.startsWith("it was")) ?? null,
});

/** A turn that gives its lease back itself and runs on, also behind the end of its writer. */
const inItsTurn: LeaseScene = {
  name: "a turn that gave its lease back and runs on behind its writer's end",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a");
        const isBack = yield* Deferred.make<void>();
        const turn = handle.runTurn((_, lease) => {
          const back = lease._tag === "Owned" ? kit.leases.release(lease) : Effect.void;
          const steps = [Effect.exit(back), Deferred.succeed(isBack, undefined), Effect.sleep(400)];
          return Effect.uninterruptible(Effect.all(steps, { discard: true }));
        });
        const running = yield* Effect.fork(Effect.exit(turn));
        yield* Effect.raceFirst(Deferred.await(isBack), running.await);
        yield* Effect.exit(handle.end("explicit_close"));
        yield* running.await;
      }),
  ],
  troubled: true,
  check: nothingLeft,
};

/** The worlds. */
export const handBackWorlds: ReadonlyArray<NamedWorld> = [
  ...(["a release", "the end of its scope", "the end of its writer"] as const).map((by) => ({
    world: leaseWorld(scene(by)),
    cost: 2,
  })),
  { world: leaseWorld(inItsTurn), cost: 1 },
];
