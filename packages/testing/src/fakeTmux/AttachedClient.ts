/**
 * AttachedClient: a client in control mode that shows a session.
 *
 * The fake never makes one by a command; a test attaches it. It has a name, which a target of a
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
  ) {}
}
