/**
 * restoreUndone: a restore that fails or is cut off does not lose the session.
 *
 * Goal: whatever becomes of it, the name is still held, and the session is listed and can be
 * restored again or deleted for good. Method: programs that end at once, writes that fail,
 * processes that stay, and programs that die at a gate; then the rows, tmux and the next verb.
 */
import { describe, expect, it } from "@effect/vitest";
import { RESTORING, RegistryUnavailable } from "@troupe/core";
import { Effect, Fiber, TestClock } from "effect";
import { fakeHome, pass } from "./FakeHome.js";
import { create, creation, exited, kill, lost } from "./RestoreHomes.js";

/** A restore of a lost session, in a program that died when tmux had made it. */
const cutOff = Effect.fnUntraced(function* () {
  const home = yield* lost();
  const other = yield* home.program("crashed");
  const gate = yield* home.tmux.hold({ where: "after", matches: creation });
  yield* Effect.forkScoped(Effect.exit(other.restore("a")));
  yield* gate.reached;
  yield* home.store.declare("crashed", "dead");
  const row = yield* home.record("a");
  expect([row.state, row.cause, yield* home.inTmux]).toEqual(["creating", RESTORING, ["a"]]);
  return home;
});

describe("a restore that does not end well", () => {
  it.scoped("because its program ends at once leaves it lost, and can be asked for again", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const command = ["sh", "-c", "sleep 1; exit 4"];
      yield* create(home, { command });
      yield* home.tmux.exitProgram("a", 4);
      const startWindowMs = 5_000;
      const error = yield* Effect.flip(pass(home.sessions.restore("a", { startWindowMs })));
      expect(error).toMatchObject({ _tag: "StartFailed", code: 4 });
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted", "a/2 lost"], []]);
      const { cause } = yield* home.record("a");
      expect(cause).toMatch(/^restore failed: StartFailed: /);
      const [listed] = (yield* home.sessions.list()).sessions;
      expect(listed).toMatchObject({ session: "a", state: "lost", cause });
      expect(home.store.events.at(-1)?.body).toEqual({ type: "session", state: "lost", cause });
      expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 3 });
    }),
  );

  it.scoped("stays creating while what it made cannot be shown to be gone, and is lost then", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const command = ["sh", "-c", "sleep 1; exit 4"];
      yield* create(home, { command });
      yield* home.tmux.exitProgram("a", 0);
      const restoring = yield* Effect.fork(home.sessions.restore("a", { startWindowMs: 5_000 }));
      yield* TestClock.adjust("500 millis");
      const { incarnation } = yield* home.record("a");
      const environment = { TROUPE_INCARNATION: incarnation };
      const stuck = yield* home.tmux.spawn({ parent: 1, program: "x", environment, stuck: true });
      const error = yield* Effect.flip(pass(Fiber.join(restoring)));
      expect(error).toMatchObject({ _tag: "ProcessesSurvived", pids: [stuck] });
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 creating"]);
      yield* home.tmux.unstick(stuck);
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 lost"]);
    }),
  );

  it.scoped("of what had failed has failed again, and holds no name", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const startWindowMs = 5_000;
      const failing = { command: ["sh", "-c", "sleep 1; exit 4"], startWindowMs };
      expect((yield* Effect.flip(create(home, failing)))._tag).toBe("StartFailed");
      const again = home.sessions.restore("a", { startWindowMs });
      expect((yield* Effect.flip(pass(again)))._tag).toBe("StartFailed");
      expect(yield* home.rows).toEqual(["a/1 failed", "a/2 failed"]);
    }),
  );

  it.scoped("at the write that ends the old and begins the new does neither", () =>
    Effect.gen(function* () {
      const unavailable = new RegistryUnavailable({ session: "a", attempted: "x", detail: "full" });
      const failing = { now: false };
      const home = yield* lost({
        registry: (registry) => ({
          ...registry,
          commit: (claim, which, changes, options) =>
            failing.now && options.ending !== undefined
              ? unavailable
              : registry.commit(claim, which, changes, options),
        }),
      });
      failing.now = true;
      expect(yield* Effect.flip(pass(home.sessions.restore("a")))).toEqual(unavailable);
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 lost"], []]);
      failing.now = false;
      expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 2 });
    }),
  );

  for (const where of ["before", "after"] as const) {
    it.scoped(`in a program that dies ${where} the kill of an exited one is not lost`, () =>
      Effect.gen(function* () {
        const home = yield* exited();
        const other = yield* home.program("crashed");
        const gate = yield* home.tmux.hold({ where, matches: kill });
        yield* Effect.forkScoped(Effect.exit(other.restore("a")));
        yield* gate.reached;
        yield* home.store.declare("crashed", "dead");
        expect(yield* home.rows).toEqual(["a/1 exited"]);
        yield* pass(home.sessions.reconcileAll);
        const left = where === "before" ? [["a/1 exited"], ["a"]] : [["a/1 lost"], []];
        expect([yield* home.rows, yield* home.inTmux]).toEqual(left);
        expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 2 });
      }),
    );
  }

  it.scoped("in a program that dies behind the creation is undone, and the session is lost", () =>
    Effect.gen(function* () {
      const home = yield* cutOff();
      const [planned] = yield* home.sessions.reconcilePlan;
      expect(planned?.outcome).toMatchObject({ right: { before: "creating", after: "lost" } });
      yield* pass(home.sessions.reconcileAll);
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted", "a/2 lost"], []]);
      expect((yield* home.record("a")).cause).toBe("its restore was cut off");
      expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 3 });
    }),
  );

  it.scoped("in a program that dies behind the creation is taken up by a restore itself", () =>
    Effect.gen(function* () {
      const home = yield* cutOff();
      expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 3 });
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 deleted", "a/3 running"]);
    }),
  );

  it.scoped("in a program that dies behind the creation is deleted for good by a delete", () =>
    Effect.gen(function* () {
      const home = yield* cutOff();
      const done = yield* pass(home.sessions.delete("a"));
      expect(done).toMatchObject({ generation: 2, alreadyGone: false });
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted", "a/2 deleted"], []]);
      expect((yield* Effect.flip(pass(home.sessions.restore("a"))))._tag).toBe("NotFound");
    }),
  );

  it.scoped("in a program that dies behind the creation holds the name against a create", () =>
    Effect.gen(function* () {
      const home = yield* cutOff();
      const refused = yield* Effect.flip(create(home));
      expect(refused).toMatchObject({ _tag: "AlreadyExists", state: "lost" });
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 lost"]);
      const replaced = yield* create(yield* cutOff(), { replace: true });
      expect(replaced).toMatchObject({ generation: 3, state: "running" });
    }),
  );

  it.scoped("is not taken up when the user deleted the session behind it", () =>
    Effect.gen(function* () {
      const home = yield* exited();
      const other = yield* home.program("crashed");
      const gate = yield* home.tmux.hold({ where: "before", matches: kill });
      yield* Effect.forkScoped(Effect.exit(other.restore("a")));
      yield* gate.reached;
      yield* home.store.declare("crashed", "dead");
      yield* pass(home.sessions.delete("a"));
      expect((yield* Effect.flip(pass(home.sessions.restore("a"))))._tag).toBe("NotFound");
    }),
  );
});
