/**
 * OvertakenForgettingWorlds: who forgets a session or a name, and is overtaken at any moment of it:
 * from then on nothing of it changes by him, in memory and on SQLite.
 *
 * Whoever overtook him reads twice what there is of the name and finds the same, and what he writes
 * then is written.
 */
import { type Change, type Claim, IncarnationId, MemoryStore, Registry } from "@troupe/core";
import { Explore, exploredRegistry, type World } from "@troupe/testing";
import { Context, Effect, Exit, Layer } from "effect";
import { ended, made, name } from "./LeaseWorld.js";
import type { NamedWorld } from "./NamedWorld.js";
import { sqliteIn, usedHome } from "./WorldStore.js";

type Port = Registry["Type"];

const a = name("a");
const old = IncarnationId.make("incarnation-a");
const anew = IncarnationId.make("incarnation-anew");
const byForce = { attempted: "explored", force: true };

const spec = { command: ["x"], cwd: "/", envNames: [], inheritEnv: false, log: true };
const begin: Change = {
  _tag: "Begin",
  spec: { ...spec, columns: 80, rows: 24 },
  server: { pid: 1, startTime: 1 },
  requestId: null,
};

/** What the first one forgets, and what of the name is forgotten before that. */
const forgets = [
  {
    what: "a session",
    before: () => Effect.void,
    run: (registry: Port, claim: Claim) => registry.forget(claim, old, []),
  },
  {
    what: "a name",
    before: (registry: Port, claim: Claim) => registry.forget(claim, old, []),
    run: (registry: Port, claim: Claim) => registry.forgetName(claim),
  },
] as const;

const world = (
  { before, run, what }: (typeof forgets)[number],
  sqlite: boolean,
): World<ReadonlyArray<string>> => ({
  name: `who forgets ${what} and is overtaken${sqlite ? ", on SQLite" : ""}`,
  sometimes: ["it was overtaken", "it was first"],
  start: () => {
    const odd: Array<string> = [];
    const program = Effect.gen(function* () {
      const store = sqlite ? null : yield* MemoryStore.make;
      const home = sqlite ? yield* usedHome : "";
      const on = (owner: string) =>
        Effect.map(
          Explore.quietly(
            Layer.build(
              store === null ? sqliteIn(home, owner) : Registry.layerMemory(store, { owner }),
            ),
          ),
          Context.get(Registry),
        );
      const [first, second] = [yield* on("first"), yield* on("second")];
      const claim = yield* Explore.quietly(
        Effect.gen(function* () {
          yield* made(first, "a");
          yield* ended(first, "a");
          const taken = yield* first.claim(a, byForce);
          yield* before(first, taken);
          return taken;
        }),
      );
      const forgetting = Effect.flatMap(Effect.exit(run(exploredRegistry(first), claim)), (exit) =>
        Explore.reached(Exit.isFailure(exit) ? "it was overtaken" : "it was first"),
      );
      const overtaking = Effect.gen(function* () {
        const registry = exploredRegistry(second);
        const own = yield* registry.claim(a, byForce);
        const seen = yield* Effect.map(registry.history(a), (known) => JSON.stringify(known));
        yield* Explore.point("what it saw");
        const now = yield* Effect.map(registry.history(a), (known) => JSON.stringify(known));
        if (now !== seen) odd.push(`what it claimed was ${seen} and is ${now}`);
        const wrote = yield* Effect.exit(registry.commit(own, anew, [begin], { release: true }));
        if (Exit.isFailure(wrote)) odd.push(`what it claimed cannot be written: ${wrote.cause}`);
      });
      yield* Effect.all([Explore.named("first")(forgetting), Explore.named("second")(overtaking)], {
        concurrency: "unbounded",
      });
      return odd;
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: ([first]) => first ?? null };
  },
});

/** The worlds. */
export const overtakenForgettingWorlds: ReadonlyArray<NamedWorld> = [false, true].flatMap(
  (sqlite) => forgets.map((one) => ({ world: world(one, sqlite), cost: 2 })),
);
