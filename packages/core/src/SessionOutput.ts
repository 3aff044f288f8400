/**
 * SessionOutput: what a reader of a terminal's output is given, one element after the other.
 *
 * Data in order, each byte once, numbered by its sequence in the whole output; a gap where bytes
 * are not kept any more, so that nothing is missing unsaid; an end, after which nothing comes. A
 * reader that left goes on at `sequence` plus the bytes of the last data that it has, in the same
 * incarnation: a session that was restored begins at 0 again.
 */
import type { IncarnationId } from "./Identity.js";
import type { ProgramExit } from "./Session.js";

/** What was printed, as bytes: a chunk may begin or end inside of a character. */
export interface OutputData {
  readonly incarnation: IncarnationId;
  readonly type: "data";
  readonly sequence: number;
  readonly data: Uint8Array;
}

/**
 * The bytes from `sequence` up to `to` are lost: newer ones took their place. `to` is `null` when
 * recording broke off there: what the program printed behind it is not known.
 */
export interface OutputGap {
  readonly incarnation: IncarnationId;
  readonly type: "gap";
  readonly sequence: number;
  readonly to: number | null;
}

/**
 * The last element. `exited`: the program ended; `exit` says how. `deleted`: its terminal was, with
 * or without its session, or its creation was undone. `lost`: it vanished, or its server died.
 */
export interface OutputEnd {
  readonly incarnation: IncarnationId;
  readonly type: "end";
  readonly sequence: number;
  readonly reason: "exited" | "deleted" | "lost";
  readonly exit: ProgramExit | null;
}

/** Any element. */
export type OutputElement = OutputData | OutputGap | OutputEnd;
