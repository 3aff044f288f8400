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
import { Effect, type Scope } from "effect";

/** A fresh home, removed when the scope closes. */
export const throwawayHome: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "troupe-demo-"))),
  (home) => Effect.promise(() => rm(home, { recursive: true, force: true })),
);

/** Ends every session of the home and its server; what cannot be ended is a defect of the tour. */
export const clearHome: Effect.Effect<void, never, Sessions> = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const { sessions: left } = yield* sessions.list();
  yield* Effect.forEach(left, ({ session }) => sessions.delete(session, { graceMs: 0 }));
  yield* sessions.stopServer;
}).pipe(Effect.orDie);
