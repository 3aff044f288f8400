/**
 * SessionOptions: what a caller says of a session or a terminal that is to be made or ended.
 *
 * Everything but the name may be left out. Nothing here is checked: the flows check it whole before
 * anything is done. Environment values are best given `Redacted`; a string becomes that at once.
 */
import type { Redacted } from "effect";
import type { IncarnationId } from "./Identity.js";

/** Values by the names of their variables. */
export type EnvironmentValues = Readonly<Record<string, string | Redacted.Redacted<string>>>;

/** What a session is to be. */
export interface CreateOptions {
  readonly session: string;
  /** An argv, looked up on the session's PATH and executed as it stands; else a login shell. */
  readonly command?: ReadonlyArray<string> | undefined;
  /** Absolute; the creator's own working directory unless given. */
  readonly cwd?: string | undefined;
  /** Values for the program, beside the base environment. They are held in no row, log or argv. */
  readonly env?: EnvironmentValues | undefined;
  /** Pass the creator's whole environment, not only the allow-list. */
  readonly inheritEnv?: boolean | undefined;
  /** Record what its terminals print, also further ones; true unless given. */
  readonly log?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** How long the program must live, or until a delete is sent; 0 does not wait. */
  readonly startWindowMs?: number | undefined;
  /** Delete the session when it is so old. Whoever reconciles does it, and a host program. */
  readonly ttlMs?: number | undefined;
  /** Delete it when nothing was printed in it for so long; it must be recorded for that. */
  readonly idleTtlMs?: number | undefined;
  /** A create that carries the same id again gives the session that the first one made. */
  readonly requestId?: string | undefined;
  /** Delete the session that holds the name first; nothing comes between the two. */
  readonly replace?: boolean | undefined;
}

/** What a further terminal is to be. What is not given is as for the session. */
export interface AddTerminalOptions {
  readonly session: string;
  /** An argv, as in `CreateOptions`; else a login shell. */
  readonly command?: ReadonlyArray<string> | undefined;
  readonly cwd?: string | undefined;
  /** Values beside those that the session was made with, or in place of them. */
  readonly env?: EnvironmentValues | undefined;
  /** Start without the values of the session: else each must be held by this program or given. */
  readonly withoutEnv?: boolean | undefined;
  readonly startWindowMs?: number | undefined;
}

/** How a terminal is to be deleted. */
export interface DeleteTerminalOptions {
  /** How long programs that catch TERM may take to end. */
  readonly graceMs?: number | undefined;
  /** Take the claim from a holder that lives; its later steps are then refused. */
  readonly force?: boolean | undefined;
}

/** How a session is to be deleted. */
export interface DeleteOptions extends DeleteTerminalOptions {
  /**
   * Leave alone what left the session on purpose: a new process session, a double fork. Of a delete
   * that is run again the last word holds, whoever finishes it.
   */
  readonly spareDetached?: boolean | undefined;
  /** Whether to keep what the terminals show; true unless given. */
  readonly snapshot?: boolean | undefined;
  /** Only this one: what has the name in its place is not touched, and it counts as gone. */
  readonly incarnation?: IncarnationId | undefined;
}

/** Which terminal is to be read, and how. */
export interface CaptureOptions {
  /** The newest so many lines of screen and history, 200 unless given; `null` is all. */
  readonly lines?: number | null | undefined;
  /** The first that is there, unless given. */
  readonly terminal?: string | undefined;
  /** One line where tmux wrapped one; else a row of the screen is a line. */
  readonly join?: boolean | undefined;
  /** With the escape sequences of colours and the like. */
  readonly ansi?: boolean | undefined;
}

/** Whose output is to be read, and from where. */
export interface OutputOptions {
  /** The first terminal, unless given. */
  readonly terminal?: string | undefined;
  /** The sequence to begin at; 0, the first byte ever, unless given. */
  readonly from?: number | undefined;
  /**
   * Whose output: the newest incarnation's, unless given. A sequence counts within one, so whoever
   * goes on at a sequence names the incarnation that it is of.
   */
  readonly incarnation?: string | undefined;
  /** Wait for more at the end of what is recorded; true unless given. */
  readonly follow?: boolean | undefined;
}

/** What a list tells of, and how it asks. */
export interface ListOptions {
  /** Also the sessions that ended; false unless given. */
  readonly all?: boolean | undefined;
  /**
   * Ask tmux beside the registry and not behind it, and once more where the two may not be of the
   * same moment: sooner for a program whose registry is not open yet. It costs a question to tmux
   * where there are no rows.
   */
  readonly early?: boolean | undefined;
}

/** What is sent to a terminal: the text, then the keys, then Enter. */
export interface SendInput {
  /** Byte for byte; a string as its UTF-8. Without a NUL. */
  readonly text?: string | Uint8Array | undefined;
  /** In tmux's names: `C-c`, `Up`, `M-x`, `F5`, or one character. */
  readonly keys?: ReadonlyArray<string> | undefined;
  /** Whether Enter is pressed at the end. */
  readonly enter?: boolean | undefined;
}

/** Where input is sent. */
export interface SendOptions {
  /** The first that is there, unless given. */
  readonly terminal?: string | undefined;
}

/** Where something is waited for, and for how long. */
export interface WaitOptions {
  /** The first terminal, unless given. */
  readonly terminal?: string | undefined;
  /**
   * How long at most: 30 s unless given, and for an idle wait so long beside the idle time. With 0
   * it is looked once.
   */
  readonly timeoutMs?: number | undefined;
}
