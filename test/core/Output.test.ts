/**
 * Output: every byte once, or a gap that says which are missing, and an end that says why.
 *
 * On the fake tmux, whose panes print into the pipe that the recorder's command opened; a virtual
 * clock stands in for the time that a reader waits.
 */
import { describe, expect, it } from "@effect/vitest";
import type { OutputElement, OutputOptions, Sessions } from "@troupe/core";
import { FakeTmux, Fault } from "@troupe/testing";
import { Effect, Exit, Fiber, Scope, Stream, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** An element as a test writes it: text at its sequence, a gap, or the end. */
const told = (element: OutputElement): string => {
  const { sequence, type } = element;
  if (type === "data") return `${sequence}:${new TextDecoder().decode(element.data)}`;
  if (type === "gap") return `${sequence}..${element.to}`;
  return `${sequence} ${element.reason} ${element.exit?.code ?? "-"}`;
};

const cat = { command: ["cat"], cwd: "/" };

/** A reader under way, and what it was given up to now. */
const reading = (sessions: Sessions["Type"], options: OutputOptions = {}) =>
  Effect.gen(function* () {
    const seen: Array<string> = [];
    const each = (element: OutputElement) => Effect.sync(() => void seen.push(told(element)));
    const run = Stream.runForEach(sessions.output("a", options), each);
    const fiber = yield* Effect.fork(run);
    yield* TestClock.adjust(0);
    return { seen, fiber };
  });

/** What is there now, read without waiting. */
const now = (sessions: Sessions["Type"], options: OutputOptions = {}) =>
  sessions.output("a", { follow: false, ...options }).pipe(
    Stream.map(told),
    Stream.runCollect,
    Effect.map((chunk) => [...chunk]),
  );

const typed = (home: FakeHome, text: string) =>
  Effect.zipRight(home.tmux.type("a", text), TestClock.adjust("1 second"));

describe("a reader of output", () => {
  it.scoped("is given every byte from the first one, then what is printed later", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      yield* home.tmux.type("a", "one\n");
      const { fiber, seen } = yield* reading(home.sessions);
      expect(seen.join("")).toBe("0:one\r\none\r\n");
      yield* typed(home, "two\n");
      expect(seen).toEqual(["0:one\r\none\r\n", "10:two\r\ntwo\r\n"]);
      yield* home.tmux.exitProgram("a", 3);
      yield* TestClock.adjust("5 seconds");
      expect(seen.at(-1)).toBe("20 exited 3");
      expect(Exit.isSuccess(yield* Fiber.await(fiber))).toBe(true);
    }),
  );

  it.scoped("is given what a program printed that ended at once, and how it ended", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const command = ["sh", "-c", "echo why; exit 0"];
      yield* pass(home.sessions.create({ session: "a", cwd: "/", command }));
      const { seen } = yield* reading(home.sessions);
      expect(seen).toEqual(["0:why\r\n", "5 exited 0"]);
    }),
  );

  it.scoped("that comes again goes on where it left, and one that did not finds the same", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      yield* home.tmux.type("a", "one\n");
      const first = yield* reading(home.sessions);
      yield* Fiber.interrupt(first.fiber);
      yield* typed(home, "two\n");
      expect(first.seen).toEqual(["0:one\r\none\r\n"]);
      const { seen } = yield* reading(home.sessions, { from: 10 });
      expect(seen).toEqual(["10:two\r\ntwo\r\n"]);
      expect(yield* now(home.sessions)).toEqual(["0:one\r\none\r\ntwo\r\ntwo\r\n"]);
    }),
  );

  it.scoped("that waits for a sequence that is not there yet begins with exactly that", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      const { seen } = yield* reading(home.sessions, { from: 3 });
      yield* typed(home, "abc\n");
      expect(seen).toEqual(["3:\r\nabc\r\n"]);
    }),
  );

  it.scoped("is told which bytes are not kept any more, and given every one behind them", () =>
    Effect.gen(function* () {
      const settings = { outputSegmentBytes: 10, outputSegments: 2 };
      const home = yield* fakeHome({ settings });
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      const { seen } = yield* reading(home.sessions);
      yield* typed(home, "one\n");
      yield* home.tmux.type("a", "two\nthree\nfour\n");
      const late = yield* now(home.sessions);
      // 10 bytes of one, 10 of two, 14 of three, 12 of four; the newest 20 to 29 are kept.
      expect(late[0]).toBe("0..30");
      expect(late[1]).toMatch(/^30:.*four\r\n$/s);
      yield* TestClock.adjust("1 second");
      expect(seen.slice(1)).toEqual(["10..30", late[1]]);
    }),
  );

  it.scoped("reads the terminal that is named, the first unless one is", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const printing = (word: string) => ["sh", "-c", `echo ${word}; exec sleep 1000`];
      yield* pass(home.sessions.create({ session: "a", cwd: "/", command: printing("one") }));
      yield* pass(home.sessions.addTerminal({ session: "a", command: printing("two") }));
      expect(yield* now(home.sessions)).toEqual(["0:one\r\n"]);
      expect(yield* now(home.sessions, { terminal: "t2" })).toEqual(["0:two\r\n"]);
      const { seen } = yield* reading(home.sessions, { terminal: "t2" });
      yield* pass(home.sessions.deleteTerminal("a", "t2"));
      expect(seen).toEqual(["0:two\r\n", "5 deleted -"]);
    }),
  );

  it.scoped("is NotFound where there is nothing to read, and none of it is read", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const failure = (options: OutputOptions = {}) => Effect.flip(now(home.sessions, options));
      expect(yield* failure()).toMatchObject({ _tag: "NotFound", terminal: null });
      yield* pass(home.sessions.create({ session: "a", ...sleep, log: false }));
      expect(yield* failure()).toMatchObject({ _tag: "NotFound", session: "a", what: "output" });
      expect(yield* failure({ terminal: "t9" })).toMatchObject({ terminal: "t9" });
      const bad = Stream.runDrain(home.sessions.output("a.b"));
      expect((yield* Effect.flip(bad))._tag).toBe("InvalidName");
    }),
  );
});

