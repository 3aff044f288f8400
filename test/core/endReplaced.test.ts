/**
 * The end of a writer whose session is replaced while it is deleted: what has the name then is
 * another's. The replacement comes behind every look of the writer, right before the claim.
 */
import { describe, expect, it } from "@effect/vitest";
import type { Registry } from "@troupe/core";
import { Effect, Fiber, Runtime, TestClock } from "effect";
import { pass } from "./FakeHome.js";
import { runs, told, turnHome } from "./TurnHome.js";

/** The same registry, and this right before a delete claims. */
const beforeDelete = (
  registry: Registry["Type"],
  between: () => Effect.Effect<unknown>,
): Registry["Type"] => ({
  ...registry,
  claim: (session, options) =>
    Effect.zipRight(
      Effect.suspend(() => (options.attempted === "delete" ? between() : Effect.void)),
      registry.claim(session, options),
    ),
});

const spec = { session: "a", command: ["reader"], cwd: "/", replace: true };

/** A home where another program replaces the session before the first delete claims it. */
const replaced = Effect.gen(function* () {
  let between: Effect.Effect<unknown> = Effect.void;
  const home = yield* turnHome({ registry: (registry) => beforeDelete(registry, () => between) });
  const two = yield* home.program("two");
  const runtime = yield* Effect.runtime();
  const arm = Effect.sync(() => {
    between = Effect.suspend(() => {
      between = Effect.void;
      return Effect.flatten(Fiber.await(Runtime.runFork(runtime)(Effect.orDie(two.create(spec)))));
    });
  });
  return { home, arm };
});

describe("what took the place of a session", () => {
  it.scoped("is not deleted by the writer of the old one, who holds no lease", () =>
    Effect.gen(function* () {
      const { arm, home } = yield* replaced;
      const handle = yield* (yield* home.hosting("one")).handles.get("a");
      yield* arm;
      yield* pass(handle.end("explicit_delete"));
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
    }),
  );

  it.scoped("is not deleted by a delete that comes behind an end that nobody asked for", () =>
    Effect.gen(function* () {
      const { arm, home } = yield* replaced;
      const handle = yield* (yield* home.hosting("one")).handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      yield* arm;
      const ends = [handle.end("idle_timeout"), handle.end("explicit_delete")];
      yield* pass(Effect.all(ends, { concurrency: "unbounded" }));
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
    }),
  );

  for (const [what, noticed] of [
    ["is no failure of a writer whose lease went with the old one, and who noticed nothing", false],
    ["is none either where he had noticed", true],
  ] as const) {
    it.scoped(what, () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const handle = yield* (yield* home.hosting("one")).handles.get("a");
        yield* handle.runTurn(() => Effect.void);
        yield* pass((yield* home.program("two")).create(spec));
        if (noticed) expect(yield* told(handle.runTurn(() => Effect.void))).toBe("LeaseLost");
        yield* pass(handle.end("explicit_delete"));
        yield* pass(handle.end("idle_timeout"));
        expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
      }),
    );
  }

  it.scoped("or of what was deleted alone is no failure of a delete behind an idle end", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const handle = yield* (yield* home.hosting("one")).handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      yield* pass((yield* home.program("two")).delete("a"));
      expect(yield* told(handle.runTurn(() => Effect.void))).toBe("LeaseLost");
      const ends = [handle.end("idle_timeout"), handle.end("explicit_delete")];
      yield* pass(Effect.all(ends, { concurrency: "unbounded" }));
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );

  it.scoped("is not touched by a delete of the old one, which counts as gone", () =>
    Effect.gen(function* () {
      const { arm, home } = yield* replaced;
      const { incarnation } = yield* home.record("a");
      yield* arm;
      const { alreadyGone, generation, killed } = yield* pass(
        home.sessions.delete("a", { incarnation }),
      );
      expect([generation, alreadyGone, killed]).toEqual([1, true, []]);
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
      expect(yield* home.inTmux).toEqual(["a"]);
    }),
  );

  it.scoped("has its whole start window, although the old one is deleted meanwhile", () =>
    Effect.gen(function* () {
      const { home } = yield* replaced;
      const { incarnation } = yield* home.record("a");
      const create = home.sessions.create({ ...spec, startWindowMs: 10_000 });
      const making = yield* Effect.fork(create);
      yield* TestClock.adjust("5 seconds");
      const deleting = yield* Effect.fork(home.sessions.delete("a", { incarnation }));
      yield* TestClock.adjust("4 seconds");
      expect([yield* runs(making), yield* runs(deleting)]).toEqual([true, true]);
      yield* TestClock.adjust("2 seconds");
      expect([yield* runs(making), yield* runs(deleting)]).toEqual([false, false]);
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
    }),
  );
});

describe("a delete of an incarnation", () => {
  it.scoped("that has its name deletes it", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { incarnation } = yield* home.record("a");
      yield* pass(home.sessions.delete("a", { incarnation }));
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted"], []]);
    }),
  );
});
