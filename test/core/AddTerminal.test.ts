/**
 * AddTerminal: all or nothing, the other terminals unhurt, on the fake.
 *
 * Method: a fault is injected at the list that makes the window, or the program or the caller ends;
 * then windows in tmux, rows, processes and claims are what they must be, and the first terminal
 * is as it was.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux, Fault, type FaultRule } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Exit, Fiber, Redacted, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const addition = (request: TmuxRequest): boolean => String(request.stdin).includes("new-window");

const withSession = Effect.fnUntraced(function* (options: Parameters<typeof fakeHome>[0] = {}) {
  const home = yield* fakeHome(options);
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  return home;
});

const add = (home: FakeHome, options: object = {}) =>
  home.sessions.addTerminal({ session: "a", ...sleep, ...options });

const terminals = (home: FakeHome) =>
  Effect.map(home.record("a"), (record) => record.terminals.map((t) => `${t.terminal} ${t.state}`));

const windows = (home: FakeHome) =>
  Effect.map(
    Effect.orDie(home.tmux.client(["list-windows", "-t", "=a", "-F", "#{window_name}"])),
    ({ stdout }) => stdout.trim().split("\n"),
  );

/** The first terminal alone, running, and no claim that is held. */
const expectFirstAlone = Effect.fnUntraced(function* (home: FakeHome) {
  expect(yield* windows(home)).toEqual(["main"]);
  expect((yield* terminals(home)).filter((row) => !row.endsWith(" gone"))).toEqual([
    "main running",
  ]);
  const running = (yield* home.tmux.processes).filter((p) => p.state === "running");
  expect(running.filter((p) => p.environment.get("TROUPE_TERMINAL") === "t2")).toEqual([]);
  expect([...home.store.claims.values()].filter(({ owner }) => owner !== null)).toEqual([]);
});

describe("a terminal that is added", () => {
  it.scoped("is a window of its own, told with its ids, recorded with its processes", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const added = yield* pass(add(home));
      expect(added.terminal).toMatchObject({ terminal: "t2", state: "running" });
      expect(yield* windows(home)).toEqual(["main", "t2"]);
      const { processes } = yield* home.record("a");
      const own = processes.find(({ pid }) => pid === added.terminal.panePid);
      expect(own?.terminal).toBe("t2");
      expect((yield* pass(add(home))).terminal.terminal).toBe("t3");
    }),
  );

  it.scoped("tells its processes which terminal they are of, and no other window", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const added = yield* pass(add(home));
      yield* home.tmux.client(["new-window", "-t", "=a:", "--", "sleep", "1000"]);
      const marks = (yield* home.tmux.processes)
        .filter((p) => p.state === "running" && p.program === "sleep")
        .map((p) => p.environment.get("TROUPE_TERMINAL"));
      expect(marks).toEqual(["main", "t2", undefined]);
      expect(added.incarnation).toBe((yield* home.record("a")).incarnation);
    }),
  );

  it.scoped("has the PATH that its session was made with, as the first one has", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const pathsOf = Effect.map(home.tmux.processes, (all) =>
        all.filter(({ program }) => program === "sleep").map((p) => p.environment.get("PATH")),
      );
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      const [first] = yield* pathsOf;
      expect(yield* pathsOf).toEqual([first, first]);
      const env = { PATH: "/opt/own:/usr/bin:/bin" };
      yield* pass(home.sessions.create({ session: "b", ...sleep, env }));
      yield* pass(home.sessions.addTerminal({ session: "b", ...sleep }));
      expect((yield* pathsOf).slice(2)).toEqual([env.PATH, env.PATH]);
    }),
  );

  it.scoped("makes a session run again whose programs have ended", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", command: ["true"], cwd: "/" }));
      yield* pass(add(home));
      expect(yield* home.rows).toEqual(["a/1 running"]);
      expect(yield* terminals(home)).toEqual(["main exited", "t2 running"]);
    }),
  );

  it.scoped("has the directory of its session, and one of its own when that is given", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome({ host: { missingDirectories: ["/gone"] } });
      yield* pass(home.sessions.create({ session: "a", ...sleep, cwd: "/repo" }));
      yield* pass(home.sessions.addTerminal({ session: "a", command: ["sleep", "9"] }));
      const list = (yield* home.tmux.requests).filter(addition).at(-1);
      expect(String(list?.stdin)).toContain('-c "/repo"');
      expect((yield* Effect.flip(pass(add(home, { cwd: "/gone" }))))._tag).toBe("InvalidCwd");
    }),
  );
});

