/**
 * FormatModifiers: what stands before the `:` in `#{modifier;modifier:rest}`.
 *
 * A part that does not read as modifiers up to a `:` is no modifier at all, and then the whole is
 * a name.
 */
import { skipTo } from "./FormatText.js";

/** One modifier. Its arguments are expanded. */
export interface Modifier {
  readonly name: string;
  readonly args: ReadonlyArray<string>;
}

const bare = "labcdnwETSWP<>";
const pairs = new Set(["||", "&&", "!=", "==", "<=", ">="]);
const withArguments = "mCNst=peq";

const isEnd = (character: string): boolean => character === ";" || character === ":";

class Reader {
  readonly modifiers: Array<Modifier> = [];
  at = 0;

  constructor(
    private readonly text: string,
    private readonly expand: (text: string) => string,
  ) {}

  /** Whether it came to the `:`. */
  read(): boolean {
    while (this.at < this.text.length && this.text.charAt(this.at) !== ":") {
      if (this.text.charAt(this.at) === ";") this.at++;
      if (!this.one()) break;
    }
    return this.text.charAt(this.at) === ":";
  }

  private plain(length: number): boolean {
    this.modifiers.push({ name: this.text.slice(this.at, this.at + length), args: [] });
    this.at += length;
    return true;
  }

  private one(): boolean {
    const name = this.text.charAt(this.at);
    const next = this.text.charAt(this.at + 1);
    if (name === "") return false;
    if (bare.includes(name) && isEnd(next)) return this.plain(1);
    if (pairs.has(name + next) && isEnd(this.text.charAt(this.at + 2))) return this.plain(2);
    if (!withArguments.includes(name)) return false;
    if (isEnd(next)) return this.plain(1);
    if (!/^[!-/:-@[-`{-~]$/.test(next) || next === "-") return this.single(name);
    return this.several(name, next);
  }

  private single(name: string): boolean {
    const end = skipTo(this.text, this.at + 1, ":;");
    if (end === null) return false;
    this.modifiers.push({ name, args: [this.expand(this.text.slice(this.at + 1, end))] });
    this.at = end;
    return true;
  }

  private several(name: string, wrapper: string): boolean {
    const args: Array<string> = [];
    this.at++;
    do {
      if (this.text.charAt(this.at) === wrapper && isEnd(this.text.charAt(this.at + 1))) {
        this.at++;
        break;
      }
      const end = skipTo(this.text, this.at + 1, `${wrapper};:`);
      if (end === null) break;
      args.push(this.expand(this.text.slice(this.at + 1, end)));
      this.at = end;
    } while (!isEnd(this.text.charAt(this.at)));
    this.modifiers.push({ name, args });
    return true;
  }
}

/** The modifiers and what they are applied to. */
export const readModifiers = (
  text: string,
  expand: (text: string) => string,
): { readonly modifiers: ReadonlyArray<Modifier>; readonly rest: string } => {
  const reader = new Reader(text, expand);
  if (!reader.read()) return { modifiers: [], rest: text };
  return { modifiers: reader.modifiers, rest: text.slice(reader.at + 1) };
};
