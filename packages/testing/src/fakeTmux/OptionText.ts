/**
 * OptionText: text to the value of an option.
 *
 * Each kind has its own words for what it refuses. A flag or a choice without a value is toggled;
 * anything else needs one. Nothing is set in here.
 */
import type { KnownOption } from "./OptionKind.js";
import type { OptionSet, OptionValue } from "./OptionSet.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import { patternMatches } from "./Pattern.js";
import { strtonum } from "./Strtonum.js";

/** A value that tmux refuses. */
export class BadValue {
  constructor(readonly message: string) {}
}

const flagValue = (set: OptionSet, name: string, text: string | null): string | BadValue => {
  if (text === null || text === "") return set.isOn(name) ? "off" : "on";
  if (/^(1|on|yes)$/i.test(text)) return "on";
  if (/^(0|off|no)$/i.test(text)) return "off";
  return new BadValue(`bad value: ${text}`);
};

const choiceValue = (
  set: OptionSet,
  name: string,
  choices: ReadonlyArray<string>,
  text: string | null,
): string | BadValue => {
  if (text !== null) return choices.includes(text) ? text : new BadValue(`unknown value: ${text}`);
  const at = choices.indexOf(set.text(name));
  return choices[at < 2 ? 1 - at : at] ?? "";
};

/** The value of an option that is no list. `append` puts text behind what is set here. */
export const readValue = (
  set: OptionSet,
  option: KnownOption,
  text: string | null,
  append: boolean,
): string | BadValue => {
  const { kind, name } = option;
  if (kind._tag === "Flag") return flagValue(set, name, text);
  if (kind._tag === "Choice") return choiceValue(set, name, kind.choices, text);
  if (text === null) return new BadValue("empty value");
  if (kind._tag === "Number") {
    const value = strtonum(text, kind.minimum, kind.maximum);
    return typeof value === "number" ? String(value) : new BadValue(`value is ${value}: ${text}`);
  }
  if (kind._tag === "Text") {
    const old = append ? set.only(name) : null;
    const value = typeof old === "string" ? old + text : text;
    if (kind.pattern !== null && !patternMatches(kind.pattern, value)) {
      return new BadValue(`value is invalid: ${value}`);
    }
    if (name === "default-shell" && !/^\/bin\/(ba|da)?sh$/.test(value)) {
      return outsideTheModel(`the shell ${value}`);
    }
    return value;
  }
  return outsideTheModel(`setting the option ${name}`);
};

const firstHole = (list: ReadonlyMap<number, string>): number => {
  for (let at = 0; ; at++) if (!list.has(at)) return at;
};

/** A list with the parts of a text added in its first holes. */
export const readList = (
  option: KnownOption,
  text: string,
  base: ReadonlyMap<number, string>,
): OptionValue => {
  if (option.kind._tag !== "List") return outsideTheModel(`setting the option ${option.name}`);
  const list = new Map(base);
  for (const part of text.split(new RegExp(`[${option.kind.separators}]`))) {
    if (part !== "") list.set(firstHole(list), part);
  }
  return list;
};

/** The indexes of a list in order. */
export const listIndexes = (list: ReadonlyMap<number, string>): ReadonlyArray<number> =>
  [...list.keys()].sort((a, b) => a - b);
