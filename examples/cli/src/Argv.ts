/**
 * Argv: from the words of a command line to a call, exactly. Pure.
 *
 * Node's own parser does the words; this adds the commands, and that what is behind the first `--`
 * is never looked into. Values reach the call unchanged: not trimmed, not split, not guessed at
 * (`@effect/cli` trims repeated values and takes a name such as `y` for the value of a switch in
 * front of it). Messages name options and never values: a value may be a secret. What may have been
 * meant by a word that is none is not looked for here; which words there are is told.
 */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { Either } from "effect";
import { groupsOf, membersOf } from "./CommandGroup.js";
import type { Call, CommandSpec } from "./CommandSpec.js";
import { globals, type Option, standalone } from "./Options.js";

/** What the words ask for. */
export type Request =
  | { readonly _tag: "Run"; readonly command: CommandSpec; readonly call: Call }
  | { readonly _tag: "Help"; readonly command: CommandSpec | null; readonly group: string | null }
  | { readonly _tag: "Version" }
  | { readonly _tag: "Completions"; readonly shell: string };

/** What is wrong with the words; `mistyped` is the one that is none of those known. */
export interface Mistake {
  readonly command: string | null;
  readonly reason: string;
  readonly mistyped: { readonly word: string; readonly known: ReadonlyArray<string> } | null;
}

type Specs = NonNullable<ParseArgsConfig["options"]>;

/** What is wrong although no command is known that it would be wrong for. */
const nowhere = (reason: string, mistyped: Mistake["mistyped"] = null) =>
  Either.left<Mistake>({ command: null, reason, mistyped });

const words = (options: ReadonlyArray<Option>): ReadonlyArray<string> =>
  options.map(({ name }) => `--${name}`);

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

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/** The words, while it is not known whose options they are: those of every command alone are. */
const tokensOf = (
  head: ReadonlyArray<string>,
  known: ReadonlyArray<Option> = [...globals, ...standalone],
): ReadonlyArray<Token> =>
  parseArgs({ args: [...head], options: specs(known), strict: false, tokens: true }).tokens;

/** Whether help is asked for, by a word that is not the value of an option. */
const asksForHelp = (tokens: ReadonlyArray<Token>): boolean =>
  tokens.some((token) => token.kind === "option" && ["--help", "-h"].includes(token.rawName));

/** The first option of the words that is of some command, or of none. */
const strangerIn = (tokens: ReadonlyArray<Token>): string | null => {
  const known = new Set([...globals, ...standalone].map(({ name }) => name));
  for (const token of tokens) {
    if (token.kind === "positional") return null;
    if (token.kind === "option" && !known.has(token.name)) return token.rawName;
  }
  return null;
};

/** The name of a command as it stands in the words: two of them for one of a group. */
interface Named {
  readonly name: string | null;
  /** The first of the two words, when commands begin with it. */
  readonly group: string | null;
  readonly at: ReadonlyArray<number>;
}

const nameIn = (
  commands: ReadonlyArray<CommandSpec>,
  head: ReadonlyArray<string>,
  tokens: ReadonlyArray<Token>,
): Named => {
  const places = tokens.filter(({ kind }) => kind === "positional").map(({ index }) => index);
  const [first = null] = places.map((index) => head[index]);
  const group = groupsOf(commands).find((name) => name === first) ?? null;
  const at = places.slice(0, group === null ? 1 : 2);
  return { name: first === null ? null : at.map((index) => head[index]).join(" "), group, at };
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
  if (call.args.length < least) return `${usage.split(" ")[call.args.length]} is missing`;
  if (call.args.length <= most) return null;
  return tail ? "there is more than NAME; COMMAND goes behind --" : "there are too many arguments";
};

const parseCall = (
  command: CommandSpec,
  head: ReadonlyArray<string>,
  tail: ReadonlyArray<string> | null,
): Either.Either<Request, Mistake> => {
  const all = [...globals, ...command.options];
  const options = specs(all);
  const mistake = (reason: string) => {
    const [, word] = /^Unknown option '(-[^']*)'/.exec(reason) ?? [];
    const mistyped = word === undefined ? null : { word, known: words(all) };
    return Either.left<Mistake>({ command: command.name, reason, mistyped });
  };
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
    Either.orElse((reason) => mistake(reason.split("\n")[0]?.replace(/\. To specify.*/, "") ?? "")),
  );
};

/** What stands in place of a command, when no command does. */
const parseStandalone = (tokens: ReadonlyArray<Token>): Either.Either<Request, Mistake> => {
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    if (token.name === "version") return Either.right({ _tag: "Version" });
    if (token.name === "completions") {
      return Either.right({ _tag: "Completions", shell: token.value ?? "" });
    }
  }
  return nowhere("there is no COMMAND");
};

/** Why there is no such command. */
const faultOfName = (commands: ReadonlyArray<CommandSpec>, { group, name }: Named): string => {
  if (group === null) return `there is no command ${JSON.stringify(name)}`;
  const words = membersOf(commands, group).map((command) => command.name.slice(group.length + 1));
  return `${group} wants one of ${words.join(", ")}`;
};

/** Reads the words behind the program's name. */
export const parseArgv = (
  commands: ReadonlyArray<CommandSpec>,
  argv: ReadonlyArray<string>,
): Either.Either<Request, Mistake> => {
  const [head, tail] = splitTail(argv);
  const tokens = tokensOf(head);
  const named = nameIn(commands, head, tokens);
  const { at, group, name } = named;
  const command = commands.find((c) => name !== null && [c.name, c.alias].includes(name));
  const wantsHelp = asksForHelp(
    command === undefined ? tokens : tokensOf(head, [...globals, ...command.options]),
  );
  if (wantsHelp && (command !== undefined || name === null || name === group)) {
    return Either.right({ _tag: "Help", command: command ?? null, group });
  }
  if (command !== undefined) {
    const rest = head.filter((_, index) => !at.includes(index));
    return parseCall(command, rest, tail);
  }
  // Told before a word that may be its value, and a secret.
  const stranger = strangerIn(tokens);
  if (stranger !== null) {
    const known = words([...globals, ...standalone]);
    return nowhere(`Unknown option '${stranger}'`, { word: stranger, known });
  }
  if (name === null) return parseStandalone(tokens);
  const known = commands.flatMap((c) => [c.name, ...(c.alias === null ? [] : [c.alias])]);
  return nowhere(faultOfName(commands, named), { word: name, known });
};
