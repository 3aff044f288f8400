/**
 * Caller: the person or program that calls the command, as far as the command may know.
 *
 * It is read once, in main, and handed down, so that no command looks at the process by itself.
 * `TMUX` and its like are in the environment, and only `attach` reads them.
 */
import type { Undecodable } from "@troupe/node";
import { Context, type Effect } from "effect";
import type { Paper } from "./Table.js";

/** Whose environment, directory and terminal these are. */
export class Caller extends Context.Tag("troupe/Caller")<
  Caller,
  {
    readonly environment: ReadonlyMap<string, string>;
    /** Absolute. */
    readonly cwd: string;
    /** What of the words, the environment and the directory is no UTF-8, and was changed. */
    readonly undecodable: Undecodable;
    /** Absolute; what `~` means. */
    readonly homeDirectory: string;
    /** Whether standard input and standard output are terminals. */
    readonly terminal: { readonly input: boolean; readonly output: boolean };
    /** What standard output is: colour is for a terminal, and not with `NO_COLOR`. */
    readonly paper: Paper;
    /** Tells a person something before the command has ended; nothing is said to a program. */
    readonly say: (line: string) => Effect.Effect<void>;
    /**
     * Writes to standard output before the command has ended, and waits until it is taken: the
     * elements of a command that goes on, for people and programs alike.
     */
    readonly write: (chunk: string | Uint8Array) => Effect.Effect<void>;
    /**
     * Standard input to its end, or to where it is at least so many bytes; fails with why it cannot
     * be read.
     */
    readonly read: (atLeast: number) => Effect.Effect<Uint8Array, string>;
    /**
     * Puts a line in the place of the one that was shown there last, on standard error; an empty
     * one takes it away. `null` when nobody looks.
     */
    readonly showProgress: ((line: string) => Effect.Effect<void>) | null;
  }
>() {}
