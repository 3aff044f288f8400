/**
 * Arguments: the flags and words of one command, taken apart by the command's template.
 *
 * A template is a list of flag letters, each with a `:` when it takes a value, as in tmux. tmux
 * 3.3a takes a flag whose value is missing as a flag without one.
 */
import { compareBytes, decodeBytes, encodeBytes } from "./ByteOrder.js";
import type { CommandList } from "./Command.js";
import { type DollarEscape, vis } from "./Vis.js";

/** A word as a command gets it: text, or commands in braces. */
export type ArgumentValue = string | CommandList;

/** What a command takes. */
export interface ArgumentShape {
  readonly template: string;
  readonly least: number;
  /** `null`: any number. */
  readonly most: number | null;
  /** The positions where commands in braces are accepted. */
  readonly commandsAt?: ReadonlyArray<number>;
}

/** Words that do not fit; `message` is what tmux says behind the name of the command. */
export class BadArguments {
  constructor(readonly message: string) {}
}

/** Somebody asked for the usage with `-?`. */
export const USAGE = "usage";

/** Parsed arguments of one command. */
export class Arguments {
  private readonly flags = new Map<string, { count: number; readonly values: Array<string> }>();
  readonly words: Array<ArgumentValue> = [];

  set(flag: string, value: string | null): void {
    const entry = this.flags.get(flag) ?? { count: 0, values: [] };
    entry.count++;
    if (value !== null) entry.values.push(value);
    this.flags.set(flag, entry);
  }

  has(flag: string): boolean {
    return this.flags.has(flag);
  }

  /** The last value of a flag; `null` when it was not given, or given without a value. */
  get(flag: string): string | null {
    return this.flags.get(flag)?.values.at(-1) ?? null;
  }

  all(flag: string): ReadonlyArray<string> {
    return this.flags.get(flag)?.values ?? [];
  }

  /** A word as text, `null` when there are fewer; commands are shown as tmux prints them. */
  text(index: number): string | null {
    const word = this.words[index];
    if (word === undefined) return null;
    return typeof word === "string" ? word : word.print();
  }

  /** Every word as text. */
  texts(): ReadonlyArray<string> {
    return this.words.map((word) => (typeof word === "string" ? word : word.print()));
  }

  /** As tmux shows arguments: flags, flags with values, words; quoted where needed. */
  print(dollar: DollarEscape): string {
    const order = [...this.flags].sort(([a], [b]) => compareBytes(a, b));
    const bare = order.filter(([, entry]) => entry.values.length === 0);
    const letters = bare.map(([flag, entry]) => flag.repeat(entry.count)).join("");
    const parts = [
      ...(letters === "" ? [] : [`-${letters}`]),
      ...order.flatMap(([flag, { values }]) =>
        values.map((value) => `-${flag} ${escapeArgument(value, dollar)}`),
      ),
      ...this.words.map((word) =>
        typeof word === "string" ? escapeArgument(word, dollar) : `{ ${word.print()} }`,
      ),
    ];
    return parts.join(" ");
  }
}

/** An argument quoted so that tmux would read it back. */
export const escapeArgument = (text: string, dollar: DollarEscape): string => {
  if (text === "") return "''";
  const quotes = /[ #';${}%]/.test(text) ? '"' : /[ "]/.test(text) ? "'" : "";
  if (text.length === 1 && text !== " " && (quotes !== "" || text === "~")) return `\\${text}`;
  const escaped = vis(text, dollar, quotes === '"');
  if (quotes === "'") return `'${escaped}'`;
  const safe = escaped.startsWith("~") ? `\\${escaped}` : escaped;
  return quotes === '"' ? `"${safe}"` : safe;
};

/** Several words quoted, with blanks between. */
export const escapeArguments = (words: ReadonlyArray<string>, dollar: DollarEscape): string =>
  words.map((word) => escapeArgument(word, dollar)).join(" ");

// Flags are bytes: of a longer character tmux shows the first one alone.
const invalidFlag = (letters: string, at: number): BadArguments =>
  new BadArguments(`invalid flag -${decodeBytes(encodeBytes(letters.slice(at)).subarray(0, 1))}`);

class Flags {
  readonly args = new Arguments();
  at = 1;

  constructor(
    private readonly shape: ArgumentShape,
    private readonly words: ReadonlyArray<ArgumentValue>,
    private readonly valueNeeded: boolean,
  ) {}

  /** Reads flags up to the first word that is none. */
  read(): BadArguments | typeof USAGE | null {
    while (this.at < this.words.length) {
      const word = this.words[this.at];
      if (typeof word !== "string" || !word.startsWith("-") || word === "-") return null;
      this.at++;
      if (word === "--") return null;
      const failed = this.cluster(word.slice(1));
      if (failed !== null) return failed;
    }
    return null;
  }

  private cluster(letters: string): BadArguments | typeof USAGE | null {
    for (let at = 0; at < letters.length; at++) {
      const flag = letters.charAt(at);
      if (flag === "?") return USAGE;
      if (!/^[A-Za-z0-9]$/.test(flag)) return invalidFlag(letters, at);
      const found = this.shape.template.indexOf(flag);
      if (found < 0) return new BadArguments(`unknown flag -${flag}`);
      if (this.shape.template.charAt(found + 1) !== ":") {
        this.args.set(flag, null);
        continue;
      }
      return this.value(flag, letters.slice(at + 1));
    }
    return null;
  }

  private value(flag: string, rest: string): BadArguments | null {
    if (rest !== "") {
      this.args.set(flag, rest);
      return null;
    }
    const next = this.words[this.at];
    if (next === undefined) {
      if (this.valueNeeded) return new BadArguments(`-${flag} expects an argument`);
      this.args.set(flag, null);
      return null;
    }
    if (typeof next !== "string") return new BadArguments(`-${flag} argument must be a string`);
    this.at++;
    this.args.set(flag, next);
    return null;
  }
}

/** Takes the words of a command apart; the first word is its name. */
export const parseArguments = (
  shape: ArgumentShape,
  words: ReadonlyArray<ArgumentValue>,
  valueNeeded: boolean,
): Arguments | BadArguments | typeof USAGE => {
  const flags = new Flags(shape, words, valueNeeded);
  const failed = flags.read();
  if (failed !== null) return failed;
  const { args } = flags;
  for (const word of words.slice(flags.at)) {
    const index = args.words.length;
    if (typeof word !== "string" && !(shape.commandsAt ?? []).includes(index)) {
      return new BadArguments(`argument ${index + 1} must be "string"`);
    }
    args.words.push(word);
  }
  if (args.words.length < shape.least) {
    return new BadArguments(`too few arguments (need at least ${shape.least})`);
  }
  if (shape.most !== null && args.words.length > shape.most) {
    return new BadArguments(`too many arguments (need at most ${shape.most})`);
  }
  return args;
};