const faults: ReadonlyArray<readonly [string, FaultRule["fault"]]> = [
  ["is refused with a text that nobody knows", Fault.refuse("what?\n")],
  ["ends with 0 and does nothing", Fault.silent],
  ["is never answered and never done", Fault.hang],
  ["is done later, when nobody waits any more", Fault.lateEffect],
];

describe("a window that tmux makes and that", () => {
  for (const [what, fault] of faults) {
    it.scoped(`${what} leaves the first terminal alone, also when it takes effect late`, () =>
      Effect.gen(function* () {
        const home = yield* withSession();
        yield* home.tmux.inject({ fault, matches: addition });
        expect((yield* Effect.flip(pass(add(home))))._tag).toBe("LookupFailed");
        yield* home.tmux.release;
        yield* expectFirstAlone(home);
        yield* home.tmux.clearFaults;
        expect((yield* pass(add(home))).terminal).toMatchObject({ terminal: "t3" });
      }),
    );
  }

  for (const [what, fault] of [
    ["loses its reply", Fault.effectWithoutReply],
    ["has its reply cut", Fault.shortened],
    ["has its reply garbled", Fault.garbled],
  ] as const) {
    it.scoped(`${what} is found by its mark`, () =>
      Effect.gen(function* () {
        const home = yield* withSession();
        yield* home.tmux.inject({ fault, matches: addition });
        expect((yield* pass(add(home))).terminal.state).toBe("running");
        expect(yield* windows(home)).toEqual(["main", "t2"]);
      }),
    );
  }

  for (const [what, fault] of [
    ["before it", Fault.crashBefore],
    ["behind it", Fault.crashAfter],
  ] as const) {
    it.scoped(`meets a server that dies ${what} is undone, and the session is lost with it`, () =>
      Effect.gen(function* () {
        const home = yield* withSession();
        yield* home.tmux.inject({ fault, matches: addition });
        expect((yield* Effect.flip(pass(add(home))))._tag).toBe("LookupFailed");
        expect(yield* home.rows).toEqual(["a/1 lost"]);
        expect(yield* terminals(home)).toEqual(["main gone", "t2 gone"]);
      }),
    );
  }
});

describe("the start window of a terminal", () => {
  it.scoped("that a program does not live through is StartFailed, and its window goes", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const command = ["sh", "-c", "echo why; exit 7"];
      expect(yield* Effect.flip(pass(add(home, { command })))).toMatchObject({
        _tag: "StartFailed",
        attempted: "add a terminal",
        code: 7,
        output: "why",
      });
      yield* expectFirstAlone(home);
    }),
  );

  it.scoped("in which a program ends with 0 makes a terminal that is exited", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      expect((yield* pass(add(home, { command: ["true"] }))).terminal).toMatchObject({
        state: "exited",
        exit: { code: 0 },
      });
      expect(yield* home.rows).toEqual(["a/1 running"]);
    }),
  );

  it.scoped("that a caller leaves ends in a rollback before the caller is interrupted", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const fiber = yield* Effect.fork(add(home, { startWindowMs: 5000 }));
      yield* TestClock.adjust("1 second");
      expect(yield* windows(home)).toEqual(["main", "t2"]);
      const interrupting = yield* Effect.fork(Fiber.interrupt(fiber));
      yield* TestClock.adjust("10 seconds");
      expect(Exit.isInterrupted(yield* Fiber.join(interrupting))).toBe(true);
      yield* expectFirstAlone(home);
    }),
  );

  it.scoped("masks the values of this terminal in what the program printed", () =>
    Effect.gen(function* () {
      const leak = FakeTmux.program((run) => {
        run.write(`token ${run.env.get("TOKEN")}\n`);
        run.exit(1);
      });
      const home = yield* withSession({ tmux: { programs: { leak } } });
      const options = { command: ["leak"], env: { TOKEN: Redacted.make("canary-value") } };
      expect(yield* Effect.flip(pass(add(home, options)))).toMatchObject({ output: "token ***" });
    }),
  );

  it.scoped("whose rollback cannot be confirmed says both causes; reconcile finishes it", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const kill = (request: TmuxRequest) => String(request.stdin).includes("kill-window");
      yield* home.tmux.inject({ fault: Fault.hang, matches: kill, times: 99 });
      const command = ["sh", "-c", "exit 3"];
      const error = yield* Effect.flip(pass(add(home, { command })));
      expect(error).toMatchObject({ _tag: "KillUnconfirmed" });
      expect((error as { after?: string }).after).toContain("code 3");
      expect(yield* terminals(home)).toEqual(["main running", "t2 creating"]);
      yield* home.tmux.clearFaults;
      const result = yield* pass(home.sessions.reconcile("a"));
      expect(result).toMatchObject({ changed: true, before: "running", after: "running" });
      yield* expectFirstAlone(home);
    }),
  );
});
