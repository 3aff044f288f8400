/**
 * Goal: a name that was used and rests costs nothing but its row. Method: names are used in the
 * ways that there are; then the fibers, the sleeps and the entries of every map and set that had
 * one of these names for a key are counted. That the heap is as it was is measured by a bench.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const names = ["idle-1", "idle-2", "idle-3", "idle-4"];

type Keyed = Map<unknown, unknown> | Set<unknown>;

/** Every map and set that is given one of these for a key while the work runs. */
const keyedBy = <A, E, R>(keys: ReadonlyArray<string>, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { set } = Map.prototype;
    const { add } = Set.prototype;
    const found: Array<Keyed> = [];
    const note = (keyed: Keyed, key: unknown) => {
      if (typeof key === "string" && keys.includes(key)) found.push(keyed);
    };
    yield* Effect.acquireUseRelease(
      Effect.sync(() => {
        Map.prototype.set = function (key, value) {
          note(this, key);
          return set.call(this, key, value);
        };
        Set.prototype.add = function (value) {
          note(this, value);
          return add.call(this, value);
        };
      }),
      () => work,
      () =>
        Effect.sync(() => {
          Map.prototype.set = set;
          Set.prototype.add = add;
        }),
    );
    return new Set(found);
  });

const standing = Effect.gen(function* () {
  const [fibers, sleeps] = [yield* Fiber.roots, yield* TestClock.sleeps()];
  return { fibers: [...fibers].length, sleeps: [...sleeps].length };
});

/** From nothing to a session with two terminals, what is asked of it, and its end. */
const lifeOf = ({ sessions }: FakeHome, session: string) =>
  Effect.gen(function* () {
    yield* sessions.create({ session, ...sleep, env: { TOKEN: "value" } });
    yield* sessions.addTerminal({ session, ...sleep });
    yield* sessions.send(session, { text: "typed" });
    yield* sessions.setEnv(session, { MORE: "value" });
    yield* sessions.reconcile(session);
    yield* sessions.delete(session);
  });

describe("a name that was used and rests", () => {
  it.scoped("has a row, and no fiber, timer or entry of anything else", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const used = yield* keyedBy(["first"], pass(lifeOf(home, "first")));
      const before = yield* standing;
      const all = Effect.forEach(names, (name) => lifeOf(home, name), { concurrency: "unbounded" });
      const usedAgain = yield* keyedBy(names, pass(all));
      expect(yield* standing).toEqual(before);
      // What is made for one call is another one each time; what stays is the same for each name.
      const staying = [...usedAgain].filter((keyed) => used.has(keyed));
      const left = staying.filter((keyed) => names.some((name) => keyed.has(name)));
      expect(left).toEqual([home.store.claims]);
      expect(staying.length).toBeGreaterThanOrEqual(3);
    }),
  );

  it.scoped("has not even a fiber more while its session runs", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "first", ...sleep }));
      const before = yield* standing;
      const create = (session: string) => home.sessions.create({ session, ...sleep });
      yield* pass(Effect.forEach(names, create, { concurrency: "unbounded" }));
      expect(yield* standing).toEqual(before);
    }),
  );

  it.scoped("is not even used where there was no such session", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "first", ...sleep }));
      const before = yield* standing;
      const refused = (name: string) => Effect.flip(home.sessions.delete(name));
      const used = yield* keyedBy(names, pass(Effect.forEach(names, refused)));
      expect(yield* standing).toEqual(before);
      expect(used.size).toBe(0);
    }),
  );
});
