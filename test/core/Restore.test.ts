/**
 * Restore: a session that was lost, or whose programs ended, made anew as it was; all or nothing.
 *
 * Method: the server dies, somebody else kills the session, or its program ends; then what the new
 * generation is, what lives of the old one, and what the rows and the log say, also behind a write
 * that failed and a program that died.
 */
import { describe, expect, it } from "@effect/vitest";
import { RegistryUnavailable } from "@troupe/core";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import { arranged } from "./Arranged.js";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const creation = (request: TmuxRequest): boolean => String(request.stdin).includes("new-session");
const kill = (request: TmuxRequest): boolean => request.attempted === "kill";

const create = (home: FakeHome, options: object = {}) =>
  pass(home.sessions.create({ session: "a", ...sleep, ...options }));

/** A session that was running when its server died; a program of it that ignores HUP lives on. */
const lost = Effect.fnUntraced(function* (options: Parameters<typeof fakeHome>[0] = {}) {
  const home = yield* fakeHome(options);
  yield* create(home, { cwd: "/repo", columns: 101, rows: 33 });
  yield* home.tmux.crash;
  yield* pass(home.sessions.reconcile("a"));
  expect(yield* home.rows).toEqual(["a/1 lost"]);
  return home;
});

const exited = Effect.fnUntraced(function* (options: Parameters<typeof fakeHome>[0] = {}) {
  const home = yield* fakeHome(options);
  yield* create(home);
  yield* home.tmux.exitProgram("a", 3);
  yield* pass(home.sessions.reconcile("a"));
  expect(yield* home.rows).toEqual(["a/1 exited"]);
  return home;
});

const statesTold = (home: FakeHome) =>
  home.store.events.flatMap(({ body, generation }) =>
    body.type === "session" ? [`${generation} ${body.state}`] : [],
  );

describe("a restore", () => {
  it.scoped("of a lost session makes it again as it was, as a new generation", () =>
    Effect.gen(function* () {
      const home = yield* lost();
      const before = yield* home.record("a");
      const view = yield* pass(home.sessions.restore("a"));
      expect(view).toMatchObject({ state: "running", generation: 2, seen: { state: "present" } });
      expect(view.spec).toEqual(before.spec);
      expect(view.spec).toMatchObject({ cwd: "/repo", columns: 101, rows: 33 });
      expect(view.incarnation).not.toBe(before.incarnation);
      expect([yield* home.rows, yield* home.inTmux]).toEqual([
        ["a/1 deleted", "a/2 running"],
        ["a"],
      ]);
      expect(statesTold(home).slice(-3)).toEqual(["1 deleted", "2 creating", "2 running"]);
      expect([...home.store.records.values()][0]?.cause).toBe("restored");
    }),
  );

  it.scoped("first ends what lives of the old one, which nobody has in tmux any more", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      const { incarnation } = yield* home.record("a");
      const environment = { TROUPE_INCARNATION: incarnation };
      const daemon = yield* home.tmux.spawn({
        parent: 1,
        program: "agent",
        environment,
        ignoresHup: true,
      });
      yield* home.tmux.crash;
      yield* pass(home.sessions.restore("a"));
      const left = (yield* home.tmux.processes).filter(({ state }) => state === "running");
      expect(left.map(({ pid }) => pid)).not.toContain(daemon);
      const marks = left.flatMap((p) => p.environment.get("TROUPE_INCARNATION") ?? []);
      expect(new Set(marks)).toEqual(new Set([(yield* home.record("a")).incarnation]));
    }),
  );

  it.scoped("that cannot end a process of the old one names it, and the row stays lost", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      const { incarnation } = yield* home.record("a");
      const environment = { TROUPE_INCARNATION: incarnation };
      const stuck = yield* home.tmux.spawn({ parent: 1, program: "x", environment, stuck: true });
      yield* home.tmux.crash;
      const error = yield* Effect.flip(pass(home.sessions.restore("a")));
      expect(error).toMatchObject({ _tag: "ProcessesSurvived", pids: [stuck] });
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 lost"], []]);
      yield* home.tmux.unstick(stuck);
      expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ state: "running" });
    }),
  );

  it.scoped("of an exited session deletes that first, verified, and keeps nothing of it", () =>
    Effect.gen(function* () {
      const home = yield* exited();
      const view = yield* pass(home.sessions.restore("a"));
      expect(view).toMatchObject({ state: "running", generation: 2 });
      expect([yield* home.rows, yield* home.inTmux]).toEqual([
        ["a/1 deleted", "a/2 running"],
        ["a"],
      ]);
      const told = ["1 exited", "1 deleting", "1 deleted", "2 creating", "2 running"];
      expect(statesTold(home).slice(-5)).toEqual(told);
    }),
  );

  it.scoped("of one from before a reboot needs nothing of what was recorded then", () =>
    Effect.gen(function* () {
      const home = yield* arranged("running", "absent, from before a reboot", "dead");
      expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 2 });
      expect([...home.store.records.values()].map(({ cause, state }) => [state, cause])).toEqual([
        ["deleted", "restored"],
        ["running", null],
      ]);
    }),
  );

  it.scoped("needs no reconcile before it: a row that says running is looked at", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 2 });
      expect(statesTold(home)).toContain("1 lost");
    }),
  );
});

