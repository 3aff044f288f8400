/**
 * A restore whose kill and whose look behind it are not answered: no row says that a kill was
 * begun, so the next reconcile bars what may still come of it, and the row says what is so.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass } from "./FakeHome.js";

const isKill = ({ stdin }: TmuxRequest): boolean => String(stdin).includes("kill-session");

const claims = (home: FakeHome) => [...home.store.claims.values()];

/** A home with a session whose program ended, and a kill of a restore that tmux still has to do. */
const doubted = Effect.gen(function* () {
  const home = yield* fakeHome();
  yield* pass(home.sessions.create({ session: "a", command: ["true"], cwd: "/" }));
  let killed = false;
  const kills = (request: TmuxRequest) => {
    killed ||= isKill(request);
    return isKill(request);
  };
  yield* home.tmux.inject({ fault: Fault.lateEffect, matches: kills });
  yield* home.tmux.inject({ fault: Fault.hang, matches: () => killed, times: 1_000 });
  const restoring = yield* Effect.fork(Effect.flip(home.sessions.restore("a")));
  yield* TestClock.adjust("5 minutes");
  const error = yield* Fiber.join(restoring);
  expect(error).toMatchObject({ _tag: "KillUnconfirmed", attempted: "restore" });
  expect(claims(home)).toMatchObject([{ owner: null, fenceDue: true }]);
  yield* home.tmux.clearFaults;
  return home;
});

describe("behind a restore whose kill may still come", () => {
  for (const [who, reconcile] of [
    ["of every name", "reconcileAll"],
    ["of that name", "reconcile"],
  ] as const) {
    it.scoped(`a reconcile ${who} bars it: it does nothing any more`, () =>
      Effect.gen(function* () {
        const home = yield* doubted;
        if (reconcile === "reconcile") yield* pass(home.sessions.reconcile("a"));
        else yield* pass(home.sessions.reconcileAll);
        yield* home.tmux.release;
        expect([yield* home.inTmux, yield* home.rows]).toEqual([["a"], ["a/1 exited"]]);
        expect(yield* home.sessions.reconcilePlan).toMatchObject([
          { outcome: { right: { changed: false } } },
        ]);
        expect(claims(home)).toMatchObject([{ owner: null, fenceDue: false }]);
      }),
    );
  }

  it.scoped("a reconcile tells that the session is lost, where it has come", () =>
    Effect.gen(function* () {
      const home = yield* doubted;
      yield* home.tmux.release;
      expect([yield* home.inTmux, yield* home.rows]).toEqual([[], ["a/1 exited"]]);
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.rows).toEqual(["a/1 lost"]);
    }),
  );
});
