/**
 * Help: what `--help` prints, made from the same words that the parser reads.
 *
 * It is written for a reader who has nothing else: the exit codes, the variables and the shape of
 * the JSON are in it. Never coloured, so that it is the same in a terminal and in a pipe.
 */
import { membersOf } from "./CommandGroup.js";
import type { CommandSpec } from "./CommandSpec.js";
import { completions, globals, type Option, version } from "./Options.js";

const width = 80;

/** Text in lines of at most `width`, each with the indent. */
const wrap = (text: string, indent: number): ReadonlyArray<string> => {
  const lines: Array<string> = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((text) => " ".repeat(indent) + text);
};

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", title, ...lines];

/** Two columns: a term, and what it means. */
const terms = (rows: ReadonlyArray<readonly [term: string, meaning: string]>) => {
  const column = Math.min(26, Math.max(0, ...rows.map(([term]) => term.length)) + 4);
  return rows.flatMap(([term, meaning]) => {
    const [first = "", ...rest] = wrap(meaning, column);
    const head = `  ${term}`;
    return head.length + 2 > column
      ? [head, first, ...rest]
      : [head.padEnd(column) + first.slice(column), ...rest];
  });
};

const term = (option: Option): string => {
  if (option.kind === "switch") return `--${option.name}`;
  return `--${option.name} ${option.placeholder}${option.kind === "repeated" ? " ..." : ""}`;
};

const optionTerms = (options: ReadonlyArray<Option>): ReadonlyArray<string> =>
  terms(options.map((option) => [term(option), option.help]));

const exitCodes: ReadonlyArray<readonly [string, string]> = [
  ["0", "done"],
  ["1", "a bug in troupe"],
  ["2", "the call is wrong; nothing was done"],
  ["3", "it was looked up and it is not there"],
  ["4", "the name is taken"],
  ["5", "tmux could not be asked: nothing is known and nothing was changed"],
  ["6", "a kill was begun and not confirmed; run the same command again"],
  ["7", "somebody else holds it"],
  ["8", "the registry could not be read or written"],
  ["9", "tmux refused, or the program ended during its start; everything was undone"],
  ["11", "what was waited for did not come true; the session is untouched"],
  ["12", "doctor found an error"],
  ["130, 143", "interrupted; what was under way was finished or undone first"],
];

const output =
  "With --json standard output is one object and a newline, also on failure: " +
  '{"ok":true,"command":"list","result":{...}} or ' +
  '{"ok":false,"command":"list","error":{"code","message","hint","retryable","details"}}, and ' +
  "both result and error when a command went on after a failure. Times are ISO 8601 in UTC; " +
  "troupe schema prints the JSON Schema of each.";

const home =
  "Without --home, troupe keeps its registry in $XDG_STATE_HOME/troupe, else in " +
  "~/.local/state/troupe, and runs a tmux server of its own there. It never reads tmux.conf and " +
  "never touches another tmux server.";

const commandTerms = (commands: ReadonlyArray<CommandSpec>): ReadonlyArray<string> =>
  terms(
    commands.map(({ alias, name, summary }) => [
      alias === null ? name : `${name}, ${alias}`,
      summary,
    ]),
  );

/** The help of the program. */
export const programHelp = (commands: ReadonlyArray<CommandSpec>): string =>
  [
    "troupe: named terminal sessions in tmux that end when you say so, and not before",
    ...section("USAGE", ["  troupe COMMAND [OPTION]... [ARGUMENT]..."]),
    ...section("COMMANDS", commandTerms(commands)),
    ...section("OPTIONS of every command, before or after its name", optionTerms(globals)),
    ...section("OPTIONS in place of a command", optionTerms([version, completions])),
    ...section("NAME", wrap("1 to 64 of A-Z a-z 0-9 _ -, starting with a letter or digit.", 2)),
    ...section("OUTPUT", wrap(output, 2)),
    ...section("EXIT CODES", terms(exitCodes)),
    ...section("PLACES", wrap(home, 2)),
    ...section("MORE", ["  troupe COMMAND --help"]),
    "",
  ].join("\n");

/** The help of the commands that begin with the same word. */
export const groupHelp = (commands: ReadonlyArray<CommandSpec>, group: string): string =>
  [
    `troupe ${group}: several commands`,
    ...section("COMMANDS", commandTerms(membersOf(commands, group))),
    ...section("MORE", [`  troupe ${group} COMMAND --help`, "  troupe --help"]),
    "",
  ].join("\n");

/** The help of one command. */
export const commandHelp = (command: CommandSpec): string => {
  const { about, alias, args, examples, name, options, summary } = command;
  const usage = [name, options.length === 0 ? "" : "[OPTION]...", args.usage]
    .concat(args.tail ? ["[-- COMMAND ARG...]"] : [])
    .filter((word) => word !== "");
  return [
    `troupe ${name}: ${summary}`,
    ...section("USAGE", [`  troupe ${usage.join(" ")}`]),
    ...(alias === null ? [] : [`  troupe ${alias} is the same`]),
    "",
    ...wrap(about, 0),
    ...section("OPTIONS", optionTerms(options)),
    ...section("OPTIONS of every command", optionTerms(globals)),
    ...section(
      "EXAMPLES",
      examples.map((example) => `  ${example}`),
    ),
    "",
    "Exit codes and the shape of the output: troupe --help",
    "",
  ].join("\n");
};
