/**
 * Connection: the library, wired for the home and the server of one call.
 *
 * Loaded only by a command that needs it, because SQLite and the wiring are most of the start-up.
 * It is closed when the command ends, however it ends; nothing is made before the first change.
 */
import type { Sessions } from "@troupe/core";
import { Effect } from "effect";
import type { Caller } from "./Caller.js";
import type { Call } from "./CommandSpec.js";
import { locationOf } from "./Location.js";

/** Gives the work the sessions of the call's home. */
export const withSessions = <A, E, R>(
  call: Call,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, Exclude<R, Sessions> | Caller> =>
  Effect.gen(function* () {
    const location = yield* locationOf(call);
    const { Troupe } = yield* Effect.promise(() => import("@troupe/node"));
    return yield* Effect.provide(work, Troupe.layer(location));
  });
