/**
 * WalkValues: values that are hard to hide, drawn one after the other: one within another, several
 * lines of which one is short, equal ones, white space, what a pattern would read otherwise.
 *
 * Each is put together from words that stand nowhere else, so that any word of any of them, told
 * anywhere, is a disclosure: also of what is left of one behind the hiding of another.
 */
import { Cause, Exit } from "effect";
import type { Dice } from "./RegistryTwinsHand.js";

/** The variables that are supplied. */
export const VARIABLES = ["WALK_A", "WALK_B", "WALK_C"] as const;

/** Values by the names of their variables. */
export type Values = Readonly<Record<string, string>>;

const LONGEST = 60;

/** The values of one walk. Mutable. */
export class WalkValues {
  private readonly drawn: Array<string> = [];
  private readonly words: Array<string> = [];

  constructor(private readonly dice: Dice) {}

  /** Some values, by their names. */
  draw(): Values {
    const names = this.dice.some(VARIABLES, VARIABLES.length);
    return Object.fromEntries(names.map((name) => [name, this.one()]));
  }

  /** A word of any value that stands in the text; `null` where none does. */
  toldIn(text: string): string | null {
    return this.words.find((word) => text.includes(word)) ?? null;
  }

  private word(isShort = false): string {
    const word = `${isShort ? "Z" : "wq"}${this.words.length + 10}${isShort ? "" : "jx"}`;
    this.words.push(word);
    return word;
  }

  private one(): string {
    const before = this.drawn.filter(({ length }) => length < LONGEST);
    const known = before.length === 0 ? this.word() : this.dice.one(before);
    const kinds: ReadonlyArray<() => string> = [
      () => this.word(),
      () => known,
      () => `${known}-${this.word()}`,
      () => `${this.word()}${known}`,
      () => `${this.word(true)}\n${this.word()}`,
      () => `${this.word()}\n${known}\n${this.word()}`,
      () => `${this.word()}.*(${this.word()})[^$]+\\1$&`,
      () => `${this.word()}  ${this.word()}\t${this.word()}`,
    ];
    const value = this.dice.one(kinds)();
    this.drawn.push(value);
    return value;
  }
}

/** Everything that an exit tells, as a text. */
export const textOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return JSON.stringify(exit.value) ?? "";
  const all = [...Cause.failures(exit.cause), ...Cause.defects(exit.cause)];
  return all.map((one) => `${one} ${JSON.stringify(one)}`).join("\n");
};
