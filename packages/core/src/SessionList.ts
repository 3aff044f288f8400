/**
 * SessionList: what a call about every session of a home tells, with what could not be read.
 *
 * Nothing is left out because something is wrong with it.
 */
import type { Either } from "effect";
import type { Unreadable } from "./Registry.js";
import type { LookupFailed } from "./SessionError.js";
import type { NameFailure } from "./SessionFailures.js";
import type { ReconcileResult, SessionView } from "./SessionView.js";

/** What a list tells. `unasked` is why it may not be whole, when tmux
 * could not be asked or a server of this home is out of reach. */
export interface SessionList {
  readonly sessions: ReadonlyArray<SessionView>;
  readonly unreadable: ReadonlyArray<Unreadable>;
  readonly unasked: LookupFailed | null;
}

/** One name's part in `reconcileAll`; of a damaged row, the name as it stands there. */
export interface ReconcileItem {
  readonly session: string;
  readonly outcome: Either.Either<ReconcileResult, NameFailure>;
}
