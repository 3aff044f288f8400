/**
 * PaneInput: the part of the port to tmux by which a terminal is sent something.
 *
 * Bytes take two lists: `load` brings them to the server and touches no terminal, `send` writes
 * them to the pane in one guarded list and removes them. So what was cut off on its way is never
 * written in part. What was loaded and not sent, because its program was killed say, goes when the
 * fence of its name is raised, and behind that no older load does anything.
 */
import type { Effect } from "effect";
import type { LookupFailed } from "./SessionError.js";
import type { Fence, Refusal, Target, TerminalTarget } from "./Tmux.js";

/** The pane of a terminal that input is meant for. */
export interface PaneTarget extends Target, Pick<TerminalTarget, "terminal" | "paneId"> {
  /** Of the server, as a listing told it: how to write bytes as they are depends on it. */
  readonly version: string;
}

/** What is written: what was loaded under the epoch of the target, or keys; none only looks. */
export type InputPart =
  | { readonly _tag: "Loaded" }
  | { readonly _tag: "Keys"; readonly keys: ReadonlyArray<string> };

/**
 * What came of it. `Unsent`: the terminal takes no input, its program has ended say; `Gone`: the
 * pane is not there, or is not that terminal's. With either nothing was written.
 */
export type Sent =
  | { readonly _tag: "Sent" }
  | { readonly _tag: "Unsent"; readonly detail: string }
  | { readonly _tag: "Gone" };

/** The calls. */
export interface PaneInput {
  /** Brings bytes to the server, at least one, whole or not at all. Nothing is written yet. */
  readonly load: (
    fence: Fence,
    bytes: Uint8Array,
  ) => Effect.Effect<{ readonly _tag: "Loaded" | "Stale" }, LookupFailed>;
  /**
   * Writes to the pane, out of copy mode first, in one list: all of it or nothing. In the pane it
   * leaves a receipt. What was loaded is gone then, whatever came of it.
   */
  readonly send: (
    target: PaneTarget,
    part: InputPart,
  ) => Effect.Effect<Sent | Refusal, LookupFailed>;
  /**
   * Whether the newest part that was written to the pane is this one; `null` when the pane is not
   * there. It proves that a send whose answer was lost did nothing only behind a raised fence.
   */
  readonly wasSent: (
    target: PaneTarget,
    part: InputPart,
  ) => Effect.Effect<boolean | null, LookupFailed>;
}
