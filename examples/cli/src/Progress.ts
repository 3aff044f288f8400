/**
 * Progress: a line on standard error for what takes longer than half a second.
 *
 * Only for someone who looks: never with `--json` and never into a pipe. It tells what is being
 * waited for and promises nothing.
 */
import { Console, Effect, Fiber } from "effect";
import { Caller } from "./Caller.js";

const patience = "500 millis";

/** Runs the work; says what it is when it takes long. Changes nothing about it. */
export const withProgress =
  (what: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Caller> =>
    Effect.gen(function* () {
      const { watched } = yield* Caller;
      if (!watched) return yield* work;
      const line = yield* Effect.fork(Console.error(`${what} …`).pipe(Effect.delay(patience)));
      return yield* Effect.ensuring(work, Fiber.interrupt(line));
    });