describe("the end of a reader of output", () => {
  it.scoped("comes at once with a delete by this program, for ten readers together", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const readers = yield* Effect.replicateEffect(reading(home.sessions), 10);
      const deleting = yield* Effect.fork(home.sessions.delete("a", { graceMs: 0 }));
      yield* TestClock.adjust(0);
      expect((yield* Fiber.join(deleting)).alreadyGone).toBe(false);
      expect(readers.map(({ seen }) => seen)).toEqual(Array(10).fill(["0 deleted -"]));
      for (const { fiber } of readers) yield* Fiber.join(fiber);
    }),
  );

  it.scoped("comes also with what another program does, and where somebody else does it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const other = yield* home.program("other");
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const first = yield* reading(home.sessions);
      yield* pass(other.delete("a"));
      expect(first.seen).toEqual(["0 deleted -"]);
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const second = yield* reading(home.sessions);
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* TestClock.adjust("5 seconds");
      expect(second.seen).toEqual(["0 lost -"]);
    }),
  );

  it.scoped("does not come while tmux cannot be asked, and comes when it can", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      const { seen } = yield* reading(home.sessions);
      yield* home.tmux.exitProgram("a", 0);
      yield* home.tmux.inject({ fault: Fault.shortened, times: 1_000 });
      yield* TestClock.adjust("1 minute");
      expect(seen).toEqual([]);
      yield* home.tmux.clearFaults;
      yield* TestClock.adjust("1 minute");
      expect(seen).toEqual(["0 exited 0"]);
    }),
  );

  it.scoped("waits for how the program ended while tmux has not reaped it, up to a bound", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      const { seen } = yield* reading(home.sessions);
      yield* home.tmux.exitProgram("a", 3, { unreaped: true });
      yield* TestClock.adjust("200 millis");
      expect(seen).toEqual([]);
      yield* TestClock.adjust("10 seconds");
      expect(seen).toEqual(["0 exited -"]);
    }),
  );

  it.scoped("waits for a recorder that only begins when its program has ended, up to a bound", () =>
    Effect.gen(function* () {
      let begun = false;
      const home = yield* fakeHome({
        output: (files) => ({
          ...files,
          read: (output, from, most) =>
            begun
              ? files.read(output, from, most)
              : Effect.succeed({ from, data: new Uint8Array(), recorder: "absent" }),
        }),
      });
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      yield* home.tmux.type("a", "one\n");
      yield* home.tmux.exitProgram("a", 0);
      const { seen } = yield* reading(home.sessions);
      yield* TestClock.adjust("4 seconds");
      expect(seen).toEqual([]);
      begun = true;
      yield* TestClock.adjust("1 second");
      expect(seen).toEqual(["0:one\r\none\r\n", "10 exited 0"]);
      begun = false;
      const never = yield* reading(home.sessions);
      yield* TestClock.adjust("1 minute");
      expect(never.seen).toEqual(["0 exited 0"]);
    }),
  );

  it.scoped("is Closing when the service closes while the terminal lives, whoever made it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const scope = yield* Scope.make();
      const closed = yield* Scope.extend(home.program("closed"), scope);
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const { fiber, seen } = yield* reading(closed);
      yield* Effect.fork(Scope.close(scope, Exit.void));
      yield* TestClock.adjust("1 second");
      const failure = yield* Effect.flip(Fiber.join(fiber));
      expect([failure._tag, seen]).toEqual(["Closing", []]);
    }),
  );

  it.scoped("is looked for seldom while something is printed, and while nothing is", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      yield* reading(home.sessions);
      const looks = Effect.map(home.tmux.requests, (all) => all.length);
      const before = yield* looks;
      for (let i = 0; i < 100; i++) {
        yield* home.tmux.type("a", "x");
        yield* TestClock.adjust("100 millis");
      }
      const printing = (yield* looks) - before;
      expect(printing).toBeGreaterThan(0);
      expect(printing).toBeLessThanOrEqual(20);
      yield* TestClock.adjust("100 seconds");
      expect((yield* looks) - before - printing).toBeLessThanOrEqual(53);
    }),
  );

  it.scoped("may be waited for as long as one likes, and no row is changed by it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const rows = JSON.stringify([[...home.store.records], [...home.store.claims]]);
      const { fiber } = yield* reading(home.sessions);
      yield* TestClock.adjust("1 minute");
      yield* Fiber.interrupt(fiber);
      expect(JSON.stringify([[...home.store.records], [...home.store.claims]])).toBe(rows);
    }),
  );

  it.scoped("is read by whoever comes when all is over", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome({
        tmux: { programs: { agent: FakeTmux.program((run) => run.write("> ")) } },
      });
      yield* pass(home.sessions.create({ session: "a", command: ["agent"], cwd: "/" }));
      yield* pass(home.sessions.delete("a"));
      const { seen } = yield* reading(home.sessions);
      expect(seen).toEqual(["0:> ", "2 deleted -"]);
      expect(yield* now(home.sessions)).toEqual(["0:> ", "2 deleted -"]);
    }),
  );
});
