/**
 * ChildWorlds: turns that other processes run, while their program may die and the registry may be
 * slow or fail: nobody begins a turn while a child lives that was acknowledged to be named.
 *
 * Children end as steps of the world, one after the other, whatever became of who started them.
 */
import type { ProcessId, TurnHandle } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Deferred, Effect, Option } from "effect";
import { type Kit, type LeaseEnding, type LeaseScene, leaseWorld, name } from "./LeaseWorld.js";
import { nothingLeft, oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** Says that the child runs the turn, and when that is known. */
const named = (kit: Kit, turn: TurnHandle, child: ProcessId) =>
  Effect.zipRight(turn.child(child), kit.log(`named ${child.pid}`));

/** Nobody's turn begins while a child of another lives. */
const notBesideAChild = ({ log }: LeaseEnding): string | null => {
  const living = new Set<string>();
  const gone = new Set<string>();
  for (const line of log) {
    const [what, who = ""] = line.split(" ");
    if (what === "gone") gone.add(who);
    if (what === "named") living.add(who);
    const child = [...living].find((pid) => !gone.has(pid));
    if (what === "begin" && child !== undefined) return `${who} began while ${child} lives: ${log}`;
  }
  return null;
};

/** How long it takes until the first child ends, and how often somebody comes. */
interface Pace {
  readonly firstMs: number;
  readonly comesMs: number;
}

/** Comes now and then, and runs a turn when it is let in. */
const comer =
  ({ comesMs }: Pace) =>
  (kit: Kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a", { kind: "turn" });
      const work = [
        kit.log(`begin ${kit.owner}`),
        Explore.reached("ran"),
        kit.log(`end ${kit.owner}`),
      ];
      const turn = handle.runTurn(() => Effect.all(work, { discard: true }));
      for (let left = 3; left > 0; left--) {
        yield* Effect.sleep(comesMs);
        const exit = yield* Effect.either(turn);
        if (exit._tag === "Left" && exit.left._tag === "LeaseHeld")
          yield* Explore.reached("refused");
      }
    });

/** They end between two comings. */
const oneByOne =
  ({ comesMs, firstMs }: Pace): NonNullable<LeaseScene["meanwhile"]> =>
  ({ children, log }) =>
    Effect.forEach([firstMs, comesMs], (ms, at) =>
      Effect.gen(function* () {
        yield* Effect.sleep(ms);
        const ended = yield* children.end(at + 1);
        if (ended !== null) yield* log(`gone ${ended.pid}`);
      }),
    );

/** Slower than any call. */
const slowly: Pace = { firstMs: 700, comesMs: 1_000 };

/** As fast as looks go. */
const fast: Pace = { firstMs: 80, comesMs: 200 };
/** While a look that was begun behind the end of the first child may still be under way. */
const NAMED_AT_MS = 110;

/** Two children that are named at once. */
const atOnce: LeaseScene = {
  name: "two children that are named at once",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a", { kind: "turn" });
        const body = (turn: TurnHandle) =>
          Effect.gen(function* () {
            yield* kit.log(`begin ${kit.owner}`);
            const children = [yield* kit.children.start, yield* kit.children.start];
            const all = children.map((child) => Effect.exit(named(kit, turn, child)));
            yield* Effect.all(all, { concurrency: "unbounded" });
            yield* Explore.point("work");
            yield* kit.log(`end ${kit.owner}`);
          });
        yield* Effect.exit(handle.runTurn(body));
      }),
    comer(slowly),
  ],
  meanwhile: oneByOne(slowly),
  check: (ending) => oneAtATime(ending) ?? notBesideAChild(ending) ?? nothingLeft(ending),
};

/** A child that is named behind the body, while the one before it ends and is looked at. */
const behind: LeaseScene = {
  name: "a child that is named while another is looked at",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a", { kind: "turn" });
        const [first, second] = [yield* kit.children.start, yield* kit.children.start];
        const begun = yield* Deferred.make<TurnHandle>();
        const body = (turn: TurnHandle) =>
          Effect.zipRight(named(kit, turn, first), Deferred.succeed(begun, turn));
        const behind = Effect.gen(function* () {
          const turn = yield* Deferred.await(begun);
          yield* Effect.sleep(NAMED_AT_MS);
          yield* turn.child(second);
          // Behind the end of its turn a child is named in vain, and that is no failure.
          const found = yield* Explore.quietly(kit.registry.leaseOf(name("a")));
          const { children } = Option.getOrElse(found, () => ({ children: [] }));
          if (children.some(({ pid }) => pid === second.pid)) yield* kit.log(`named ${second.pid}`);
        });
        const both = [handle.runTurn(body), behind].map((one) => Effect.exit(one));
        yield* Effect.all(both, { concurrency: "unbounded" });
      }),
    comer(fast),
  ],
  slowLooks: true,
  meanwhile: oneByOne(fast),
  sometimes: ["ran", "refused"],
  check: (ending) => notBesideAChild(ending) ?? nothingLeft(ending),
};

const mortal = { crash: "first" } as const;

/** The worlds. */
export const childWorlds: ReadonlyArray<NamedWorld> = [
  { world: leaseWorld({ ...atOnce, sometimes: ["ran", "refused"] }), cost: 1 },
  { world: leaseWorld(behind), cost: 1 },
  {
    world: leaseWorld({
      ...atOnce,
      ...mortal,
      name: `${atOnce.name}, what is written is slow or fails, and their program may die`,
      troubled: "notes",
    }),
    cost: 2,
  },
  {
    world: leaseWorld({
      ...atOnce,
      name: `${atOnce.name}, any program may die, and a registry that is slow or fails`,
      crash: true,
      troubled: true,
    }),
    cost: 1,
  },
];
