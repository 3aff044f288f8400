/**
 * AttachedClient: a client in control mode that shows a session.
 *
 * A test attaches it, or it comes with a session of its own. It has a name, which a target of a
 * session may be, no terminal, and no say in the size of windows.
 */
import type { Session } from "./Session.js";

/** What formats say about a client; one that only runs commands has no session. */
export interface FormatClient {
  readonly name: string;
  readonly pid: number;
  readonly session: Session | null;
  /** The session that it showed before, if any. */
  readonly lastSession: Session | null;
  readonly created: number;
  /** What `-f` said when it came, in the order in which tmux tells it. */
  readonly flags: ReadonlyArray<string>;
}

/** Mutable; it is gone when its session is, unless it was moved to another one. */
export class AttachedClient implements FormatClient {
  lastSession: Session | null = null;
  /** It was told to leave, and is there until the command list has ended. */
  leaving = false;

  constructor(
    readonly name: string,
    readonly pid: number,
    public session: Session,
    readonly created: number,
    readonly flags: ReadonlyArray<string> = [],
  ) {}
}
