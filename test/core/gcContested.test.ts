/**
 * A gc beside whatever else is done to a name: a create at the same moment, a list of tmux that
 * comes late, and a program that stands still in the middle of it.
 */
import { describe, expect, it } from "@effect/vitest";
import type { OutputFiles, Registry } from "@troupe/core";
import { type FakeMachineOptions, Fault } from "@troupe/testing";
import type { TmuxRequest, TmuxTransport } from "@troupe/tmux";
import { Deferred, Effect, Fiber, TestClock } from "effect";
import { create, gc, whats, withEnded } from "./EndedHome.js";
import { pass, sleep } from "./FakeHome.js";

describe("a create of the same name", () => {
  it.scoped("behind the plan of a gc survives it, with its row, and so does its claim", () =>
    Effect.gen(function* () {
      let between: Effect.Effect<unknown, unknown> | null = null;
      const registry = (store: Registry["Type"]): Registry["Type"] => ({
        ...store,
        // What is read here is old when it is judged.
        history: (session) =>
          Effect.tap(store.history(session), () => {
            const act = session === null ? between : null;
            if (act !== null) between = null;
            return Effect.orDie(act ?? Effect.void);
          }),
      });
      const home = yield* withEnded(["a"], { registry });
      const other = yield* home.program("other");
      between = other.create({ session: "a", ...sleep });
      const report = yield* gc(home, { olderThanMs: 0 });
      expect(between).toBeNull();
      expect(whats(report.forgotten)).toEqual(["session a, generation 1"]);
      expect(yield* home.rows).toEqual(["runs/1 running", "a/2 running"]);
      expect([...(yield* home.inTmux)].sort()).toEqual(["a", "runs"]);
    }),
  );

  it.scoped("while a gc removes files waits for it, and is made then", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>();
      const go = yield* Deferred.make<void>();
      const output = (files: OutputFiles["Type"]): OutputFiles["Type"] => ({
        ...files,
        remove: (incarnation) =>
          Deferred.succeed(reached, undefined).pipe(
            Effect.zipRight(Deferred.await(go)),
            Effect.zipRight(files.remove(incarnation)),
          ),
      });
      const home = yield* withEnded(["a"], { output });
      const other = yield* home.program("other");
      const collecting = yield* Effect.fork(home.sessions.gc({ olderThanMs: 0 }));
      yield* Deferred.await(reached);
      const creating = yield* Effect.fork(other.create({ session: "a", ...sleep }));
      yield* TestClock.adjust("1 second");
      expect(yield* home.inTmux).toEqual(["runs"]);
      yield* Deferred.succeed(go, undefined);
      yield* TestClock.adjust("1 minute");
      expect(whats((yield* Fiber.join(collecting)).forgotten)).toContain("session a, generation 1");
      expect((yield* Fiber.join(creating)).state).toBe("running");
      expect(yield* home.rows).toEqual(["runs/1 running", expect.stringMatching(/^a\/. running$/)]);
    }),
  );
});

describe("a create whose list is done late, when everything else of it is forgotten,", () => {
  const late = Effect.fnUntraced(function* (options: FakeMachineOptions) {
    const home = yield* withEnded([], options);
    const matches = ({ attempted, stdin }: TmuxRequest) =>
      attempted === "create" && String(stdin).includes("new-session");
    yield* home.tmux.inject({ fault: Fault.lateEffect, matches });
    expect(yield* Effect.flip(create(home, "a"))).toMatchObject({ _tag: "LookupFailed" });
    const report = yield* gc(home, { olderThanMs: 0 });
    expect(whats(report.forgotten)).toContain("session a, generation 1");
    yield* home.tmux.release;
    yield* TestClock.adjust("1 minute");
    return { isKnown: home.store.claims.size === 2, inTmux: yield* home.inTmux };
  });

  it.scoped("makes nothing, because the fence stays as long as it may come", () =>
    Effect.gen(function* () {
      expect(yield* late({})).toEqual({ isKnown: true, inTmux: ["runs"] });
    }),
  );

  it.scoped("makes a session of no name where the fence is taken away", () =>
    Effect.gen(function* () {
      const transport = (real: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
        ...real,
        run: (request) =>
          request.attempted === "look at the fence"
            ? Effect.zipRight(
                real.run({ ...request, argv: ["set-option", "-su", "@troupe-fence-a"] }),
                real.run(request),
              )
            : real.run(request),
      });
      expect(yield* late({ transport })).toEqual({ isKnown: false, inTmux: ["a", "runs"] });
    }),
  );
});

describe("a gc that is cut off", () => {
  /** One whose program stands still before a call of it and is taken for dead; how it ended. */
  const cutOffAt = Effect.fnUntraced(function* (last: number) {
    let calls = Number.NEGATIVE_INFINITY;
    const go = yield* Deferred.make<void>();
    const stop = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.suspend(() => (++calls === last ? Effect.zipRight(Deferred.await(go), call) : call));
    const registry = (store: Registry["Type"]): Registry["Type"] => ({
      ...store,
      claim: (...args) => stop(store.claim(...args)),
      forget: (...args) => stop(store.forget(...args)),
      forgetName: (held) => stop(store.forgetName(held)),
      release: (...args) => stop(store.release(...args)),
    });
    const output = (files: OutputFiles["Type"]): OutputFiles["Type"] => ({
      ...files,
      remove: (incarnation) => stop(files.remove(incarnation)),
    });
    const home = yield* withEnded(["a"], { registry, output });
    calls = 0;
    const collecting = yield* Effect.fork(home.sessions.gc({ olderThanMs: 0 }));
    yield* TestClock.adjust("1 minute");
    const reached = calls;
    calls = Number.NEGATIVE_INFINITY;
    if (reached < last) return false;
    yield* home.store.declare("program", "dead");
    const other = yield* home.program("other");
    const report = yield* pass(other.gc({ olderThanMs: 0 }));
    expect([report.failed, yield* home.rows]).toEqual([[], ["runs/1 running"]]);
    expect(home.snapshots.kept.size).toBe(0);
    yield* pass(other.create({ session: "a", ...sleep }));
    yield* Deferred.succeed(go, undefined);
    yield* TestClock.adjust("1 minute");
    yield* Fiber.join(collecting);
    expect(yield* home.rows).toEqual(["runs/1 running", expect.stringMatching(/^a\/. running$/)]);
    expect([...(yield* home.inTmux)].sort()).toEqual(["a", "runs"]);
    return true;
  });

  it.scoped("before any call is finished by another program, and harms nothing when it wakes", () =>
    Effect.gen(function* () {
      let last = 1;
      while (yield* Effect.scoped(cutOffAt(last))) last++;
      // Two claims with their releases, the files, the row, and the name.
      expect(last - 1).toBe(7);
    }),
  );
});
