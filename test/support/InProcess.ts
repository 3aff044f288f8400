/**
 * InProcess: a call of the command in this process, in the home of a stage.
 *
 * For what a command says, where it does not matter how a process of its own ends: its start would
 * be most of the time. The caller is no terminal unless the test says so.
 */
import { Effect } from "effect";
import { Caller } from "../../examples/cli/src/Caller.js";
import { runProgram } from "../../examples/cli/src/Program.js";
import { onStage, type Stage } from "./Stage.js";

/** What a call wrote, all of it, and its exit code. */
export interface Written {
  readonly out: string;
  readonly err: string;
  readonly exit: number;
}

/** What may be other than usual about the caller. */
export interface CallerOptions {
  readonly width?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly terminal?: (typeof Caller)["Service"]["terminal"];
  readonly showProgress?: (line: string) => Effect.Effect<void>;
}

/** Runs a call in this process, in the home of the stage. */
export const callIn = (
  stage: Stage,
  words: ReadonlyArray<string>,
  options: CallerOptions = {},
): Promise<Written> => {
  let out = "";
  const places = { TROUPE_HOME: stage.home, TROUPE_SOCKET: stage.socket, HOME: stage.directory };
  const own = { PATH: process.env.PATH ?? "", ...places, ...options.environment };
  const caller: (typeof Caller)["Service"] = {
    environment: new Map(Object.entries(own)),
    cwd: stage.directory,
    undecodable: { word: null, variables: new Set(), cwd: false },
    homeDirectory: stage.directory,
    terminal: options.terminal ?? { input: false, output: false },
    paper: { colour: false, width: options.width ?? null },
    say: () => Effect.void,
    write: (chunk) =>
      Effect.sync(() => {
        out += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
      }),
    read: () => Effect.succeed(new Uint8Array()),
    showProgress: options.showProgress ?? null,
  };
  return Effect.runPromise(
    runProgram(words, Effect.never).pipe(
      Effect.provideService(Caller, caller),
      Effect.map(({ exit, stderr, stdout }) => ({ exit, out: out + stdout, err: stderr })),
    ),
  );
};

/** On a stage whose directory is HOME as well, which is how it finds what it has to end. */
export const atStage = (play: (stage: Stage) => Promise<void>) =>
  onStage(async (stage) => {
    const { HOME } = process.env;
    process.env.HOME = stage.directory;
    try {
      await play(stage);
    } finally {
      if (HOME === undefined) delete process.env.HOME;
      else process.env.HOME = HOME;
    }
  });