describe("a restore that is refused", () => {
  it.scoped("while the session runs is AlreadyExists with its state, and nothing is touched", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      const before = yield* home.record("a");
      const error = yield* Effect.flip(pass(home.sessions.restore("a")));
      expect(error).toMatchObject({ _tag: "AlreadyExists", state: "running" });
      expect((yield* home.record("a")).updatedAt).toBe(before.updatedAt);
    }),
  );

  it.scoped("of a name that was never known, or is deleted, is NotFound", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const never = yield* Effect.flip(home.sessions.restore("a"));
      expect([never._tag, home.store.claims.size]).toEqual(["NotFound", 0]);
      yield* create(home);
      yield* pass(home.sessions.delete("a"));
      expect((yield* Effect.flip(pass(home.sessions.restore("a"))))._tag).toBe("NotFound");
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );

  it.scoped("because a stranger took the name says so, and the row stays lost", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
      expect((yield* Effect.flip(pass(home.sessions.restore("a"))))._tag).toBe("ForeignSession");
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 lost"], ["a"]]);
    }),
  );

  it.scoped("because its server lives out of reach is unknown, and nothing changes", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      yield* home.tmux.unlinkSocket;
      const error = yield* Effect.flip(pass(home.sessions.restore("a")));
      expect(error).toMatchObject({ _tag: "LookupFailed", reason: "split-server" });
      expect(yield* home.rows).toEqual(["a/1 running"]);
    }),
  );

  for (const [what, host, tag] of [
    ["directory is not there any more", { missingDirectories: ["/repo"] }, "InvalidCwd"],
    ["program is not there any more", { missingPrograms: ["/bin/sleep"] }, "StartFailed"],
  ] as const) {
    it.scoped(`because its ${what} is ${tag}, and the row stays lost`, () =>
      Effect.gen(function* () {
        const home = yield* lost();
        const later = yield* fakeHome({ host });
        for (const [key, record] of home.store.records) later.store.records.set(key, record);
        for (const [key, claim] of home.store.claims) later.store.claims.set(key, claim);
        later.store.servers.push(...home.store.servers);
        expect((yield* Effect.flip(pass(later.sessions.restore("a"))))._tag).toBe(tag);
        expect(yield* later.rows).toEqual(["a/1 lost"]);
        expect((yield* later.tmux.requests).filter(creation)).toEqual([]);
      }),
    );
  }
});

describe("a restore that does not end well", () => {
  it.scoped("because its program ends at once leaves nothing, and can be asked for again", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const command = ["sh", "-c", "sleep 1; exit 4"];
      yield* create(home, { command });
      yield* home.tmux.exitProgram("a", 4);
      const startWindowMs = 5_000;
      const error = yield* Effect.flip(pass(home.sessions.restore("a", { startWindowMs })));
      expect(error).toMatchObject({ _tag: "StartFailed", code: 4 });
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted", "a/2 failed"], []]);
      expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 3 });
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
        expect(yield* home.rows).toEqual(["a/1 deleting"]);
        yield* pass(home.sessions.reconcileAll);
        expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted"], []]);
        expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 2 });
      }),
    );
  }

  it.scoped(
    "in a program that dies behind the creation is undone, and can be asked for again",
    () =>
      Effect.gen(function* () {
        const home = yield* lost();
        const other = yield* home.program("crashed");
        const gate = yield* home.tmux.hold({ where: "after", matches: creation });
        yield* Effect.forkScoped(Effect.exit(other.restore("a")));
        yield* gate.reached;
        yield* home.store.declare("crashed", "dead");
        yield* pass(home.sessions.reconcileAll);
        expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted", "a/2 failed"], []]);
        expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 3 });
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
