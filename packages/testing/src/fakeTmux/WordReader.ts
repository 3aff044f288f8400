/**
 * WordReader: one word of a command text, with its quotes, escapes and variables resolved.
 *
 * The rules are those of tmux's configuration language: `\`, `~` and `$` mean something except in
 * single quotes, and a quote that is never closed ends with the text.
 */
import { decodeBytes, encodeBytes } from "./ByteOrder.js";
import { type CharacterSource, END_OF_TEXT } from "./CharacterSource.js";

/** What words may refer to. */
export interface WordEnvironment {
  /** A variable of the server's global environment. */
  readonly variable: (name: string) => string | null;
  /** The home of a user; `""` is the server's own. */
  readonly home: (user: string) => string | null;
}

/** A word that cannot be read; `message` is `null` where tmux only says "syntax error". */
export class BadWord {
  constructor(readonly message: string | null) {}
}

const isVariable = (character: string, first: boolean): boolean =>
  first ? /^[A-Za-z_]$/.test(character) : /^[A-Za-z0-9_]$/.test(character);

/** Whether a word begins with NAME=. */
export const isAssignment = (word: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*=/.test(word);

const escapes: Record<string, string> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  f: "\f",
  s: " ",
  v: "\v",
  r: "\r",
  n: "\n",
  t: "\t",
};

type Quotes = "none" | "single" | "double";

/** Reads words; throws `BadWord`. */
export class WordReader {
  private bytes: Array<number> = [];

  constructor(
    private readonly source: CharacterSource,
    private readonly environment: WordEnvironment,
  ) {}

  private put(text: string): void {
    const code = text.charCodeAt(0);
    if (text.length === 1 && code < 0x80) this.bytes.push(code);
    else this.bytes.push(...encodeBytes(text));
  }

  private escape(): void {
    const character = this.source.next();
    if (character === END_OF_TEXT) throw new BadWord(null);
    if (/^[4-7]$/.test(character)) throw new BadWord("invalid octal escape");
    if (/^[0-3]$/.test(character)) this.octal(character);
    else if (character === "u") this.unicode("u", 4);
    else if (character === "U") this.unicode("U", 8);
    else this.put(escapes[character] ?? character);
  }

  private octal(first: string): void {
    const second = this.source.next();
    if (/^[0-7]$/.test(second)) {
      const third = this.source.next();
      if (/^[0-7]$/.test(third)) {
        this.bytes.push(Number.parseInt(first + second + third, 8));
        return;
      }
    }
    throw new BadWord("invalid octal escape");
  }

  private unicode(type: string, size: number): void {
    let digits = "";
    for (let at = 0; at < size; at++) {
      const digit = this.source.next();
      if (digit === END_OF_TEXT || digit === "\n") throw new BadWord(null);
      if (!/^[0-9A-Fa-f]$/.test(digit)) throw new BadWord(`invalid \\${type} argument`);
      digits += digit;
    }
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      throw new BadWord(`invalid \\${type} argument`);
    }
    this.put(String.fromCodePoint(code));
  }

  private variable(): void {
    let character = this.source.next();
    if (character === END_OF_TEXT) throw new BadWord(null);
    const braces = character === "{";
    let name = "";
    if (!braces) {
      if (!isVariable(character, true)) {
        this.put("$");
        this.source.back(character);
        return;
      }
      name = character;
    }
    for (;;) {
      character = this.source.next();
      if (braces && character === "}") break;
      if (!isVariable(character, false)) {
        if (braces) throw new BadWord("invalid environment variable");
        this.source.back(character);
        break;
      }
      if (name.length === 1022) throw new BadWord("environment variable is too long");
      name += character;
    }
    this.put(this.environment.variable(name) ?? "");
  }

  private tilde(): void {
    let user = "";
    for (;;) {
      const character = this.source.next();
      if (character === END_OF_TEXT || "/ \t\n\"'".includes(character)) {
        this.source.back(character);
        break;
      }
      if (user.length === 1022) throw new BadWord("user name is too long");
      user += character;
    }
    const home = this.environment.home(user);
    if (home === null) throw new BadWord(null);
    this.put(home);
  }

  // After a newline in quotes, blanks and a comment are dropped; the newline stays.
  private quotedNewline(): string {
    this.put("\n");
    let character = this.source.next();
    while (character === " " || character === "\t") character = this.source.next();
    if (character !== "#") return character;
    const after = this.source.next();
    if (after !== END_OF_TEXT && ",#{}:".includes(after)) {
      this.source.back(after);
      return "#";
    }
    return this.source.skipLine();
  }

  /** The word that begins with this character. */
  read(first: string): string {
    this.bytes = [];
    let quotes: Quotes = "none";
    let last: Quotes | "start" = "start";
    let character = first;
    for (;;) {
      if (character === END_OF_TEXT || (quotes === "none" && " \t\n;}".includes(character))) break;
      if (character === "\n") {
        character = this.quotedNewline();
        continue;
      }
      const opened: Quotes = character === "'" ? "single" : character === '"' ? "double" : "none";
      if (opened !== "none" && (quotes === "none" || quotes === opened)) {
        quotes = quotes === "none" ? opened : "none";
      } else {
        if (quotes === "single") this.put(character);
        else if (character === "\\") this.escape();
        else if (character === "~" && last !== quotes) this.tilde();
        else if (character === "$") this.variable();
        else this.put(character);
        last = quotes;
      }
      character = this.source.next();
    }
    this.source.back(character);
    return decodeBytes(Uint8Array.from(this.bytes));
  }
}
