/**
 * LeaseFaultWorlds: every scene of leases on a registry that is slow or fails at any call about
 * them, and scenes that have their reason in that: a last word that takes long beside a close, a
 * sweep of what is owed beside a claim.
 *
 * Who was refused by a registry that fails does not come again here; what is owed is given back by
 * a sweep, which every program lives to see.
 */
import { Deferred, Effect } from "effect";
import { type Kit, type LeaseScene, leaseWorld, name } from "./LeaseWorld.js";
import { leaseScenes, nothingLeft, oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** A turn that has ended, and its writer's end while that is still to be written. */
const lastWord: LeaseScene = {
  name: "a close beside the last word of its turn",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a");
        const ended = yield* Deferred.make<void>();
        const running = yield* Effect.fork(
          Effect.exit(handle.runTurn(() => Deferred.succeed(ended, undefined))),
        );
        yield* Effect.raceFirst(Deferred.await(ended), running.await);
        yield* Effect.sleep(50);
        yield* Effect.exit(handle.end("explicit_close"));
        yield* running.await;
        yield* Effect.sleep(1_000);
      }),
  ],
  time: true,
  check: nothingLeft,
};

/** A turn, and behind it the next one of another writer of the same program. */
const turnOf = (kit: Kit) =>
  Effect.gen(function* () {
    const handle = yield* kit.handles.get("a", { kind: "turn" });
    const work = [kit.log(`begin ${kit.owner}`), kit.log(`end ${kit.owner}`)];
    yield* Effect.exit(handle.runTurn(() => Effect.all(work, { discard: true })));
  });

/** What could not be given back, the next turn of its writer, and a sweep beside that. */
const sweeping: LeaseScene = {
  name: "a sweep beside a claim",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        yield* turnOf(kit);
        const sweep = Effect.exit(kit.leases.sweep);
        yield* Effect.all([turnOf(kit), sweep], { concurrency: "unbounded" });
        const left = yield* Effect.exit(kit.leases.current(name("a")));
        if (left._tag === "Success") yield* Effect.exit(kit.leases.sweep);
      }),
    turnOf,
  ],
  check: (ending) => oneAtATime(ending) ?? nothingLeft(ending),
};

const troubled = (scene: LeaseScene, check = scene.check): NamedWorld => {
  // What must be reached stands with the scene itself.
  const { sometimes: _, time: __, ...rest } = scene;
  return {
    world: leaseWorld({
      ...rest,
      name: `${scene.name}, and a registry that is slow or fails`,
      troubled: true,
      check,
    }),
    cost: 1,
  };
};

/** The same, and any program of it may die at any point. */
const mortal = (scene: LeaseScene, check: LeaseScene["check"]): NamedWorld => {
  const { sometimes: _, time: __, ...rest } = scene;
  const name = `${scene.name}, where any program may die`;
  return { world: leaseWorld({ ...rest, name, crash: true, check }), cost: 1 };
};

const { claims, crashes, takeover, settlement, coming, moving, deleting } = leaseScenes;

/** The worlds. */
export const leaseFaultWorlds: ReadonlyArray<NamedWorld> = [
  { world: leaseWorld(lastWord), cost: 1 },
  { world: leaseWorld(sweeping), cost: 2 },
  ...[claims, takeover, settlement, coming, deleting, lastWord, sweeping].map((scene) =>
    troubled(scene),
  ),
  // Of a move that nobody heard of a row is left that nobody answers for, until it is swept.
  troubled(moving, nothingLeft),
  ...[claims, settlement, coming, lastWord, sweeping].map((scene) => mortal(scene, scene.check)),
  mortal(takeover, (ending) => takeover.check(ending) ?? nothingLeft(ending)),
  mortal(moving, nothingLeft),
  troubled(crashes, (ending) => oneAtATime(ending) ?? nothingLeft(ending)),
];
