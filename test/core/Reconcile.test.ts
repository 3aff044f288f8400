/**
 * Reconcile: every row of the design's table, on the fake, from a durable state that a crash left.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const create = (home: FakeHome, session = "a") => pass(home.sessions.create({ session, ...sleep }));

/** Another program that begins a call and is gone at the gate, leaving its claim. */
const crashAt = Effect.fnUntraced(function* (
  home: FakeHome,
  matches: (request: TmuxRequest) => boolean,
  call: "create" | "delete",
  where: "before" | "after",
) {
  const other = yield* home.program("crashed");
  const gate = yield* home.tmux.hold({ where, matches });
  const work: Effect.Effect<unknown, unknown> =
    call === "create"
      ? other.create({ session: "a", ...sleep })
      : other.delete("a", { graceMs: 0 });
  const fiber = yield* Effect.forkScoped(Effect.exit(work));
  yield* gate.reached;
  yield* home.store.declare("crashed", "dead");
  return { fiber, gate };
});

const creation = (request: TmuxRequest) => String(request.stdin).includes("new-session");
const kill = (request: TmuxRequest) => request.attempted === "kill";

describe("reconcile of a name that is", () => {
  it.scoped("creating and present undoes it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* crashAt(home, creation, "create", "after");
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 creating"], ["a"]]);
      const result = yield* pass(home.sessions.reconcile("a"));
      expect(result).toMatchObject({ before: "creating", after: "failed", changed: true });
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 failed"], []]);
    }),
  );

  it.scoped(
    "creating and absent says failed, and the creation does nothing when it comes late",
    () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        const { gate } = yield* crashAt(home, creation, "create", "before");
        const result = yield* pass(home.sessions.reconcile("a"));
        expect(result).toMatchObject({ before: "creating", after: "failed" });
        yield* gate.release;
        yield* TestClock.adjust("1 second");
        expect(yield* home.inTmux).toEqual([]);
      }),
  );

  it.scoped("deleting finishes the delete, whether the kill happened or not", () =>
    Effect.gen(function* () {
      for (const where of ["before", "after"] as const) {
        const home = yield* fakeHome();
        yield* create(home);
        yield* crashAt(home, kill, "delete", where);
        expect(yield* home.rows).toEqual(["a/1 deleting"]);
        const result = yield* pass(home.sessions.reconcile("a"));
        expect(result).toMatchObject({ before: "deleting", after: "deleted" });
        expect(yield* home.inTmux).toEqual([]);
      }
    }),
  );

  it.scoped("running and present changes nothing", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      const before = yield* home.record("a");
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ changed: false });
      expect((yield* home.record("a")).updatedAt).toBe(before.updatedAt);
    }),
  );

  it.scoped("running and whose program ended says exited, with its code", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      yield* home.tmux.exitProgram("a", 7);
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ after: "exited" });
      const record = yield* home.record("a");
      expect(record.terminals).toMatchObject([{ state: "exited", exit: { code: 7 } }]);
    }),
  );

  it.scoped("running and vanished is lost, comes back when it is seen, and can be deleted", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      const result = yield* pass(home.sessions.reconcile("a"));
      expect(result).toMatchObject({ after: "lost", why: "vanished" });
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ changed: false });
      yield* pass(home.sessions.delete("a"));
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );

  it.scoped("running in a server that died is lost because of that", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      yield* home.tmux.crash;
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({
        after: "lost",
        why: "server gone",
      });
    }),
  );

  it.scoped("running in a server that lives out of reach is unknown, and nothing changes", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      yield* home.tmux.unlinkSocket;
      yield* home.tmux.client(["new-session", "-d", "-s", "x", "--", "sleep", "1000"]);
      const error = yield* Effect.flip(pass(home.sessions.reconcile("a")));
      expect(error).toMatchObject({ _tag: "LookupFailed", reason: "split-server" });
      expect(yield* home.rows).toEqual(["a/1 running"]);
    }),
  );

  it.scoped("running and replaced by a stranger is lost, and the stranger is not touched", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ why: "replaced" });
      expect(yield* home.inTmux).toEqual(["a"]);
    }),
  );

  it.scoped("held by a living program is left alone, and that is told", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const { gate } = yield* crashAt(home, creation, "create", "after");
      yield* home.store.declare("crashed", "alive");
      const result = yield* home.sessions.reconcile("a");
      expect(result).toMatchObject({ before: "creating", changed: false });
      expect(result.why).toContain("crashed");
      yield* gate.release;
    }),
  );

  it.scoped("ended, and whose session appears in tmux after all, kills that", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      const [seen] = (yield* home.tmux.client(["show-options", "-t", "=a:"])).stdout.split("\n");
      expect(seen).toContain("@troupe");
      const { incarnation } = yield* home.record("a");
      yield* pass(home.sessions.delete("a"));
      const option = (name: string, value: string) =>
        home.tmux.client(["set-option", "-t", "=ghost:", name, value]);
      yield* home.tmux.client(["new-session", "-d", "-s", "ghost", "--", "sleep", "1000"]);
      yield* option("@troupe-inc", incarnation);
      yield* option("@troupe-home", "home1");
      yield* option("@troupe-gen", "1");
      const report = yield* pass(home.sessions.reconcileAll);
      expect(report).toMatchObject([{ session: "a", outcome: { _tag: "Right" } }]);
      expect([yield* home.inTmux, yield* home.rows]).toEqual([[], ["a/1 deleted"]]);
    }),
  );
});

