/**
 * DeleteTerminal: one terminal ends with its processes, verified, and its peers are as they were.
 *
 * On the fake: what a user does to windows and panes meanwhile, faults at the kill, processes that
 * left the pane; then windows in tmux, rows and processes are what they must be.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux, Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const kill = (request: TmuxRequest): boolean => String(request.stdin).includes("kill-window");

const withTerminals = Effect.fnUntraced(function* (
  options: Parameters<typeof fakeHome>[0] = {},
  command: ReadonlyArray<string> = sleep.command,
) {
  const home = yield* fakeHome(options);
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  const { terminal } = yield* pass(home.sessions.addTerminal({ session: "a", command }));
  return { ...home, added: terminal };
});

const remove = (home: FakeHome, terminal = "t2", options: object = {}) =>
  pass(home.sessions.deleteTerminal("a", terminal, options));

const terminals = (home: FakeHome) =>
  Effect.map(home.record("a"), (record) => record.terminals.map((t) => `${t.terminal} ${t.state}`));

const panes = (home: FakeHome) =>
  Effect.map(
    Effect.orDie(
      home.tmux.client(["list-panes", "-s", "-t", "=a", "-F", "#{window_name} #{@troupe-pane}"]),
    ),
    ({ stdout }) => stdout.split("\n").filter((line) => line !== ""),
  );

const living = (home: FakeHome) =>
  Effect.map(home.tmux.processes, (all) =>
    all.filter((p) => p.state === "running").map(({ pid }) => pid),
  );

describe("a terminal that is deleted", () => {
  it.scoped("is gone with its window and processes, its peers and the session live", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      expect(yield* remove(home)).toMatchObject({ alreadyGone: false, sessionDeleted: false });
      expect(yield* panes(home)).toEqual(["main main"]);
      expect(yield* terminals(home)).toEqual(["main running", "t2 gone"]);
      expect(yield* home.rows).toEqual(["a/1 running"]);
      expect(yield* living(home)).not.toContain(home.added.panePid);
    }),
  );

  it.scoped("may be the first one", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      yield* remove(home, "main");
      expect(yield* panes(home)).toEqual(["t2 t2"]);
      expect(yield* terminals(home)).toEqual(["main gone", "t2 running"]);
    }),
  );

  it.scoped("again is success, and asks tmux nothing", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      yield* remove(home);
      const before = (yield* home.tmux.requests).length;
      expect(yield* remove(home)).toMatchObject({ alreadyGone: true });
      expect((yield* home.tmux.requests).length).toBe(before);
    }),
  );

  it.scoped("that there never was is NotFound and named, also in a session that is not there", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      const error = yield* Effect.flip(remove(home, "t9"));
      expect(error).toMatchObject({ _tag: "NotFound", session: "a", terminal: "t9" });
      const other = yield* Effect.flip(pass(home.sessions.deleteTerminal("b", "t2")));
      expect(other).toMatchObject({ _tag: "NotFound", session: "b", terminal: null });
    }),
  );

  it.scoped("leaves a session whose other programs have ended exited", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", command: ["true"], cwd: "/" }));
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      yield* remove(home);
      expect(yield* home.rows).toEqual(["a/1 exited"]);
    }),
  );

  it.scoped("takes along what double-forked from it, and nothing that its peers started", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      const { incarnation } = yield* home.record("a");
      const mark = { TROUPE_INCARNATION: incarnation };
      const spawn = (terminal: string) =>
        home.tmux.spawn({
          parent: 1,
          program: "daemon",
          environment: { ...mark, TROUPE_TERMINAL: terminal },
        });
      const own = yield* spawn("t2");
      const peers = [
        yield* spawn("main"),
        yield* home.tmux.spawn({ parent: 1, program: "x", environment: mark }),
      ];
      expect((yield* remove(home)).killed).toEqual([own]);
      expect(yield* living(home)).toEqual(expect.arrayContaining(peers));
      yield* pass(home.sessions.delete("a"));
      expect((yield* living(home)).filter((pid) => peers.includes(pid))).toEqual([]);
    }),
  );

  it.scoped("is asked with TERM first, and waited for while it handles that", () =>
    Effect.gen(function* () {
      const polite = FakeTmux.program((run) => {
        run.onSignal("TERM", () => run.after(500, () => run.exit(0)));
      });
      const home = yield* withTerminals({ tmux: { programs: { polite } } }, ["polite"]);
      const fiber = yield* Effect.fork(home.sessions.deleteTerminal("a", "t2"));
      expect((yield* pass(Fiber.join(fiber))).killed).toEqual([]);
      expect(yield* terminals(home)).toEqual(["main running", "t2 gone"]);
    }),
  );
});

describe("the last terminal", () => {
  it.scoped("takes its session with it", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      yield* remove(home);
      expect(yield* remove(home, "main")).toMatchObject({ sessionDeleted: true });
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
      expect(yield* home.inTmux).toEqual([]);
      expect(yield* remove(home, "main")).toMatchObject({ alreadyGone: true });
    }),
  );

  it.scoped("is refused while a user has a window of his own, and nothing is changed", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      yield* remove(home);
      yield* home.tmux.client(["new-window", "-d", "-t", "=a:", "-n", "mine", "--", "sleep", "9"]);
      const before = JSON.stringify(yield* home.record("a"));
      const error = yield* Effect.flip(remove(home, "main"));
      expect(error).toMatchObject({ _tag: "Busy", reason: "windows" });
      const { claim: _, ...after } = yield* home.record("a");
      const { claim: __, ...whole } = JSON.parse(before);
      expect(JSON.parse(JSON.stringify(after))).toEqual(whole);
      expect(yield* panes(home)).toEqual(["main main", "mine "]);
      yield* home.tmux.client(["kill-window", "-t", "=a:mine"]);
      expect(yield* remove(home, "main")).toMatchObject({ sessionDeleted: true });
    }),
  );

  it.scoped("is not the last while a peer whose program ended is still there", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals({}, ["true"]);
      yield* remove(home, "main");
      expect([yield* home.rows, yield* panes(home)]).toEqual([["a/1 exited"], ["t2 t2"]]);
    }),
  );
});

describe("a kill of a window that", () => {
  for (const [what, fault] of [
    ["is not answered", Fault.hang],
    ["says nothing", Fault.silent],
    ["is answered with garbage", Fault.refuse("what?\n")],
  ] as const) {
    it.scoped(`${what} to the bound is KillUnconfirmed, and a second delete finishes`, () =>
      Effect.gen(function* () {
        const home = yield* withTerminals();
        yield* home.tmux.inject({ fault, matches: kill, times: 999 });
        expect((yield* Effect.flip(remove(home)))._tag).toBe("KillUnconfirmed");
        expect(yield* terminals(home)).toEqual(["main running", "t2 deleting"]);
        yield* home.tmux.clearFaults;
        yield* remove(home);
        expect(yield* terminals(home)).toEqual(["main running", "t2 gone"]);
        expect(yield* panes(home)).toEqual(["main main"]);
      }),
    );
  }

  it.scoped(
    "was cut off is finished by a reconcile, by the next add, and by the session's end",
    () =>
      Effect.gen(function* () {
        const cutOff = Effect.gen(function* () {
          const home = yield* withTerminals();
          yield* home.tmux.inject({ fault: Fault.hang, matches: kill, times: 999 });
          yield* Effect.flip(remove(home));
          yield* home.tmux.clearFaults;
          return home;
        });
        const reconciled = yield* cutOff;
        const result = yield* pass(reconciled.sessions.reconcile("a"));
        expect(result).toMatchObject({ changed: true, after: "running" });
        expect(yield* terminals(reconciled)).toEqual(["main running", "t2 gone"]);
        const again = yield* pass(reconciled.sessions.reconcile("a"));
        expect(again.changed).toBe(false);
        const added = yield* cutOff;
        yield* pass(added.sessions.addTerminal({ session: "a", ...sleep }));
        expect(yield* terminals(added)).toEqual(["main running", "t2 gone", "t3 running"]);
        const deleted = yield* cutOff;
        yield* pass(deleted.sessions.delete("a"));
        expect(yield* terminals(deleted)).toEqual(["main gone", "t2 gone"]);
      }),
  );

  it.scoped("takes effect late does nothing to a terminal that was made meanwhile", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      yield* home.tmux.inject({ fault: Fault.lateEffect, matches: kill });
      yield* Effect.flip(remove(home));
      yield* remove(home);
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      yield* home.tmux.release;
      expect(yield* panes(home)).toEqual(["main main", "t3 t3"]);
    }),
  );
});

describe("a process of a terminal that cannot be ended", () => {
  it.scoped("is named in ProcessesSurvived, and the terminal stays until it is gone", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      const { incarnation } = yield* home.record("a");
      const environment = { TROUPE_INCARNATION: incarnation, TROUPE_TERMINAL: "t2" };
      const spec = { parent: 1, program: "daemon", environment, stuck: true };
      const daemon = yield* home.tmux.spawn(spec);
      const error = yield* Effect.flip(remove(home));
      expect(error).toMatchObject({ _tag: "ProcessesSurvived", pids: [daemon] });
      expect(yield* terminals(home)).toEqual(["main running", "t2 deleting"]);
      yield* home.tmux.unstick(daemon);
      yield* remove(home);
      expect(yield* terminals(home)).toEqual(["main running", "t2 gone"]);
    }),
  );
});
