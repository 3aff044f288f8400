/**
 * Throwaway: a home of its own for one tour, gone with it.
 *
 * Whatever happened in between, the end deletes every session, stops the server and removes the
 * files, in this order: a home is never removed from under a server that lives.
 */
import { mkdtemp, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sessions } from "@troupe/core";
import { Effect, type Scope } from "effect";
import { DemoFailed } from "../CommandFailure.js";

/** One that is cleared is gone, and one that could not be is not empty. */
const removeEmpty = (home: string): Promise<void> =>
  rmdir(home).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTEMPTY") throw error;
  });

/**
 * A fresh home, which goes with its scope while nothing is in it: a tour may be told to end before
 * it has begun. It stays when `clearHome` fails, so that what lives in it can be found.
 */
export const throwawayHome: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "troupe-demo-"))),
  (home) => Effect.promise(() => removeEmpty(home)),
);

/** Ends every session of the home and its server, then removes it; else a defect names it. */
export const clearHome = (home: string): Effect.Effect<void, never, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    const { sessions: left } = yield* sessions.list();
    yield* Effect.forEach(left, ({ session }) => sessions.delete(session, { graceMs: 0 }));
    // Without a row nothing was ever made, and there is no server, nor perhaps a tmux.
    const { sessions: made } = yield* sessions.list({ all: true });
    if (made.length > 0 && (yield* sessions.stopServer) === "kept") {
      return yield* new DemoFailed({ reason: "the server has a session that is not the tour's" });
    }
    yield* Effect.promise(() => rm(home, { recursive: true, force: true }));
  }).pipe(
    Effect.catchAll(({ message }) => Effect.dieMessage(`${home} could not be cleared: ${message}`)),
  );
