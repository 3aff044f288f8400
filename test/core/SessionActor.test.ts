/**
 * SessionActor: mutual exclusion: one message of a name at a time, from look to last row, and no
 * name that waits for another.
 *
 * Method: a message is held at a gate between tmux and the program, others are sent meanwhile, and
 * the order in which tmux was asked is compared. No time passes while something is held.
 */
import { describe, expect, it } from "@effect/vitest";
import type { TmuxRequest } from "@troupe/tmux";
import { Cause, Effect, Exit, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const creation = (request: TmuxRequest): boolean => String(request.stdin).includes("new-session");
const creationOf = (session: string) => (request: TmuxRequest) =>
  creation(request) && request.session === session;
const kill = (request: TmuxRequest): boolean => request.attempted === "kill";
const deleteLook = (request: TmuxRequest): boolean => request.attempted === "delete";

const create = (home: FakeHome, options: object = {}) =>
  home.sessions.create({ session: "a", ...sleep, ...options });

/** Lets every fiber that can go on do so, while no time passes. */
const settle = Effect.repeatN(Effect.yieldNow(), 200);

/** Lets go of everything that waits for time. */
const later = TestClock.adjust("1 minute");

/** What tmux was asked to change, in order. */
const changes = (home: FakeHome) =>
  Effect.map(home.tmux.requests, (requests) =>
    requests.flatMap((request) => {
      if (creation(request)) return ["new-session"];
      return kill(request) ? ["kill"] : [];
    }),
  );

const expectNoClaim = (home: FakeHome): void =>
  expect([...home.store.claims.values()].filter(({ owner }) => owner !== null)).toEqual([]);

/** The name is nobody's: no claim, and an actor that answers at once. */
const expectFree = Effect.fnUntraced(function* (home: FakeHome) {
  expectNoClaim(home);
  expect((yield* home.sessions.reconcile("a")).changed).toBe(false);
});

describe("a create that is sent during a delete", () => {
  for (const [where, matches, before] of [
    ["its look", deleteLook, ["new-session"]],
    ["its kill", kill, ["new-session", "kill"]],
  ] as const) {
    it.scoped(`runs after it, also when that is held in ${where}`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* pass(create(home));
        const gate = yield* home.tmux.hold({ where: "before", matches });
        const deleting = yield* Effect.fork(home.sessions.delete("a"));
        yield* gate.reached;
        const creating = yield* Effect.fork(create(home));
        yield* settle;
        expect(yield* changes(home)).toEqual(before);
        yield* gate.release;
        yield* Fiber.join(deleting);
        yield* later;
        expect(yield* Fiber.join(creating)).toMatchObject({ generation: 2, state: "running" });
        expect(yield* changes(home)).toEqual(["new-session", "kill", "new-session"]);
        expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
        expect(yield* home.inTmux).toEqual(["a"]);
        yield* expectFree(home);
      }),
    );
  }
});

describe("a delete that is sent during a create", () => {
  for (const program of ["the same", "another"] as const) {
    it.scoped(`by ${program} program waits for the row, and ends what tmux has by then`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        const other = program === "another" ? yield* home.program("other") : home.sessions;
        const gate = yield* home.tmux.hold({ where: "after", matches: creation });
        const creating = yield* Effect.fork(create(home));
        yield* gate.reached;
        expect(yield* home.inTmux).toEqual(["a"]);
        const deleting = yield* Effect.fork(other.delete("a"));
        yield* settle;
        expect(yield* changes(home)).toEqual(["new-session"]);
        yield* gate.release;
        yield* later;
        expect(yield* Fiber.join(creating)).toMatchObject({ state: "running" });
        expect(yield* Fiber.join(deleting)).toMatchObject({ generation: 1, alreadyGone: false });
        expect(yield* changes(home)).toEqual(["new-session", "kill"]);
        expect([yield* home.inTmux, yield* home.rows]).toEqual([[], ["a/1 deleted"]]);
        yield* expectFree(home);
      }),
    );
  }

  it.scoped("does not wait for the start window: that ends, and both are done in no time", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const creating = yield* Effect.fork(create(home, { startWindowMs: 60_000 }));
      yield* settle;
      expect([yield* home.inTmux, creating.unsafePoll()]).toEqual([["a"], null]);
      const deleted = yield* home.sessions.delete("a");
      expect(deleted).toMatchObject({ generation: 1, alreadyGone: false });
      expect(yield* Fiber.join(creating)).toMatchObject({ generation: 1, state: "running" });
      expect([yield* home.inTmux, yield* home.rows]).toEqual([[], ["a/1 deleted"]]);
      yield* expectFree(home);
    }),
  );

  it.scoped("does not hide that the program ended badly before it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const command = ["sh", "-c", "exit 3"];
      const creating = yield* Effect.fork(
        Effect.flip(create(home, { command, startWindowMs: 60_000 })),
      );
      yield* settle;
      expect((yield* home.sessions.delete("a")).alreadyGone).toBe(true);
      expect(yield* Fiber.join(creating)).toMatchObject({ _tag: "StartFailed", code: 3 });
      expect(yield* home.rows).toEqual(["a/1 failed"]);
    }),
  );

  it.scoped("before the start window ends it when it begins, which a reconcile does not", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const gate = yield* home.tmux.hold({ where: "before", matches: creation });
      const creating = yield* Effect.fork(create(home, { startWindowMs: 60_000 }));
      yield* gate.reached;
      const reconciling = yield* Effect.fork(home.sessions.reconcile("a"));
      yield* settle;
      yield* gate.release;
      yield* settle;
      expect([creating.unsafePoll(), reconciling.unsafePoll()]).toEqual([null, null]);
      yield* home.sessions.delete("a");
      expect((yield* Fiber.join(creating)).state).toBe("running");
      expect((yield* Fiber.join(reconciling)).changed).toBe(false);
    }),
  );
});

