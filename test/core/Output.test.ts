/**
 * Output: every byte once, or a gap that says which are missing, and an end that says why.
 *
 * On the fake tmux, whose panes print into the pipe that the recorder's command opened; a virtual
 * clock stands in for the time that a reader waits.
 */
import { describe, expect, it } from "@effect/vitest";
import type { OutputOptions } from "@troupe/core";
import { Effect, Exit, Fiber, Stream, TestClock } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";
import { cat, now, reading, typed } from "./OutputRead.js";

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

  it.scoped("reads an incarnation that is named, also when the name has another", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const echo = (word: string) => ({ ...sleep, command: ["sh", "-c", `echo ${word}; exit 0`] });
      const first = yield* pass(home.sessions.create({ session: "a", ...echo("one") }));
      const next = { session: "a", replace: true, ...echo("two") };
      const { incarnation } = yield* pass(home.sessions.create(next));
      const elements = yield* Stream.runCollect(home.sessions.output("a", { follow: false }));
      expect([...elements].map((element) => element.incarnation)).toEqual(
        Array(elements.length).fill(incarnation),
      );
      const old = { incarnation: first.incarnation };
      expect(yield* now(home.sessions, old)).toEqual(["0:one\r\n", "5 deleted -"]);
      expect(yield* now(home.sessions)).toEqual(["0:two\r\n", "5 exited 0"]);
      yield* pass(home.sessions.create({ session: "b", ...cat }));
      const other = (yield* home.sessions.get("b")).incarnation;
      for (const wrong of [other, "never-0001", "no id"]) {
        const failed = yield* Effect.flip(now(home.sessions, { incarnation: wrong }));
        expect(failed).toMatchObject({ _tag: "NotFound", what: "incarnation" });
      }
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
