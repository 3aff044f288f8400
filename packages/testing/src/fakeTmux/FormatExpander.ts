/**
 * FormatExpander: tmux's formats: text with `#{…}` in it, expanded for a `FormatContext`.
 *
 * As in tmux, a format that cannot be read ends the text at that place, what is not known is
 * blank, and nesting deeper than a hundred gives nothing. `#()` and regular expressions are
 * outside of the model.
 */
import { byteLength } from "./ByteOrder.js";
import { textWidth } from "./CellWidth.js";
import { bit, compare, comparisons, isTrue } from "./FormatComparison.js";
import type { FormatContext } from "./FormatContext.js";
import { expression } from "./FormatExpression.js";
import { lookUp } from "./FormatLookup.js";
import { loopPanes, loopSessions, loopWindows } from "./FormatLoops.js";
import { type Modifier, readModifiers } from "./FormatModifiers.js";
import { chooseParts, skipTo } from "./FormatText.js";
import { formatWidth, trimLeft, trimRight } from "./FormatTrim.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import { patternMatches } from "./Pattern.js";
import { strftime } from "./Strftime.js";
import { intMaximum, strtonum } from "./Strtonum.js";

const nestingLimit = 100;

const shortNames: Record<string, string> = {
  D: "pane_id",
  F: "window_flags",
  H: "host",
  I: "window_index",
  P: "pane_index",
  S: "session_name",
  T: "pane_title",
  W: "window_name",
  h: "host_short",
};

const closesParenthesis = (text: string, from: number): boolean => {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === "(") depth++;
    if (text.charAt(at) === ")" && --depth === 0) return true;
  }
  return false;
};

/** A name alone, as most formats are: no modifier stands before it. */
const nameAlone = /^@?[a-z][a-z_-]+$/;

/** Expands formats for one context; `depth` is how deep it is nested. */
export class FormatExpander {
  constructor(
    readonly context: FormatContext,
    private readonly dated: boolean,
    private depth: number,
  ) {}

  /** The same about something else. */
  about(context: FormatContext): FormatExpander {
    return new FormatExpander(context, this.dated, this.depth);
  }

  expand(template: string): string {
    if (template === "" || this.depth === nestingLimit) return "";
    this.depth++;
    let text = template;
    if (this.dated && text.includes("%")) {
      text = strftime(text, this.context.server.seconds());
      if (text === "" || byteLength(text) >= 8192) return "";
    }
    const out = this.walk(text);
    this.depth--;
    return out;
  }

  private walk(text: string): string {
    let out = "";
    let at = 0;
    while (at < text.length) {
      const hash = text.indexOf("#", at);
      if (hash < 0) return out + text.slice(at);
      out += text.slice(at, hash);
      const step = this.special(text, hash + 1);
      if (step === null) return out;
      out += step.text;
      at = step.next;
    }
    return out;
  }

  // What `#` with the character behind it means; `null` ends the text.
  private special(text: string, at: number): { text: string; next: number } | null {
    const character = text.charAt(at);
    if (character === "(") {
      if (closesParenthesis(text, at)) outsideTheModel("shell commands in formats, #()");
      return null;
    }
    if (character === "{") {
      const end = skipTo(text, at - 1, "}");
      if (end === null) return null;
      const value = this.replace(text.slice(at + 1, end));
      return value === null ? null : { text: value, next: end + 1 };
    }
    if (character === "#") {
      const run = /^#*/.exec(text.slice(at))?.[0].length ?? 0;
      if (text.charAt(at + run) === "[") {
        return { text: `${"#".repeat(run + 1)}[`, next: at + run + 1 };
      }
      return { text: "#", next: at + 1 };
    }
    if (character === "}" || character === ",") return { text: character, next: at + 1 };
    const name = shortNames[character];
    if (name === undefined) {
      // A `#` at the very end takes the terminating zero with it.
      return character === "" ? { text: "#", next: at } : { text: `#${character}`, next: at + 1 };
    }
    const value = this.replace(name);
    return value === null ? null : { text: value, next: at + 1 };
  }

