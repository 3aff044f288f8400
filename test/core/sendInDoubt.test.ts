/**
 * A send whose answer was lost, or whose program died or was overtaken: nothing is written twice,
 * what remains unknown is told, and nothing stays loaded in tmux.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import { Effect, Fiber } from "effect";
import { type FakeHome, pass } from "./FakeHome.js";
import { buffers, looksUp, reading, send, writes } from "./Reading.js";

describe("an answer that was lost", () => {
  it.scoped("is looked up: what was written is delivered, and is not written again", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      for (const fault of [
        Fault.effectWithoutReply,
        Fault.rewrite((r) => ({ ...r, stdout: "" })),
      ]) {
        yield* home.tmux.inject({ fault, matches: writes });
        expect((yield* send(home, "a", { text: "x", enter: true })).status).toBe("delivered");
      }
      expect(home.got).toEqual(["%0 x", "%0 \r", "%0 x", "%0 \r"]);
    }),
  );

  it.scoped("is looked up: what was not written is LookupFailed, and never is any more", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      for (const fault of [Fault.hang, Fault.lateEffect, Fault.silent]) {
        yield* home.tmux.inject({ fault, matches: writes });
        const error = yield* Effect.flip(send(home, "a", "x"));
        expect(error).toMatchObject({ _tag: "LookupFailed", attempted: "send" });
        yield* home.tmux.release;
        yield* pass(Effect.sleep("1 second"));
      }
      expect(home.got).toEqual([]);
      expect(yield* buffers(home)).toBe("");
      expect((yield* send(home, "a", "y")).status).toBe("delivered");
    }),
  );

  it.scoped("and cannot be looked up is unconfirmed, with nothing else written", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      yield* home.tmux.inject({ fault: Fault.effectWithoutReply, matches: writes });
      yield* home.tmux.inject({ fault: Fault.hang, matches: looksUp });
      const result = yield* send(home, "a", { text: "x", enter: true });
      expect(result).toMatchObject({ status: "unconfirmed", bytes: 1, keys: 1 });
      expect(result.doubt?.detail).toMatch(/it may have been delivered.*the keys were not sent$/);
      expect(home.got).toEqual(["%0 x"]);
      expect(yield* buffers(home)).toBe("");
    }),
  );

  it.scoped("and whose server died is unconfirmed", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      yield* home.tmux.inject({ fault: Fault.crashAfter, matches: writes });
      const result = yield* send(home, "a", "x");
      expect(result).toMatchObject({ status: "unconfirmed" });
    }),
  );

  it.scoped("of keys behind text that arrived says so, whatever came of them", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      yield* home.tmux.inject({ fault: Fault.hang, matches: writes, skip: 1 });
      const result = yield* send(home, "a", { text: "x", enter: true });
      expect(result).toMatchObject({ status: "unconfirmed" });
      expect(result.doubt?.detail).toMatch(/^the text was delivered and the keys were not: /);
      expect(home.got).toEqual(["%0 x"]);
    }),
  );
});

describe("what was loaded by a program that died then", () => {
  const verbs: ReadonlyArray<
    readonly [string, (sessions: FakeHome["sessions"]) => Effect.Effect<unknown, unknown>]
  > = [
    ["a send", (sessions) => sessions.send("a", "y")],
    ["a reconcile", (sessions) => sessions.reconcile("a")],
    ["a delete", (sessions) => sessions.delete("a")],
  ];
  for (const [verb, next] of verbs) {
    it.scoped(`is removed by ${verb}, never written, and other buffers are not touched`, () =>
      Effect.gen(function* () {
        const home = yield* reading();
        yield* home.tmux.client(["set-buffer", "-b", "mine", "text"]);
        const gate = yield* home.tmux.hold({ matches: writes, where: "before" });
        yield* Effect.fork(home.sessions.send("a", "secret"));
        yield* gate.reached;
        expect(yield* buffers(home)).toMatch(/troupe-input\/a\/[0-9]+\n/);
        yield* home.store.declare("program", "dead");
        yield* pass(next(yield* home.program("next")));
        expect(yield* buffers(home)).toBe("mine\n");
        yield* gate.release;
        yield* pass(Effect.sleep("1 second"));
        expect(home.got).toEqual(verb === "a send" ? ["%0 y"] : []);
        expect(yield* buffers(home)).toBe("mine\n");
      }),
    );
  }
});

describe("a sender that was overtaken", () => {
  it.scoped("writes nothing any more, and removes nothing of the one that took over", () =>
    Effect.gen(function* () {
      const home = yield* reading();
      const gate = yield* home.tmux.hold({ matches: writes, where: "before" });
      const fiber = yield* Effect.fork(Effect.flip(home.sessions.send("a", "old")));
      yield* gate.reached;
      yield* home.store.declare("program", "dead");
      const next = yield* home.program("next");
      expect((yield* next.send("a", "new")).status).toBe("delivered");
      yield* gate.release;
      expect(yield* pass(Fiber.join(fiber))).toMatchObject({ _tag: "Busy", reason: "overtaken" });
      expect(home.got).toEqual(["%0 new"]);
    }),
  );
});
