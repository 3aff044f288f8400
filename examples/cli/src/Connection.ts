/**
 * Connection: the library, wired for the home and the server of one call.
 *
 * Loaded only by a command that needs it, because SQLite and the wiring are most of the start-up.
 * It is closed when the command ends, however it ends; nothing is made before the first change.
 */
import { Effect } from "effect";
import type { Call } from "./CommandSpec.js";
import { locationOf } from "./Location.js";
import { withNearNames } from "./Near.js";

/** Gives the work the sessions of the call's home. */
export const withSessions = <A, E, R>(call: Call, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const location = yield* locationOf(call);
    const { Troupe } = yield* Effect.promise(() => import("@troupe/node"));
    return yield* Effect.provide(withNearNames(work), Troupe.layerSessions(location));
  });

/** Gives it the leases too. */
export const withLeases = <A, E, R>(call: Call, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const location = yield* locationOf(call);
    const { Troupe } = yield* Effect.promise(() => import("@troupe/node"));
    return yield* Effect.provide(withNearNames(work), Troupe.layer(location));
  });
