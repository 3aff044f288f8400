/**
 * OutputFiles: the port to what tmux records of the terminals' output.
 *
 * Each terminal's output is one run of bytes from its first to its last, numbered from 0: the
 * number of a byte is its sequence. The newest are kept, in a ring that tmux itself fills, so
 * recording needs no program of ours and goes on without one. What is recorded stays when its
 * session ends, until it is removed. Reading changes nothing and never makes a home.
 */
import { Context, type Effect, type Scope } from "effect";
import type { IncarnationId, TerminalId } from "./Identity.js";
import type { LookupFailed } from "./SessionError.js";

/** Whose output it is. */
export interface TerminalOutput {
  readonly incarnation: IncarnationId;
  readonly terminal: TerminalId;
}

/**
 * What the recorder of a terminal is doing. `absent`: it has recorded nothing yet, or never will.
 * `idle`: what the terminal printed before this was asked is recorded, whole. `recording`: that is
 * not known. `ended`: it recorded the last byte and ended. `broken`: it could not go on recording;
 * what came behind its last byte is lost, and how much that was is not known.
 */
export type RecorderState = "absent" | "recording" | "idle" | "ended" | "broken";

/** What is recorded from a sequence on, as far as it was asked for. */
export interface OutputRange {
  /** The sequence of the first byte of `data`: later than what was asked for behind a gap. */
  readonly from: number;
  readonly data: Uint8Array;
  /** Looked at before the data was. */
  readonly recorder: RecorderState;
}

/** That something is recorded of an incarnation; `at` is when it was last written. */
export interface OutputLeft {
  readonly incarnation: IncarnationId;
  readonly at: number;
}

/** What is recorded of the terminals of one home. */
export class OutputFiles extends Context.Tag("@troupe/core/OutputFiles")<
  OutputFiles,
  {
    /** The directory, absolute, that a recorder is to fill; each is of one terminal alone. */
    readonly place: (output: TerminalOutput) => string;
    /**
     * At most `most` bytes from the sequence on; none where none are recorded yet. Bytes that the
     * ring dropped are passed over, and `from` tells.
     */
    readonly read: (
      output: TerminalOutput,
      from: number,
      most: number,
    ) => Effect.Effect<OutputRange, LookupFailed>;
    /**
     * Watches the output; the effect that comes of it ends when there may be more than at its last
     * end, or never. A hint: whoever follows looks again by himself, too.
     */
    readonly watch: (
      output: TerminalOutput,
    ) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>;
    /** Of which incarnations something is recorded. Never makes a home. */
    readonly left: Effect.Effect<ReadonlyArray<OutputLeft>, LookupFailed>;
    /** Forgets all that is recorded of an incarnation. Idempotent. */
    readonly remove: (incarnation: IncarnationId) => Effect.Effect<void, LookupFailed>;
  }
>() {}