describe("two deletes at once", () => {
  for (const [what, options, alone] of [
    ["the same kind are one, answered twice", {}, false],
    ["different kinds run in turn, and the second finds it gone", { graceMs: 1 }, true],
  ] as const) {
    it.scoped(`of ${what}`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* pass(create(home));
        const gate = yield* home.tmux.hold({ where: "before", matches: kill });
        const first = yield* Effect.fork(home.sessions.delete("a"));
        yield* gate.reached;
        const second = yield* Effect.fork(home.sessions.delete("a", options));
        yield* settle;
        yield* gate.release;
        yield* later;
        expect((yield* Fiber.join(first)).alreadyGone).toBe(false);
        expect((yield* Fiber.join(second)).alreadyGone).toBe(alone);
        expect(yield* changes(home)).toEqual(["new-session", "kill"]);
        yield* expectFree(home);
      }),
    );
  }

  it.scoped("of two programs kill once", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const other = yield* home.program("other");
      yield* pass(create(home));
      const gate = yield* home.tmux.hold({ where: "before", matches: kill });
      const first = yield* Effect.fork(home.sessions.delete("a"));
      yield* gate.reached;
      const second = yield* Effect.fork(other.delete("a"));
      yield* settle;
      yield* gate.release;
      yield* later;
      const results = [yield* Fiber.join(first), yield* Fiber.join(second)];
      expect(results.map((result) => result.alreadyGone)).toEqual([false, true]);
      expect(yield* changes(home)).toEqual(["new-session", "kill"]);
    }),
  );
});

describe("names", () => {
  it.scoped("meet: two creates stand in tmux at the same moment", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const names = ["a", "b"];
      const gates = yield* Effect.forEach(names, (session) =>
        home.tmux.hold({ where: "before", matches: creationOf(session) }),
      );
      const creating = yield* Effect.forEach(names, (session) =>
        Effect.fork(create(home, { session })),
      );
      for (const gate of gates) yield* gate.reached;
      for (const gate of gates) yield* gate.release;
      yield* later;
      expect((yield* Fiber.joinAll(creating)).map((view) => view.session)).toEqual(names);
    }),
  );

  it.scoped("of which one is held keep nobody from reading it, nor from changing another", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(create(home));
      yield* pass(create(home, { session: "b" }));
      const gate = yield* home.tmux.hold({ where: "before", matches: kill });
      const deleting = yield* Effect.fork(home.sessions.delete("a"));
      yield* gate.reached;
      expect(yield* home.sessions.get("a")).toMatchObject({ state: "deleting" });
      expect((yield* home.sessions.list()).sessions.map((s) => s.session)).toEqual(["a", "b"]);
      expect((yield* home.sessions.capture("a")).text).toBe("");
      yield* home.sessions.delete("b");
      expect(deleting.unsafePoll()).toBe(null);
      yield* gate.release;
      yield* Fiber.join(deleting);
    }),
  );
});

describe("a message that dies or is interrupted", () => {
  it.scoped("leaves neither claim nor actor, and the next one of its name is served", () =>
    Effect.gen(function* () {
      let broken = true;
      const home = yield* fakeHome({
        registry: (registry) => ({
          ...registry,
          commit: (...args) =>
            broken ? Effect.die("a bug of the test") : registry.commit(...args),
        }),
      });
      const died = yield* Effect.exit(create(home));
      expect(Exit.isFailure(died) && Cause.isDie(died.cause)).toBe(true);
      expectNoClaim(home);
      broken = false;
      const waiting = yield* Effect.fork(create(home, { startWindowMs: 60_000 }));
      yield* settle;
      yield* Fiber.interrupt(waiting);
      expectNoClaim(home);
      yield* pass(create(home));
      expect(yield* home.inTmux).toEqual(["a"]);
      yield* expectFree(home);
    }),
  );
});
