/**
 * AttachedClient: a client that shows a session on a terminal of its own.
 *
 * The fake never makes one by a command; a test attaches it. It has a name, which a target of a
 * session may be.
 */
import type { Session } from "./Session.js";

/** What formats say about a client; one that only runs commands has no session. */
export interface FormatClient {
  readonly name: string;
  readonly pid: number;
  readonly session: Session | null;
  readonly created: number;
}

/** Mutable; it is gone when its session is, unless it was moved to another one. */
export class AttachedClient implements FormatClient {
  constructor(
    readonly name: string,
    readonly pid: number,
    public session: Session,
    readonly created: number,
  ) {}
}
