/**
 * LeaseDoubtWorlds: a registry that is slow or fails at any call about leases, and nobody sweeps
 * but the service of the program itself, for what it holds and for what it cannot know.
 *
 * However a call ended, and whoever was told what: behind the writers' ends no row of a program
 * that lives is left, and whoever comes then gets the name.
 */
import { Effect, Either } from "effect";
import { type Kit, type LeaseScene, leaseWorld, name } from "./LeaseWorld.js";
import { leaseScenes, nothingLeft, oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** Longer than a sweep is away, and than a row is spared. */
const LONG_MS = 1_500;

/** A writer that a sibling may follow. */
const writer = (kit: Kit, actor: "x" | "y") =>
  Effect.map(kit.handles.get("a", { anew: true }), (handle) => ({
    session: name("a"),
    actor: handle.actor,
    surface: actor,
    attended: () => false,
    taken: Effect.void,
  }));

/** One has it, another of the program wants it, and both give up whatever they were given. */
const sibling: LeaseScene = {
  name: "a lease goes to a sibling",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const [x, y] = [yield* writer(kit, "x"), yield* writer(kit, "y")];
        const first = yield* Effect.either(kit.leases.claim(x));
        const second = yield* Effect.either(kit.leases.claim(y));
        yield* Effect.sleep(LONG_MS);
        const given = [first, second].filter(Either.isRight).map(({ right }) => right);
        yield* Effect.forEach(given, (lease) => Effect.exit(kit.leases.release(lease)));
      }),
  ],
  check: nothingLeft,
};

/** One has it, takes it to another name, and gives it up. */
const elsewhere: LeaseScene = {
  name: "a lease goes to another name",
  sessions: ["a", "b"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const lease = yield* kit.leases.claim(yield* writer(kit, "x"));
        yield* Effect.exit(kit.leases.reanchor(lease, name("b")));
        yield* Effect.sleep(LONG_MS);
        yield* Effect.exit(kit.leases.release(lease));
      }),
  ],
  check: nothingLeft,
};

const doubted = (scene: LeaseScene): NamedWorld => {
  // What must be reached, and how long a step takes, stands with the scene itself.
  const { sometimes: _, time: __, ...rest } = scene;
  const name = `${scene.name}, a registry that is slow or fails, and no sweep but its own`;
  const check: LeaseScene["check"] = (ending) => oneAtATime(ending) ?? nothingLeft(ending);
  return { world: leaseWorld({ ...rest, name, troubled: true, ownSweeps: true, check }), cost: 1 };
};

const { claims, takeover, settlement, coming } = leaseScenes;

/** The worlds. */
export const leaseDoubtWorlds: ReadonlyArray<NamedWorld> = [
  ...[sibling, elsewhere].map((scene) => ({ ...doubted(scene), cost: 2 })),
  ...[claims, takeover, settlement, coming].map(doubted),
];