describe("reconcile of a name that no row knows", () => {
  it.scoped(
    "adopts a session with the mark of this home, above its fence, and it can be deleted",
    () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* create(home);
        yield* pass(home.sessions.delete("a", { force: true }));
        yield* create(home);
        yield* home.tmux.client(["set-option", "-s", "@troupe-fence-a", "41"]);
        const before = yield* home.record("a");
        for (const table of [home.store.records, home.store.claims]) table.clear();
        expect(yield* home.rows).toEqual([]);
        const [item] = yield* pass(home.sessions.reconcileAll);
        expect(item?.outcome).toMatchObject({ right: { after: "running", changed: true } });
        const after = yield* home.record("a");
        expect(after).toMatchObject({
          incarnation: before.incarnation,
          spec: before.spec,
          state: "running",
          terminals: before.terminals,
        });
        yield* pass(home.sessions.delete("a"));
        expect([yield* home.inTmux, yield* home.rows]).toEqual([[], ["a/1 deleted"]]);
      }),
  );

  it.scoped("is NotFound when tmux has no such session of this home", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "other");
      yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
      expect((yield* Effect.flip(home.sessions.reconcile("a")))._tag).toBe("NotFound");
      expect((yield* home.rows).length).toBe(1);
    }),
  );
});

describe("a reconcile that is itself cut off", () => {
  it.scoped("is finished by the next one", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* crashAt(home, creation, "create", "after");
      const second = yield* home.program("second");
      const gate = yield* home.tmux.hold({ where: "after", matches: kill });
      yield* Effect.forkScoped(Effect.exit(second.reconcile("a")));
      yield* gate.reached;
      yield* home.store.declare("second", "dead");
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ after: "failed" });
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 failed"], []]);
    }),
  );
});

describe("reconcile of every name", () => {
  it.scoped("costs one listing when there is nothing to do", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "a");
      yield* create(home, "b");
      const before = (yield* home.tmux.requests).length;
      const report = yield* home.sessions.reconcileAll;
      expect(report.map((item) => item.session)).toEqual(["a", "b"]);
      expect((yield* home.tmux.requests).length - before).toBe(1);
    }),
  );

  it.scoped("ends what an older generation left, beside one that is there, and says so", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      const { incarnation } = yield* home.record("a");
      yield* pass(home.sessions.delete("a"));
      yield* create(home);
      yield* home.tmux.client(["new-session", "-d", "-s", "ghost", "--", "sleep", "1000"]);
      for (const [name, value] of [
        ["@troupe-inc", incarnation],
        ["@troupe-home", "home1"],
        ["@troupe-gen", "1"],
      ] as const) {
        yield* home.tmux.client(["set-option", "-t", "=ghost:", name, value]);
      }
      const [item] = yield* pass(home.sessions.reconcileAll);
      expect(item?.outcome).toMatchObject({ right: { after: "running", changed: true } });
      expect([yield* home.inTmux, yield* home.rows]).toEqual([
        ["a"],
        ["a/1 deleted", "a/2 running"],
      ]);
    }),
  );

  it.scoped("goes on past one that fails", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "a");
      yield* create(home, "b");
      yield* home.tmux.exitProgram("a", 0);
      yield* home.tmux.exitProgram("b", 0);
      const look = (request: TmuxRequest) => request.attempted === "reconcile";
      yield* home.tmux.inject({ fault: Fault.silent, matches: look, skip: 1 });
      const report = yield* pass(home.sessions.reconcileAll);
      expect(report.map((item) => [item.session, item.outcome._tag])).toEqual([
        ["a", "Left"],
        ["b", "Right"],
      ]);
      expect(yield* home.rows).toEqual(["a/1 running", "b/1 exited"]);
    }),
  );

  it.scoped("fails whole, and changes nothing, when tmux cannot be asked", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      yield* home.tmux.stop;
      const fiber = yield* Effect.fork(Effect.flip(home.sessions.reconcileAll));
      yield* TestClock.adjust("1 minute");
      expect((yield* Fiber.join(fiber))._tag).toBe("LookupFailed");
      expect(yield* home.rows).toEqual(["a/1 running"]);
    }),
  );
});
