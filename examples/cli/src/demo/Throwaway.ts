/**
 * Throwaway: a home of its own for one tour, gone with it.
 *
 * Whatever happened in between, the end deletes every session, stops the server and removes the
 * files, in this order: a home is never removed from under a server that lives.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sessions } from "@troupe/core";
import { Effect } from "effect";
import { DemoFailed } from "../CommandFailure.js";

/** A fresh home. It stays when `clearHome` fails, so that what lives in it can be found. */
export const throwawayHome: Effect.Effect<string> = Effect.promise(() =>
  mkdtemp(join(tmpdir(), "troupe-demo-")),
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