  // The inside of `#{…}`; `null` when it cannot be read.
  private replace(inside: string): string | null {
    if (nameAlone.test(inside)) return lookUp(this.context, inside, []) ?? "";
    const { modifiers, rest } = readModifiers(inside, (text) => this.expand(text));
    const has = (name: string) => modifiers.some((modifier) => modifier.name === name);
    const value = this.value(modifiers, rest, has);
    if (value === null) return null;
    let out = value;
    if (has("E")) out = this.expand(out);
    else if (has("T")) out = new FormatExpander(this.context, true, this.depth).expand(out);
    if (modifiers.some(({ args, name }) => name === "s" && args.length >= 2)) {
      outsideTheModel("substitution in formats");
    }
    out = this.fit(modifiers, out);
    if (has("n")) out = String(byteLength(out));
    if (has("w")) out = String(formatWidth(out));
    return out;
  }

  private value(
    modifiers: ReadonlyArray<Modifier>,
    rest: string,
    has: (name: string) => boolean,
  ): string | null {
    if (has("l")) return rest;
    if (has("a")) {
      const code = strtonum(this.expand(rest), 32, 126);
      return typeof code === "number" ? String.fromCharCode(code) : "";
    }
    if (has("c")) outsideTheModel("colours in formats");
    if (has("S")) return loopSessions(this, rest);
    if (has("W")) return loopWindows(this, rest);
    if (has("P")) return loopPanes(this, rest);
    if (has("N")) return this.named(modifiers, rest);
    if (has("C")) outsideTheModel("searching in formats");
    const comparison = modifiers.findLast(({ name }) => comparisons.has(name));
    if (comparison !== undefined) return this.comparison(comparison, rest);
    if (rest.startsWith("?")) return this.condition(modifiers, rest.slice(1));
    const arithmetic = modifiers.findLast(
      ({ args, name }) => name === "e" && args.length >= 1 && args.length <= 3,
    );
    if (arithmetic !== undefined) {
      return expression(arithmetic.args, rest, (text) => this.expand(text));
    }
    if (rest.includes("#{")) return this.expand(rest);
    return lookUp(this.context, rest, modifiers) ?? "";
  }

  private named(modifiers: ReadonlyArray<Modifier>, rest: string): string | null {
    const { server, session } = this.context;
    const which = modifiers.findLast(({ name }) => name === "N")?.args[0];
    if (which === undefined || which.includes("w")) {
      if (session === null) return null;
      const name = this.expand(rest);
      return bit(session.links.some(({ window }) => window.name === name));
    }
    if (!which.includes("s")) return lookUp(this.context, rest, modifiers) ?? "";
    const name = this.expand(rest);
    return bit(server.sessions.some((each) => each.name === name));
  }

  private comparison({ args, name }: Modifier, rest: string): string | null {
    const parts = chooseParts(rest);
    if (parts === null) return null;
    const [left, right] = [this.expand(parts[0]), this.expand(parts[1])];
    if (name !== "m") return compare(name, left, right);
    if (args[0] !== undefined && args[0] !== "") outsideTheModel("regular expressions in formats");
    return bit(patternMatches(left, right));
  }

  private condition(modifiers: ReadonlyArray<Modifier>, text: string): string | null {
    const comma = skipTo(text, 0, ",");
    if (comma === null) return null;
    const condition = text.slice(0, comma);
    let found = lookUp(this.context, condition, modifiers);
    if (found === null) {
      found = this.expand(condition);
      if (found === condition) found = "";
    }
    const parts = chooseParts(text.slice(comma + 1));
    if (parts === null) return null;
    return this.expand(isTrue(found) ? parts[0] : parts[1]);
  }

  private fit(modifiers: ReadonlyArray<Modifier>, text: string): string {
    const number = (name: string): number => {
      const value = modifiers.findLast((each) => each.name === name && each.args.length > 0);
      const parsed = strtonum(value?.args[0] ?? "0", -intMaximum - 1, intMaximum);
      return typeof parsed === "number" ? parsed : 0;
    };
    const limit = number("=");
    const marker =
      modifiers.findLast(({ args, name }) => name === "=" && args.length >= 2)?.args[1] ?? "";
    let out = text;
    if (limit > 0) {
      const cut = trimLeft(text, limit);
      out = cut === text ? cut : cut + marker;
    } else if (limit < 0) {
      const cut = trimRight(text, -limit);
      out = cut === text ? cut : marker + cut;
    }
    const width = number("p");
    const padding = " ".repeat(Math.max(0, Math.abs(width) - textWidth(out)));
    return width > 0 ? out + padding : padding + out;
  }
}

/** Expands a template; `dated` passes it through strftime first. */
export const expandFormat = (context: FormatContext, template: string, dated: boolean): string =>
  new FormatExpander(context, dated, 0).expand(template);
