/**
 * SessionMarks: the part of the port to tmux that is about what a session says of itself: reading
 * the marks of one that no row knows, and marking one that troupe did not make.
 *
 * Each is one command list. A mark is set only where there is none of any home, and taken off only
 * by its own incarnation. Marks change nothing that runs.
 */
import type { Effect } from "effect";
import type { ServerId, TerminalId } from "./Identity.js";
import type { SessionSpec } from "./Session.js";
import type { LookupFailed } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import type { Fence, Mark, Refusal, SeenSession, Target } from "./Tmux.js";

/** A session that carries no mark, and the mark and terminals that it is to have. */
export interface AdoptSession extends Fence {
  readonly server: ServerId;
  readonly sessionId: string;
  readonly mark: Mark;
  readonly spec: SessionSpec;
  readonly panes: ReadonlyArray<{ readonly paneId: string; readonly terminal: TerminalId }>;
}

/** A session that is to carry no mark any more, and the panes that were marked with it. */
export interface DisownSession extends Target {
  readonly panes: ReadonlyArray<string>;
}

/** What tmux tells of a session that troupe did not make; `command` is quoted as tmux does. */
export interface Stranger {
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  readonly command: string;
}

/** What a session of ours carries with it. `spec` is as it was written, still to be decoded. */
export interface Introduction {
  readonly spec: string;
  /** 0 when no fence was ever raised. */
  readonly fence: number;
}

/** The calls; those of `Tmux`. */
export interface SessionMarks {
  /**
   * What a session of ours says of itself, and the fence of its name: what adoption needs. `null`
   * when this server has no such session any more.
   */
  readonly introduce: (
    session: SeenSession,
    server: ServerId,
  ) => Effect.Effect<Introduction | null, LookupFailed>;
  /** The fence of the name in this server, 0 when there is none; `null` when it is not there. */
  readonly fenceOf: (
    session: SessionName,
    server: ServerId,
  ) => Effect.Effect<number | null, LookupFailed>;
  /** What a session without a mark is; `null` when this server has it no more. */
  readonly stranger: (
    session: SeenSession,
    server: ServerId,
  ) => Effect.Effect<Stranger | null, LookupFailed>;
  /** Marks a session that carries no mark at all; `Elsewhere` if it does. */
  readonly adopt: (
    request: AdoptSession,
  ) => Effect.Effect<{ readonly _tag: "Adopted" } | Refusal, LookupFailed>;
  /**
   * Takes the mark of this incarnation off again, of a session that was adopted; `Elsewhere` where
   * it carries another or none. What breaks off behind its beginning leaves a stranger.
   */
  readonly disown: (
    request: DisownSession,
  ) => Effect.Effect<{ readonly _tag: "Disowned" } | Refusal, LookupFailed>;
}
