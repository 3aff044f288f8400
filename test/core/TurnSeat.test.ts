/**
 * The seat of a writer: one turn at a time, in order, so many and no more, and an interrupt that
 * meets its own turn alone.
 */
import { describe, expect, it } from "@effect/vitest";
import { AwakeMillis, type RunningTurn, TurnId, TurnInterrupted, TurnSeat } from "@troupe/core";
import { Deferred, Effect, Fiber, FiberId } from "effect";
import { writer } from "./LeaseHome.js";
import { runs, settle, told } from "./TurnHome.js";

const seat = (bound = 3) => new TurnSeat(writer("a", "x"), "interactive", bound);

const running = (id: string): RunningTurn => ({
  id: TurnId.make(id),
  startedAt: AwakeMillis(0),
  lastActivity: AwakeMillis(0),
  fiber: null,
  cause: null,
  settlesBy: null,
  children: [],
  isOver: false,
  settled: Deferred.unsafeMake(FiberId.none),
});

const soon = AwakeMillis(5);

describe("a seat", () => {
  it.effect("is given to one at a time, in the order in which they came", () =>
    Effect.gen(function* () {
      const place = seat();
      const log: Array<string> = [];
      const enter = (who: string) => Effect.tap(place.enter, () => void log.push(who));
      yield* enter("1");
      const waiting = yield* Effect.forEach(["2", "3"], (who) => Effect.fork(enter(who)));
      yield* settle;
      expect(log).toEqual(["1"]);
      place.leave();
      yield* settle;
      place.leave();
      yield* Fiber.joinAll(waiting);
      expect(log).toEqual(["1", "2", "3"]);
      place.leave();
      yield* enter("4");
    }),
  );

  it.effect("has so many who wait; one more is refused, and nobody is lost by that", () =>
    Effect.gen(function* () {
      const place = seat(1);
      yield* place.enter;
      const waits = yield* Effect.fork(place.enter);
      yield* settle;
      expect(yield* told(place.enter)).toBe("MailboxFull");
      place.leave();
      yield* Fiber.join(waits);
    }),
  );

  it.effect("goes to the next one when who waits leaves, also at the moment it is let in", () =>
    Effect.gen(function* () {
      const place = seat();
      yield* place.enter;
      const leaves = yield* Effect.fork(place.enter);
      const stays = yield* Effect.fork(place.enter);
      yield* settle;
      place.leave();
      const left = yield* Fiber.interrupt(leaves);
      if (left._tag === "Success") place.leave();
      yield* Fiber.join(stays);
    }),
  );

  it.effect("is void to who was let in and has not begun when everything is dropped", () =>
    Effect.gen(function* () {
      const place = seat();
      const dropped = yield* place.enter;
      expect(dropped()).toBeNull();
      const waits = yield* Effect.fork(told(place.enter));
      yield* settle;
      place.running = running("turn-1");
      expect(place.interrupt(TurnId.make("turn-1"), "user_stop", soon)).toBe(true);
      expect(yield* Fiber.join(waits)).toBe("TurnInterrupted");
      expect(dropped()?._tag).toBe("TurnInterrupted");
    }),
  );

  it.effect("is not left by who is interrupted too late: the next turn is another", () =>
    Effect.gen(function* () {
      const place = seat();
      yield* place.enter;
      place.running = running("turn-2");
      const waits = yield* Effect.fork(place.enter);
      yield* settle;
      expect(place.interrupt(TurnId.make("turn-1"), "user_stop", soon)).toBe(false);
      expect([place.running.cause, yield* runs(waits)]).toEqual([null, true]);
      place.running = null;
      expect(place.interrupt(TurnId.make("turn-2"), "user_stop", soon)).toBe(false);
    }),
  );

  it.effect("keeps the first cause of an interrupt, and the time by which that is over", () =>
    Effect.sync(() => {
      const place = seat();
      const turn = running("turn-1");
      place.running = turn;
      place.interrupt(turn.id, "user_stop", soon);
      place.interrupt(turn.id, "closing", AwakeMillis(9));
      expect([turn.cause, turn.settlesBy]).toEqual(["user_stop", 5]);
    }),
  );

  it.effect("lets nobody in once it closes", () =>
    Effect.gen(function* () {
      const place = seat();
      place.closing = "explicit_close";
      expect(yield* told(place.enter)).toBe("Closing");
    }),
  );

  it.effect(
    "begins a turn in the step in which nothing speaks against it, and else tells why",
    () =>
      Effect.gen(function* () {
        const turn = running("turn-1");
        const open = seat();
        const dropped = yield* open.enter;
        expect([open.begin(turn, dropped), open.running]).toEqual([null, turn]);
        const closed = seat();
        const late = yield* closed.enter;
        closed.closing = "explicit_close";
        expect(closed.begin(turn, late)).toMatchObject({ _tag: "Closing" });
        const stopped = seat();
        const stop = yield* stopped.enter;
        const by = { session: "a", attempted: "x", turn: null, by: "user_stop" } as const;
        stopped.drop(new TurnInterrupted(by));
        expect(stopped.begin(turn, stop)).toMatchObject({ _tag: "TurnInterrupted" });
        expect([closed.running, stopped.running]).toEqual([null, null]);
      }),
  );
});
