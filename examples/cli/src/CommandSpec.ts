/**
 * CommandSpec: what a command of the command line is: its words, and what it runs.
 *
 * The words are data, so that the parser and the help cannot disagree. `run` gets a call that was
 * parsed already; it prints nothing and exits nothing: it gives back an outcome, and whoever runs
 * it decides how that is shown.
 */
import { Effect, Schema } from "effect";
import type { Caller } from "./Caller.js";
import type { CommandFailure } from "./CommandFailure.js";
import type { Option, Repeated, Switch, Value } from "./Options.js";

/** One call of a command, parsed. */
export interface Call {
  readonly has: (option: Switch) => boolean;
  /** `null` when it was not given; never empty. */
  readonly one: (option: Value) => string | null;
  readonly all: (option: Repeated) => ReadonlyArray<string>;
  readonly args: ReadonlyArray<string>;
  /** What stood behind `--`, verbatim; `null` without one, and never empty. */
  readonly tail: ReadonlyArray<string> | null;
}

/**
 * What a command has to tell: the same thing for programs and for people. `failure` is the first
 * one of a command that went on; then both are shown. `result` is `undefined` when everything was
 * written on the way; else it is made where a program reads it.
 */
export interface Outcome {
  readonly result: (() => unknown) | undefined;
  readonly human: string | (() => string);
  readonly failure: CommandFailure | null;
}

/** A command. */
export interface CommandSpec {
  readonly name: string;
  readonly alias: string | null;
  readonly summary: string;
  /** What it does, when it is done, and what it means to fail; a few lines. */
  readonly about: string;
  readonly args: {
    readonly usage: string;
    readonly least: number;
    readonly most: number;
    /** Whether what is behind `--` is a command to run; else it is further arguments. */
    readonly tail: boolean;
  };
  readonly options: ReadonlyArray<Option>;
  readonly examples: ReadonlyArray<string>;
  readonly run: (call: Call) => Effect.Effect<Outcome, CommandFailure, Caller>;
}

/** The outcome of a command that wrote on the way. */
export const written: Outcome = { result: undefined, human: "", failure: null };

/**
 * An outcome whose result is what its schema says; one that is not is a bug, and throws where it
 * is told to a program. A person is told `human`, and then nothing is encoded.
 */
export const outcome = <A, I>(
  schema: Schema.Schema<A, I>,
  value: A,
  human: Outcome["human"],
  failure: CommandFailure | null = null,
): Effect.Effect<Outcome> =>
  Effect.succeed({ result: () => Schema.encodeSync(schema)(value), human, failure });
