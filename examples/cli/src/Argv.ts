/**
 * Argv: from the words of a command line to a call, exactly. Pure.
 *
 * Node's own parser does the words; this adds the commands, and that what is behind the first `--`
 * is never looked into. Values reach the call unchanged: not trimmed, not split, not guessed at
 * (`@effect/cli` trims repeated values and takes a name such as `y` for the value of a switch in
 * front of it). Messages name options and never values: a value may be a secret.
 */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { Either } from "effect";
import { Usage } from "./CommandFailure.js";
import type { Call, CommandSpec } from "./CommandSpec.js";
import { globals, type Option, standalone } from "./Options.js";

/** What the words ask for. */
export type Request =
  | { readonly _tag: "Run"; readonly command: CommandSpec; readonly call: Call }
  | { readonly _tag: "Help"; readonly command: CommandSpec | null }
  | { readonly _tag: "Version" }
  | { readonly _tag: "Completions"; readonly shell: string };

type Specs = NonNullable<ParseArgsConfig["options"]>;

const specs = (options: ReadonlyArray<Option>): Specs =>
  Object.fromEntries(
    options.map(({ kind, name }) => [
      name,
      { type: kind === "switch" ? "boolean" : "string", multiple: kind === "repeated" } as const,
    ]),
  );

/** The words before the first `--`, and those behind it. */
export const splitTail = (
  words: ReadonlyArray<string>,
): readonly [head: ReadonlyArray<string>, tail: ReadonlyArray<string> | null] => {
  const at = words.indexOf("--");
  return at === -1 ? [words, null] : [words.slice(0, at), words.slice(at + 1)];
};

/** Where the name of the command stands: the first word that is no option and no option's value. */
const commandAt = (head: ReadonlyArray<string>): number => {
  const options = specs([...globals, ...standalone]);
  const { tokens } = parseArgs({ args: [...head], options, strict: false, tokens: true });
  return tokens.find(({ kind }) => kind === "positional")?.index ?? -1;
};

type Words = Readonly<Record<string, unknown>>;

const makeCall = (
  values: Words,
  args: ReadonlyArray<string>,
  tail: ReadonlyArray<string> | null,
): Call => ({
  has: ({ name }) => values[name] === true,
  one: ({ name }) => {
    const word = values[name];
    return typeof word === "string" ? word : null;
  },
  all: ({ name }) => {
    const words = values[name];
    return Array.isArray(words) ? words.map(String) : [];
  },
  args,
  tail,
});

/** What is wrong with the words, although each of them is known. */
const faultOf = (command: CommandSpec, call: Call): string | null => {
  const { least, most, tail, usage } = command.args;
  const options = [...globals, ...command.options];
  const empty = options.find((option) => option.kind === "value" && call.one(option) === "");
  if (empty !== undefined) return `--${empty.name} wants a value`;
  if (tail && call.tail?.length === 0) return "there is no COMMAND behind --";
  if (call.args.length < least) return `${usage} is missing`;
  if (call.args.length <= most) return null;
  return tail ? "there is more than NAME; COMMAND goes behind --" : "there are too many arguments";
};

const parseCall = (
  command: CommandSpec,
  head: ReadonlyArray<string>,
  tail: ReadonlyArray<string> | null,
): Either.Either<Request, Usage> => {
  const usage = (reason: string) => Either.left(new Usage({ command: command.name, reason }));
  const options = specs([...globals, ...command.options]);
  return Either.try({
    try: () => parseArgs({ args: [...head], options, allowPositionals: true }),
    catch: (error) => (error instanceof Error ? error.message : String(error)),
  }).pipe(
    Either.flatMap(({ positionals, values }) => {
      const own = command.args.tail;
      const args = own ? positionals : [...positionals, ...(tail ?? [])];
      const call = makeCall(values, args, own ? tail : null);
      const fault = faultOf(command, call);
      return fault === null
        ? Either.right<Request>({ _tag: "Run", command, call })
        : Either.left(fault);
    }),
    Either.orElse((reason) => usage(reason.split("\n")[0]?.replace(/\. To specify.*/, "") ?? "")),
  );
};

/** What stands in place of a command, when no command does. */
const parseStandalone = (head: ReadonlyArray<string>): Either.Either<Request, Usage> => {
  const usage = (reason: string) => Either.left(new Usage({ command: null, reason }));
  const options = specs([...globals, ...standalone]);
  const { tokens } = parseArgs({ args: [...head], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    if (token.name === "version") return Either.right({ _tag: "Version" });
    if (token.name === "completions") {
      return Either.right({ _tag: "Completions", shell: token.value ?? "" });
    }
    if (options[token.name] === undefined) return usage(`Unknown option '${token.rawName}'`);
  }
  return usage("there is no COMMAND");
};

/** Reads the words behind the program's name. */
export const parseArgv = (
  commands: ReadonlyArray<CommandSpec>,
  words: ReadonlyArray<string>,
): Either.Either<Request, Usage> => {
  const [head, tail] = splitTail(words);
  const at = commandAt(head);
  const name = head[at];
  const command = commands.find((c) => name !== undefined && [c.name, c.alias].includes(name));
  const wantsHelp = head.includes("--help") || head.includes("-h");
  if (wantsHelp && (command !== undefined || name === undefined)) {
    return Either.right({ _tag: "Help", command: command ?? null });
  }
  if (name === undefined) return parseStandalone(head);
  if (command === undefined) {
    const reason = `there is no command ${JSON.stringify(name)}`;
    return Either.left(new Usage({ command: null, reason }));
  }
  return parseCall(command, [...head.slice(0, at), ...head.slice(at + 1)], tail);
};
