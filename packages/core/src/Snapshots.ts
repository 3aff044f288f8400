/**
 * Snapshots: the port that keeps what terminals showed before they are deleted.
 *
 * One snapshot for each terminal of an incarnation: what its screen and history held, and what it
 * was. Each is whole or not there, readable by its user alone, and stays until gc. A later one of
 * the same terminal takes the place of the one before. Best effort: that one could not be kept
 * never stands in the way of a delete.
 */
import { Context, type Effect, Schema } from "effect";
import { IncarnationId, TerminalId } from "./Identity.js";
import { ProgramExit } from "./Session.js";
import type { LookupFailed } from "./SessionError.js";
import { SessionName } from "./SessionName.js";

/**
 * What a terminal showed, and what it was; `at` is milliseconds since 1970. `truncated`: there was
 * more above it.
 */
export const Snapshot = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  incarnation: IncarnationId,
  terminal: TerminalId,
  command: Schema.NullOr(Schema.Array(Schema.String)),
  cwd: Schema.String,
  exit: Schema.NullOr(ProgramExit),
  at: Schema.Int,
  truncated: Schema.Boolean,
  text: Schema.String,
});
export type Snapshot = typeof Snapshot.Type;

/** A snapshot that is kept: `place` is where, for whoever wants to read it, `at` since when. */
export const KeptSnapshot = Schema.Struct({
  generation: Schema.Int,
  terminal: TerminalId,
  place: Schema.String,
  at: Schema.Int,
});
export type KeptSnapshot = typeof KeptSnapshot.Type;

/** That something is kept of a generation; `at` is when it was last written. */
export interface SnapshotsLeft {
  readonly session: SessionName;
  readonly generation: number;
  readonly at: number;
}

/** What is kept of terminals that were deleted. */
export class Snapshots extends Context.Tag("@troupe/core/Snapshots")<
  Snapshots,
  {
    /** Keeps it, in one step. `LookupFailed` of the source `files` when it cannot be. */
    readonly keep: (snapshot: Snapshot) => Effect.Effect<void, LookupFailed>;
    /** What is kept of the name, oldest generation first. Never makes a home. */
    readonly list: (
      session: SessionName,
    ) => Effect.Effect<ReadonlyArray<KeptSnapshot>, LookupFailed>;
    /** What is kept of a terminal; `null` when there is positively nothing. */
    readonly read: (
      session: SessionName,
      generation: number,
      terminal: TerminalId,
    ) => Effect.Effect<Snapshot | null, LookupFailed>;
    /** Of which generations of which names something is kept. Never makes a home. */
    readonly left: Effect.Effect<ReadonlyArray<SnapshotsLeft>, LookupFailed>;
    /** Forgets those of one generation, also half-written ones. Idempotent. */
    readonly remove: (
      session: SessionName,
      generation: number,
    ) => Effect.Effect<void, LookupFailed>;
  }
>() {}
