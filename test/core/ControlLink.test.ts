/**
 * ControlLink: what becomes of calls when their connection is lost, slow, or somebody else's.
 *
 * Method: the channel is muted, so that what is sent is done and its answer does not come, and cut.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber, TestClock } from "effect";
import { change, connected, cut, look, onFake, request, sent } from "./ControlFake.js";

describe("a connection that is lost", () => {
  it.effect("costs no look, and another one is made", () =>
    Effect.gen(function* () {
      const { counted, hand, say } = yield* connected;
      expect(yield* say("before")).toBe("before");
      hand.muted = true;
      const looks = yield* Effect.fork(Effect.all([say("a"), say("b")], { concurrency: 2 }));
      yield* sent(hand, 3);
      counted.processes = 0;
      yield* cut(hand);
      expect(yield* Fiber.join(looks)).toEqual(["a", "b"]);
      expect([counted.processes, hand.channels]).toEqual([2, 2]);
      expect(yield* say("behind")).toBe("behind");
      expect(counted.processes).toBe(2);
    }).pipe(onFake),
  );

  it.effect("leaves a change unknown, which is never made twice", () =>
    Effect.gen(function* () {
      const { counted, fake, hand, tmux } = yield* connected;
      hand.muted = true;
      const changing = yield* Effect.fork(
        Effect.flip(tmux.run(request({ stdin: "set-option -sa @count x\n" }))),
      );
      yield* sent(hand, 1);
      counted.processes = 0;
      yield* cut(hand);
      expect(yield* Fiber.join(changing)).toMatchObject({
        _tag: "LookupFailed",
        reason: "signalled",
      });
      expect(counted.processes).toBe(0);
      expect((yield* fake.client(["show-options", "-sv", "@count"])).stdout).toBe("x\n");
    }).pipe(onFake),
  );

  it.effect("with its server fails a change as a process would", () =>
    Effect.gen(function* () {
      const { fake, hand, tmux } = yield* connected;
      hand.muted = true;
      const changing = yield* Effect.fork(tmux.run(change("a")));
      yield* sent(hand, 1);
      hand.muted = false;
      yield* fake.crash;
      expect(yield* Fiber.join(changing)).toEqual({
        exitCode: 1,
        stdout: "",
        stderr: "server exited unexpectedly\n",
      });
    }).pipe(onFake),
  );

  it.effect("to a kill of its keeper comes back with another one", () =>
    Effect.gen(function* () {
      const { counted, fake, hand, say, sessions } = yield* connected;
      yield* say("before");
      const [keeper = ""] = yield* sessions;
      yield* fake.client(["kill-session", "-t", `=${keeper}`]);
      counted.processes = 0;
      expect([yield* say("a"), yield* say("b")]).toEqual(["a", "b"]);
      expect([counted.processes, hand.channels]).toEqual([1, 2]);
      expect(yield* sessions).not.toEqual([keeper]);
    }).pipe(onFake),
  );

  it.effect("is not asked for a server that its socket does not reach any more", () =>
    Effect.gen(function* () {
      const { fake, tmux } = yield* connected;
      yield* fake.unlinkSocket;
      const { stderr } = yield* tmux.run(look("x"));
      expect(stderr).toMatch(/^error connecting to .* \(No such file or directory\)\n$/);
    }).pipe(onFake),
  );
});

describe("a connection that is slow", () => {
  it.effect("fails a call at its deadline, and the next ones go over processes", () =>
    Effect.gen(function* () {
      const { counted, hand, say, tmux } = yield* connected;
      yield* say("before");
      hand.muted = true;
      const late = yield* Effect.fork(Effect.flip(tmux.run(look("a"))));
      yield* TestClock.adjust(999);
      expect(late.unsafePoll()).toBe(null);
      counted.processes = 0;
      expect(yield* say("beside")).toBe("beside");
      expect(counted.processes).toBe(1);
      yield* TestClock.adjust(1);
      expect(yield* Fiber.join(late)).toMatchObject({ _tag: "LookupFailed", reason: "timeout" });
      expect(hand.channels).toBe(1);
      expect([yield* say("a"), yield* say("b")]).toEqual(["a", "b"]);
      expect([counted.processes, hand.channels]).toEqual([2, 2]);
    }).pipe(onFake),
  );

  it.effect("has its deadline also where the caller cannot be interrupted", () =>
    Effect.gen(function* () {
      const { hand, tmux } = yield* connected;
      hand.muted = true;
      const late = yield* Effect.fork(Effect.uninterruptible(Effect.flip(tmux.run(look("a")))));
      yield* Effect.fork(Fiber.interrupt(late));
      yield* TestClock.adjust(1_000);
      expect(late.unsafePoll()).not.toBe(null);
    }).pipe(onFake),
  );

  it.effect("passes over the answer of a call that was interrupted", () =>
    Effect.gen(function* () {
      const { counted, fake, hand, say } = yield* connected;
      yield* fake.stop;
      const left = yield* Effect.fork(say("left"));
      const waits = yield* Effect.fork(say("waits"));
      yield* sent(hand, 2);
      yield* Fiber.interrupt(left);
      counted.processes = 0;
      yield* fake.release;
      expect(yield* Fiber.join(waits)).toBe("waits");
      expect(yield* say("behind")).toBe("behind");
      expect(counted.processes).toBe(0);
    }).pipe(onFake),
  );
});
