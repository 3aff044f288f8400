/**
 * Unfinished: what a program that starts finishes of programs that died, and what it leaves alone.
 */
import { describe, expect, it } from "@effect/vitest";
import { Registry, reconcileUnfinished, type SessionName, type Sessions } from "@troupe/core";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Either, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const creation = (request: TmuxRequest) => String(request.stdin).includes("new-session");
const kill = (request: TmuxRequest) => String(request.stdin).includes("kill-session");

/** A program that starts on the home now: what it finished. */
const start = (home: FakeHome, owner: string) =>
  Effect.gen(function* () {
    const sessions = yield* home.program(owner);
    const items = yield* reconcileUnfinished(sessions);
    return items.map(({ outcome, session }) =>
      Either.isLeft(outcome)
        ? `${session} ${outcome.left._tag}`
        : `${session} ${outcome.right.after}${outcome.right.changed ? "" : " already"}`,
    );
  }).pipe(Effect.provide(Registry.layerMemory(home.store, { owner: `${owner} looks` })));

/** What another program does, cut off by its death at the list that matches. */
const cutOff = (
  home: FakeHome,
  owner: string,
  matches: (request: TmuxRequest) => boolean,
  call: (sessions: Sessions["Type"]) => Effect.Effect<unknown, unknown>,
) =>
  Effect.gen(function* () {
    const sessions = yield* home.program(owner);
    const gate = yield* home.tmux.hold({ where: "before", matches });
    yield* Effect.fork(call(sessions));
    yield* gate.reached;
    return { die: home.store.declare(owner, "dead") };
  });

const requests = (home: FakeHome) => Effect.map(home.tmux.requests, ({ length }) => length);

describe("a program that starts", () => {
  it.scoped("finishes a create and a delete whose programs died", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      for (const session of ["b", "c"]) yield* pass(home.sessions.create({ session, ...sleep }));
      const died = yield* cutOff(home, "one", creation, (s) =>
        s.create({ session: "a", ...sleep }),
      );
      yield* died.die;
      yield* (yield* cutOff(home, "two", kill, (s) => s.delete("b"))).die;
      expect(yield* pass(start(home, "next"))).toEqual(["a failed", "b deleted"]);
      expect(yield* home.inTmux).toEqual(["c"]);
      expect(yield* home.rows).toEqual(["b/1 deleted", "c/1 running", "a/1 failed"]);
      expect([...home.store.claims.values()].map(({ owner }) => owner)).toEqual([null, null, null]);
    }),
  );

  it.scoped(
    "takes the claim of a dead program off a session that runs, with its fence raised",
    () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* pass(home.sessions.create({ session: "a", ...sleep }));
        const claim = { owner: "gone", epoch: 7, fenceDue: false, generation: 1 };
        home.store.claims.set("a" as SessionName, claim);
        yield* home.store.declare("gone", "dead");
        expect(yield* pass(start(home, "next"))).toEqual(["a running already"]);
        expect([...home.store.claims.values()][0]).toMatchObject({ owner: null, epoch: 8 });
        const fence = yield* home.tmux.client(["show-options", "-sv", "@troupe-fence-a"]);
        expect(fence.stdout).toBe("8\n");
      }),
  );

  it.scoped("bars what a program that gave up asked of tmux, once", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const claim = { owner: null, epoch: 7, fenceDue: true, generation: 1 };
      home.store.claims.set("a" as SessionName, claim);
      expect(yield* pass(start(home, "next"))).toEqual(["a running already"]);
      expect([...home.store.claims.values()][0]).toMatchObject({ epoch: 8, fenceDue: false });
      const fence = yield* home.tmux.client(["show-options", "-sv", "@troupe-fence-a"]);
      expect(fence.stdout).toBe("8\n");
      expect(yield* start(home, "another")).toEqual([]);
    }),
  );

  it.scoped("leaves alone what a living program, or one that may live, is in the middle of", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* cutOff(home, "one", creation, (s) => s.create({ session: "a", ...sleep }));
      yield* cutOff(home, "two", creation, (s) => s.create({ session: "b", ...sleep }));
      yield* home.store.declare("two", "unknown");
      const before = yield* requests(home);
      expect(yield* start(home, "next")).toEqual([]);
      expect([yield* home.rows, yield* requests(home)]).toEqual([
        ["a/1 creating", "b/1 creating"],
        before,
      ]);
      // They go on, and are undone by their own programs.
      yield* TestClock.adjust("1 minute");
      expect(yield* home.rows).toEqual(["a/1 failed", "b/1 failed"]);
    }),
  );

  it.scoped("asks tmux nothing, and writes nothing, where nothing was left", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      expect(yield* start(home, "first")).toEqual([]);
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* home.tmux.crash;
      const before = [yield* requests(home), home.store.events.length];
      expect(yield* start(home, "next")).toEqual([]);
      expect([yield* requests(home), home.store.events.length]).toEqual(before);
    }),
  );

  it.scoped("goes on past what it cannot look up, and leaves that as it was", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* (yield* cutOff(home, "one", creation, (s) => s.create({ session: "a", ...sleep })))
        .die;
      yield* home.tmux.stop;
      expect(yield* pass(start(home, "next"))).toEqual(["a LookupFailed"]);
      yield* home.tmux.release;
      expect(yield* pass(start(home, "another"))).toEqual(["a failed"]);
    }),
  );

  it.scoped("does it once, of two that start at once", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* (yield* cutOff(home, "one", kill, (s) => s.delete("a"))).die;
      const gate = yield* home.tmux.hold({ where: "before", matches: kill });
      const first = yield* Effect.fork(start(home, "first"));
      yield* gate.reached;
      expect(yield* start(home, "second")).toEqual([]);
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      expect(yield* Fiber.join(first)).toEqual(["a deleted"]);
      const ends = home.store.events.filter(
        ({ body }) => body.type === "session" && body.state === "deleted",
      );
      expect(ends).toHaveLength(1);
    }),
  );
});
