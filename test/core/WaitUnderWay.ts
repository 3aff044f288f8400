/**
 * WaitUnderWay: a wait for something of a session on a fake home, and how it ends.
 *
 * Time passes when the test lets it.
 */
import type { WaitCondition, WaitOptions } from "@troupe/core";
import { Clock, Effect, Exit, TestClock } from "effect";
import { type FakeHome, fakeHome, pass } from "./FakeHome.js";

/** A program that prints what is typed. */
export const cat = { command: ["cat"], cwd: "/" };

/** A home with such a session, `a`. */
export const made = (options: Parameters<typeof fakeHome>[0] = {}, how: object = cat) =>
  Effect.gen(function* () {
    const home = yield* fakeHome(options);
    yield* pass(home.sessions.create({ session: "a", ...cat, ...how }));
    return home;
  });

/** A wait under way; `ended` is how, and how many milliseconds it took, `null` while it goes on. */
export const waiting = (home: FakeHome, condition: WaitCondition, options: WaitOptions = {}) =>
  Effect.gen(function* () {
    const beganMs = yield* Clock.currentTimeMillis;
    const calls = (yield* home.tmux.requests).length;
    let ended: { readonly how: string; readonly ms: number } | null = null;
    const fiber = yield* home.sessions.wait("a", condition, options).pipe(
      Effect.onExit((exit) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const failure = Exit.isFailure(exit) && exit.cause._tag === "Fail" && exit.cause.error;
          const how = failure === false ? exit._tag : failure._tag;
          ended = { how, ms: now - beganMs };
        }),
      ),
      Effect.fork,
    );
    yield* TestClock.adjust(0);
    return {
      fiber,
      ended: () => ended,
      calls: Effect.map(home.tmux.requests, (all) => all.length - calls),
    };
  });
