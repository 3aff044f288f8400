/**
 * Program: from the words of a call to its answer, for every way in which a call can end.
 *
 * It touches no process: a signal is an effect, and what is to be written is given back. The first
 * signal interrupts the call and no more than that, so that its ending is told. A failure beside
 * an interruption wins, because it says what could not be undone.
 */
import { Cause, Effect, Either, Exit, Fiber, Option } from "effect";
import { type Answer, answer, type Ending } from "./Answer.js";
import { type Mistake, parseArgv, type Request, splitTail } from "./Argv.js";
import { Caller } from "./Caller.js";
import { type CommandFailure, Internal, Interrupted, Usage } from "./CommandFailure.js";
import { type Outcome, outcome, written } from "./CommandSpec.js";
import { commands } from "./Commands.js";
import { tellVersion } from "./commands/version.js";
import { commandHelp, groupHelp, programHelp } from "./Help.js";
import { oddPlace, placesOf } from "./Location.js";
import { mistyped } from "./Near.js";
import { Partly } from "./Partly.js";
import { TextResult } from "./Results.js";

/** Whether the answer goes to a program; known before anything else, for whatever goes wrong. */
export const wantsJson = (words: ReadonlyArray<string>): boolean =>
  splitTail(words)[0].includes("--json");

const text = (text: string): Effect.Effect<Outcome> => outcome(TextResult, { text }, text);

const helpOf = ({ command, group }: Extract<Request, { readonly _tag: "Help" }>): string => {
  if (command !== null) return commandHelp(command);
  return group === null ? programHelp(commands) : groupHelp(commands, group);
};

/** Refuses a call that node has read as another one than was written. */
const runWritten = ({
  call,
  command,
}: Extract<Request, { readonly _tag: "Run" }>): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.flatMap(Caller, (caller) => {
    const { word } = caller.undecodable;
    const place = oddPlace(call, caller);
    if (word === null && place === null) return command.run(call);
    const what = word === null ? `the value of ${place}` : `word ${word} of the call`;
    const reason = `${what} is not UTF-8, and would be taken for something else`;
    return new Usage({ command: command.name, reason });
  });

const runRequest = (request: Request): Effect.Effect<Outcome, CommandFailure, Caller> => {
  switch (request._tag) {
    case "Run":
      return runWritten(request);
    case "Help":
      return text(helpOf(request));
    case "Version":
      return tellVersion;
    case "Completions":
      return Effect.promise(() => import("./completions/Completions.js")).pipe(
        Effect.flatMap(({ completionScript }) => completionScript(commands, request.shell)),
        Effect.flatMap(text),
      );
  }
};

const nameOf = (request: Request): string => {
  if (request._tag === "Run") return request.command.name;
  if (request._tag !== "Help") return request._tag.toLowerCase();
  return request.command?.name ?? request.group ?? "help";
};

/** The same, with its result as it is told to a program, if one reads it. */
const told =
  (json: boolean) =>
  ({ failure, human, result }: Outcome): Pick<Ending, "result" | "human" | "failure"> => ({
    result: json ? result?.() : undefined,
    human: json ? "" : typeof human === "string" ? human : human(),
    failure,
  });

type Signal = Interrupted["signal"];

/** What ends a call before its time: a signal, or that nobody reads what it writes. */
export type Stop = Signal | "unread";

/** What a cause comes to; `stop` is what ended the call, if anything did; `null` for no failure. */
const failureOf = (
  cause: Cause.Cause<CommandFailure>,
  stop: Stop | null,
): CommandFailure | null => {
  const failure = Cause.failureOption(cause);
  if (Option.isSome(failure)) return failure.value;
  const defect = Cause.dieOption(cause);
  if (Option.isNone(defect) && stop !== null) {
    return stop === "unread" ? null : new Interrupted({ signal: stop });
  }
  const detail = Option.isSome(defect) ? defect.value : "interrupted by nobody";
  return new Internal({ detail: detail instanceof Error ? detail.message : String(detail) });
};

/** How a request ended, after the first signal interrupted it or by itself. */
const endingOf = (
  request: Request,
  json: boolean,
  firstStop: Effect.Effect<Stop>,
): Effect.Effect<Ending, never, Caller> =>
  Effect.gen(function* () {
    const command = nameOf(request);
    let stop: Stop | null = null;
    const partly: Partly["Type"] = { stop: null, outcome: null };
    const running = yield* Effect.fork(
      Effect.provideService(Effect.map(runRequest(request), told(json)), Partly, partly),
    );
    const interrupt = (received: Stop) => {
      stop = partly.stop = received;
      return Fiber.interrupt(running);
    };
    yield* Effect.fork(Effect.flatMap(firstStop, interrupt));
    const exit = yield* Fiber.await(running);
    const places = request._tag === "Run" ? placesOf(request.call) : [];
    if (Exit.isSuccess(exit)) return { command, places, ...exit.value };
    const failure = failureOf(exit.cause, stop);
    const diagnosis = failure?._tag === "Internal" ? `${Cause.pretty(exit.cause)}\n` : "";
    const { human, result } = told(json)({ ...written, ...partly.outcome });
    return { command, places, human, result, failure, diagnosis };
  });

/** The failure of a call that was not understood. */
const usageOf = ({ command, mistyped: typed, reason }: Mistake): Effect.Effect<Usage> =>
  typed === null
    ? Effect.succeed(new Usage({ command, reason }))
    : mistyped({ command, reason, ...typed });

/** Runs a call; never fails. `firstStop` is done when the process is told to end. */
export const runProgram = (
  words: ReadonlyArray<string>,
  firstStop: Effect.Effect<Stop>,
): Effect.Effect<Answer, never, Caller> => {
  const json = wantsJson(words);
  return Either.match(parseArgv(commands, words), {
    onLeft: (mistake) =>
      Effect.map(usageOf(mistake), (failure) => ({ command: failure.command, human: "", failure })),
    onRight: (request) => endingOf(request, json, firstStop),
  }).pipe(Effect.map((ending: Ending) => answer(ending, json)));
};
