/**
 * Host: the port to what a session inherits from, or finds on, the machine of its creator.
 *
 * Core decides what a base environment and a good directory are; this port only tells what is
 * there. It starts nothing and changes nothing.
 */
import { Context, type Effect } from "effect";
import type { LookupFailed } from "./SessionError.js";

/** What a path is to the user that we run as. */
export type DirectoryVerdict = "ok" | "missing" | "not-a-directory" | "not-permitted";

/** What a path is to somebody who wants to execute it. `not-permitted`: a file, but not for us. */
export type ProgramVerdict = "ok" | "missing" | "not-a-file" | "not-permitted";

/** The creator's machine. */
export class Host extends Context.Tag("@troupe/core/Host")<
  Host,
  {
    /** The creator's environment, as it was when the program started. */
    readonly environment: ReadonlyMap<string, string>;
    /** The variables whose values are no UTF-8: `environment` has another value of each. */
    readonly undecodable: ReadonlySet<string>;
    /** The creator's own working directory, absolute; it may have been removed meanwhile. */
    readonly cwd: Effect.Effect<string, LookupFailed>;
    /** Whether a session can start in this directory. */
    readonly directory: (path: string) => Effect.Effect<DirectoryVerdict, LookupFailed>;
    /** Whether an executable regular file is at this path, and else why not. */
    readonly program: (path: string) => Effect.Effect<ProgramVerdict, LookupFailed>;
  }
>() {}
