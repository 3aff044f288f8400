/**
 * KeyBindings: a text of tmux's configuration language that may bind keys and do nothing else.
 *
 * The text is read as tmux reads it as far as it takes to find where each command begins: quotes,
 * comments, blocks in braces, continued lines. Whatever does not begin with a key binding is named
 * by its line and nothing is sent. What a binding runs when its key is pressed is its owner's.
 */
import { type LookupFailed, type ServerId, sameServer, TmuxRefused } from "@troupe/core";
import { Either } from "effect";
import { HELLO, print, serverIs } from "./TmuxCommand.js";
import { type Asked, failureOf, garbled, isClean, linesOf } from "./TmuxFailure.js";
import { parseHello } from "./TmuxFormat.js";
import type { TmuxReply } from "./TmuxTransport.js";

const BOUND = 1024 * 1024;

const allowed = new Set(["bind-key", "bind", "unbind-key", "unbind"]);

/** To the end of its line, or of the lines that it is continued on. */
const COMMENT = /^[^\n\\]*(?:\\[\s\S][^\n\\]*)*\\?/;

/** Where a word ends in the text, which begins at `from`; an end of the text ends it too. */
const wordEnd = (text: string, from: number): number => {
  let quote = "";
  let at = from;
  for (; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "\\" && quote !== "'") at += 1;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (/[\s;}]/.test(character)) return at;
  }
  if (quote !== "") throw new SyntaxError("a quote is not closed");
  return Math.min(at, text.length);
};

/** The first word of each command that is in no block, with the number of its line. */
const commandsIn = (text: string): ReadonlyArray<readonly [line: number, word: string]> => {
  const found: Array<readonly [number, string]> = [];
  let [depth, line, begins] = [0, 1, true];
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? "";
    if (character === "\\" && text[at + 1] === "\n") {
      line += 1;
      at += 2;
    } else if (character === "\n" || character === ";") {
      if (character === "\n") line += 1;
      begins = true;
      at += 1;
    } else if (/\s/.test(character)) at += 1;
    else if (character === "#") {
      const [comment = ""] = COMMENT.exec(text.slice(at)) ?? [];
      line += comment.split("\n").length - 1;
      at += comment.length;
    } else if (character === "{" || character === "}") {
      if (begins && depth === 0) found.push([line, character]);
      depth += character === "{" ? 1 : -1;
      if (depth < 0) throw new SyntaxError(`line ${line}: there is no { for this }`);
      begins = character === "{";
      at += 1;
    } else {
      const end = wordEnd(text, at);
      const word = text.slice(at, end);
      if (begins && depth === 0) found.push([line, word]);
      begins = false;
      line += word.split("\n").length - 1;
      at = end;
    }
  }
  if (depth > 0) throw new SyntaxError("a { is not closed");
  return found;
};

/** What in the text is no key binding, with its line; `null` when it has nothing else. Pure. */
export const keyBindingFault = (text: string): string | null => {
  if (text.length > BOUND) return `there are more than ${BOUND} characters`;
  if (text.includes("\0")) return "there is a NUL in it";
  try {
    const other = commandsIn(text).find(([, word]) => !allowed.has(word));
    return other === undefined ? null : `line ${other[0]}: ${other[1]} binds no key`;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
};

const BOUND_ALL = "BOUND";

/** The list, for `source-file -`; only this server takes the bindings. */
export const bindList = (server: ServerId, text: string): string =>
  [
    print(HELLO),
    `if-shell -F "${serverIs(server)}" {`,
    text.replace(/\r\n/g, "\n"),
    print(BOUND_ALL),
    "}",
    "",
  ].join("\n");

/** Whether every key was bound. */
export const readBound = (
  asked: Asked,
  server: ServerId,
  reply: TmuxReply,
): Either.Either<void, LookupFailed | TmuxRefused> => {
  const [greeting, verdict] = linesOf(reply);
  const refused = (detail: string) => Either.left(new TmuxRefused({ ...asked, detail }));
  const hello = parseHello(greeting);
  if (hello !== null && isClean(reply) && verdict === BOUND_ALL) return Either.right(undefined);
  if (hello === null) {
    // A text that tmux cannot parse is refused whole, before the greeting.
    if (/^-:[0-9]+: /.test(reply.stderr)) return refused(reply.stderr.trim());
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? refused("the server has ended") : Either.left(failure);
  }
  if (!sameServer(hello.server, server)) return refused("another server answers");
  return reply.stderr === "" ? Either.left(garbled(asked, reply)) : refused(reply.stderr.trim());
};
