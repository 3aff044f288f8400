/**
 * ExitStatus: a pane that is dead and does not say how is looked at again, and never for ever.
 */
import { describe, expect, it } from "@effect/vitest";
import type { SessionView } from "@troupe/core";
import { Fault } from "@troupe/testing";
import { Effect, Fiber, TestClock } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const withSession = Effect.gen(function* () {
  const home = yield* fakeHome();
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  return home;
});

/** A server that never learns how a program ended, whatever signal it gets. */
const forgetful = Fault.rewrite((reply) => ({
  ...reply,
  stdout: reply.stdout.replace(/ d=1 c=[0-9]* s=[0-9]*$/gm, " d=1 c= s="),
}));

describe("a program whose end the server has not reaped", () => {
  it.scoped("is recorded by a reconcile with its code, which the server is asked to learn", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.exitProgram("a", 7, { unreaped: true });
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ after: "exited" });
      const { terminals } = yield* home.record("a");
      expect(terminals).toMatchObject([{ state: "exited", exit: { code: 7, signal: null } }]);
    }),
  );

  it.scoped("is exited all the same when the bound has passed, and its code follows later", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.inject({ fault: forgetful, times: 9_999 });
      yield* home.tmux.exitProgram("a", 7);
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ after: "exited" });
      expect((yield* home.record("a")).terminals).toMatchObject([{ exit: { code: null } }]);
      yield* home.tmux.clearFaults;
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ changed: true });
      expect((yield* home.record("a")).terminals).toMatchObject([{ exit: { code: 7 } }]);
    }),
  );

  it.scoped("and is recorded as that is looked at once: no reconcile waits for it again", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.inject({ fault: forgetful, times: 9_999 });
      yield* home.tmux.exitProgram("a", 7);
      yield* pass(home.sessions.reconcile("a"));
      const before = (yield* home.tmux.requests).length;
      const fiber = yield* Effect.fork(home.sessions.reconcile("a"));
      yield* TestClock.adjust(0);
      expect(yield* Fiber.join(fiber)).toMatchObject({ changed: false });
      expect((yield* home.tmux.requests).length - before).toBe(1);
    }),
  );

  it.scoped(
    "is told by whoever reads, since nobody else may ever look: the server is asked once",
    () =>
      Effect.gen(function* () {
        const home = yield* withSession;
        yield* pass(home.sessions.create({ session: "b", ...sleep }));
        const exitIn = (views: ReadonlyArray<SessionView>) =>
          views.find(({ session }) => session === "a")?.seen.terminals[0]?.exit;
        const listed = (early: boolean) =>
          Effect.map(home.sessions.list({ early }), ({ sessions }) => exitIn(sessions));
        for (const read of [
          Effect.map(home.sessions.get("a"), (view) => exitIn([view])),
          listed(false),
          listed(true),
        ]) {
          yield* home.tmux.exitProgram("a", 7, { unreaped: true });
          const before = (yield* home.tmux.requests).length;
          expect(yield* read).toEqual({ code: 7, signal: null });
          expect((yield* home.tmux.requests).length - before).toBe(2);
          yield* pass(home.sessions.delete("a"));
          yield* pass(home.sessions.create({ session: "a", ...sleep }));
        }
        yield* home.tmux.inject({ fault: forgetful, times: 9_999 });
        yield* home.tmux.exitProgram("a", 7);
        const { terminals } = (yield* home.sessions.get("a")).seen;
        expect(terminals).toMatchObject([{ exit: { code: null, signal: null } }]);
      }),
  );

  it.scoped("in a window that a user made is nothing to wait for", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.client(["new-window", "-d", "-t", "=a:", "--", "sleep", "9"]);
      const listed = yield* home.tmux.client(["list-panes", "-s", "-t", "=a", "-F", "#{pane_id}"]);
      const [, theirs = ""] = listed.stdout.split("\n");
      yield* home.tmux.exitProgram(theirs, 3, { unreaped: true });
      expect(yield* home.sessions.reconcile("a")).toMatchObject({ changed: false });
      const before = (yield* home.tmux.requests).length;
      yield* home.sessions.get("a");
      yield* home.sessions.list();
      expect((yield* home.tmux.requests).length - before).toBe(2);
    }),
  );
});
