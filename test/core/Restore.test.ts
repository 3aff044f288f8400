/**
 * Restore: a session that was lost, or whose programs ended, made anew as it was; all or nothing.
 *
 * Method: the server dies, somebody else kills the session, or its program ends; then what the new
 * generation is, what lives of the old one, and what the rows and the log say. How one ends that
 * does not end well is in `restoreUndone`.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { arranged } from "./Arranged.js";
import { type FakeHome, fakeHome, pass } from "./FakeHome.js";
import { create, creation, exited, lost } from "./RestoreHomes.js";

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

  it.scoped("of an exited session ends that first, verified, and is never a delete of it", () =>
    Effect.gen(function* () {
      const home = yield* exited();
      const view = yield* pass(home.sessions.restore("a"));
      expect(view).toMatchObject({ state: "running", generation: 2 });
      expect([yield* home.rows, yield* home.inTmux]).toEqual([
        ["a/1 deleted", "a/2 running"],
        ["a"],
      ]);
      const told = ["1 exited", "1 lost", "1 deleted", "2 creating", "2 running"];
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
      yield* home.tmux.client(["new-session", "-d", "-s", "x", "--", "sleep", "1000"]);
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
