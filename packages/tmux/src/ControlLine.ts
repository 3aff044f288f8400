/**
 * ControlLine: a command list as one line of a connection.
 *
 * tmux reads such a line whole, parses it whole and runs it in one go, as it does a list of a
 * client of its own. The lines of a list on stdin are groups: one that fails does not end those
 * behind it, which a condition that always holds makes of them here. What is not exactly the same
 * in a line has none, and goes over a process.
 */
import { quote, sequence } from "./TmuxCommand.js";
import type { TmuxRequest } from "./TmuxTransport.js";

/** Longer ones would hold up those behind them. */
const LINE_BOUND = 1024 * 1024;

/** In an argv a `;` at the end of a word parts commands, and one with a backslash is a `;`. */
const isExact = (word: string): boolean => !word.endsWith(";") && !word.includes("\0");

const ofArgv = (argv: ReadonlyArray<string>): string | null => {
  const words = argv.map((word) => (word === ";" ? word : isExact(word) ? quote(word) : null));
  return words.includes(null) ? null : words.join(" ");
};

const ofLists = (text: string): string | null => {
  const lists = text.split("\n").filter((line) => line !== "");
  if (lists.length < 2) return lists[0] ?? null;
  return sequence(...lists.map((list) => `if-shell -F 1 { ${list} }`));
};

const isList = ({ argv: [command, path, ...rest] }: TmuxRequest): boolean =>
  command === "source-file" && path === "-" && rest.length === 0;

/** The line, without its newline; `null` where only a process is exact. */
export const controlLine = (request: TmuxRequest): string | null => {
  const { argv, framed, startsServer, stdin } = request;
  if (framed !== true || startsServer || argv.length === 0) return null;
  if (stdin !== null && (typeof stdin !== "string" || !isList(request))) return null;
  const line = stdin === null ? ofArgv(argv) : ofLists(stdin);
  return line === null || line.length > LINE_BOUND ? null : line;
};

const looks = /^(has-session|list-|display-message|show-)/;

/** Whether the list changes nothing, so that it may be asked once more. */
export const onlyLooks = ({ argv, stdin }: TmuxRequest): boolean =>
  stdin === null && argv.every((word, at) => (at > 0 && argv[at - 1] !== ";") || looks.test(word));
