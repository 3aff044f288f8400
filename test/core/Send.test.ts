/**
 * Send: input reaches the program that is meant, whole and once, or is refused.
 *
 * On the fake; then what the program read and what is left loaded in tmux must agree with what the
 * caller was told. What is told when an answer is lost stands in `sendInDoubt`.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import { Effect, Fiber } from "effect";
import { pass, sleep } from "./FakeHome.js";
import { buffers, loads, reading, send, writes } from "./Reading.js";

describe("input", () => {
  for (const version of ["3.2a", "3.3a", "3.7c"] as const) {
    it.scoped(`is text, then keys, then Enter, out of copy mode first, on ${version}`, () =>
      Effect.gen(function* () {
        const home = yield* reading(version);
        yield* home.tmux.client(["copy-mode", "-t", "=a:"]);
        const input = { text: "one\n\ttwo \u001b[1m", keys: ["Up", "C-c", "x"], enter: true };
        const result = yield* send(home, "a", input);
        const told = { session: "a", terminal: "main", bytes: 13, keys: 4 };
        expect(result).toEqual({ ...told, status: "delivered", doubt: null });
        expect(home.got).toEqual(["%0 one\n\ttwo \u001b[1m", "%0 \u001b[A\u0003x\r"]);
        expect(yield* buffers(home)).toBe("");
      }),
    );
  }

  it.scoped("is a bracketed paste where the program asked for that", () =>
    Effect.gen(function* () {
      const home = yield* reading("3.3a", "\u001b[?2004h");
      yield* send(home, "a", "one");
      expect(home.got).toEqual(["%0 \u001b[200~one\u001b[201~"]);
    }),
  );

  it.scoped("waits between text and Enter, and in nothing else", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      yield* home.sessions.send("a", "text alone");
      yield* home.sessions.send("a", { keys: ["Up"], enter: true });
      const fiber = yield* Effect.fork(home.sessions.send("a", { text: "one", enter: true }));
      yield* Effect.iterate(0, {
        while: () => home.got.length < 3,
        body: (n) => Effect.as(Effect.yieldNow(), n + 1),
      });
      expect(home.got.at(-1)).toBe("%0 one");
      yield* pass(Fiber.join(fiber));
      expect(home.got.at(-1)).toBe("%0 \r");
    }),
  );

  it.scoped("goes to the terminal that is named, else to the first that is there", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      yield* pass(home.sessions.addTerminal({ session: "a", command: ["reader"] }));
      expect((yield* send(home, "a", "x", { terminal: "t2" })).terminal).toBe("t2");
      yield* send(home, "a", "y");
      yield* pass(home.sessions.deleteTerminal("a", "main"));
      yield* send(home, "a", "z");
      expect(home.got).toEqual(["%1 x", "%0 y", "%1 z"]);
    }),
  );

  it.scoped("that is empty looks, and writes nothing", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      expect(yield* send(home, "a", "")).toMatchObject({ bytes: 0, keys: 0, status: "delivered" });
      expect(home.got).toEqual([]);
    }),
  );

  it.scoped("of two senders is two whole blocks, each with its Enter", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      const other = yield* home.program("other");
      yield* pass(
        Effect.forEach(
          [home.sessions, home.sessions, other],
          (sessions, at) => sessions.send("a", { text: `${at}`, enter: true }),
          { concurrency: "unbounded" },
        ),
      );
      const text = home.got.map((burst) => burst.slice(3)).join("");
      expect(text.split("\r").sort()).toEqual(["", "0", "1", "2"]);
    }),
  );

  it.scoped("is as it was when it was given, whatever the caller does to its bytes then", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      const bytes = new Uint8Array([65, 66]);
      const fiber = yield* Effect.fork(home.sessions.send("a", bytes));
      yield* Effect.yieldNow();
      bytes.fill(67);
      yield* pass(Fiber.join(fiber));
      expect(home.got).toEqual(["%0 AB"]);
    }),
  );
});

describe("input is refused, and nothing is written,", () => {
  it.scoped("as TmuxRefused when it cannot be sent, and tmux is not asked", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      const before = (yield* home.tmux.requests).length;
      for (const input of ["a\0b", { text: "fine", keys: ["C-c", "hunter2"] }]) {
        const error = yield* Effect.flip(send(home, "a", input));
        expect(error._tag).toBe("TmuxRefused");
        expect(error.message).not.toContain("hunter2");
      }
      expect((yield* home.tmux.requests).length).toBe(before);
    }),
  );

  it.scoped("as NotFound for a session that never was, is deleted or is not there", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      expect(yield* Effect.flip(send(home, "b", "x"))).toMatchObject({ _tag: "NotFound" });
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "reader"]);
      expect(yield* Effect.flip(send(home, "a", "x"))).toMatchObject({ _tag: "NotFound" });
      yield* pass(home.sessions.delete("a"));
      expect(yield* Effect.flip(send(home, "a", "x"))).toMatchObject({ _tag: "NotFound" });
      expect(home.got).toEqual([]);
    }),
  );

  it.scoped("as NotFound with the terminal that is not there, or not any more", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      const missing = yield* Effect.flip(send(home, "a", "x", { terminal: "t9" }));
      expect(missing).toMatchObject({ _tag: "NotFound", terminal: "t9" });
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      yield* home.tmux.client(["kill-window", "-t", "=a:t2"]);
      const gone = yield* Effect.flip(send(home, "a", "x", { terminal: "t2" }));
      expect(gone).toMatchObject({ _tag: "NotFound", terminal: "t2" });
    }),
  );

  it.scoped("as TmuxRefused when the program has ended, also between look and list", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      const gate = yield* home.tmux.hold({ matches: writes, where: "before" });
      const fiber = yield* Effect.fork(Effect.flip(home.sessions.send("a", "x")));
      yield* gate.reached;
      yield* home.tmux.exitProgram("a", 0);
      yield* gate.release;
      expect(yield* pass(Fiber.join(fiber))).toMatchObject({ _tag: "TmuxRefused" });
      expect(yield* Effect.flip(send(home, "a", "x"))).toMatchObject({ _tag: "TmuxRefused" });
      expect(yield* buffers(home)).toBe("");
      expect(yield* home.inTmux).toEqual(["a"]);
    }),
  );

  it.scoped("as LookupFailed when tmux cannot be asked, or the load is not answered or cut", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      const cut = Fault.rewrite((reply) => ({
        ...reply,
        stdout: reply.stdout.replace(/LOADED [0-9]+/, "LOADED 9"),
      }));
      const unheard = [Fault.effectWithoutReply, Fault.lateEffect];
      for (const fault of [Fault.hang, Fault.silent, cut, ...unheard]) {
        yield* home.tmux.inject({ fault, matches: loads });
        expect((yield* Effect.flip(send(home, "a", "x")))._tag).toBe("LookupFailed");
        yield* home.tmux.release;
        yield* pass(Effect.sleep("1 second"));
        expect(yield* buffers(home)).toBe("");
      }
      yield* home.tmux.denySocket(true);
      expect((yield* Effect.flip(send(home, "a", "x")))._tag).toBe("LookupFailed");
      expect(home.got).toEqual([]);
    }),
  );
});
