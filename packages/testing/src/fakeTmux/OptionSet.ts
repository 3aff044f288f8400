/**
 * OptionSet: the options that are set in one place (the server, all sessions, one session …), with
 * the set that they fall back to.
 *
 * Values are kept as the text that tmux shows; lists by their index. `parent` of a pane is its
 * window, of a window the global window options, of a session the global session options.
 */
import { compareBytes } from "./ByteOrder.js";
import type { KnownOptions } from "./KnownOptions.js";
import type { KnownOption } from "./OptionKind.js";
import { outsideTheModel } from "./OutsideTheModel.js";

/** A list keeps holes in its indexes. */
export type OptionValue = string | Map<number, string>;

/** The texts by index, none when it is no list. */
export const listOf = (value: OptionValue | null): ReadonlyMap<number, string> =>
  typeof value === "object" && value !== null ? value : new Map();

const firstValue = ({ first, name }: KnownOption): OptionValue => {
  if (first === null) return outsideTheModel(`the option ${name}`);
  return typeof first === "string" ? first : new Map(first.map((value, at) => [at, value]));
};

const none: ReadonlyMap<string, KnownOption> = new Map();

/** Options of one place. */
export class OptionSet {
  private readonly values = new Map<string, OptionValue>();

  constructor(
    readonly known: KnownOptions,
    readonly parent: OptionSet | null,
    /** Looked at only when asked for: some defaults are outside of the model. */
    private readonly defaults: ReadonlyMap<string, KnownOption> = none,
  ) {}

  /** What is set here and nowhere else. */
  only(name: string): OptionValue | null {
    const key = this.known.find(name)?.name ?? name;
    const value = this.values.get(key);
    if (value !== undefined) return value;
    const option = this.defaults.get(key);
    return option === undefined ? null : firstValue(option);
  }

  get(name: string): OptionValue | null {
    return this.only(name) ?? this.parent?.get(name) ?? null;
  }

  /** The text of an option that always has one. */
  text(name: string): string {
    const value = this.get(name);
    return typeof value === "string" ? value : "";
  }

  isOn(name: string): boolean {
    return this.text(name) === "on";
  }

  number(name: string): number {
    return Number(this.text(name));
  }

  set(name: string, value: OptionValue): void {
    this.values.set(name, value);
  }

  /** Back to the default in a global set, gone in any other. */
  reset(name: string): void {
    this.values.delete(name);
  }

  /** The user options that are set here, in the order in which tmux shows them. */
  userOptions(): ReadonlyArray<string> {
    return [...this.values.keys()].filter((name) => name.startsWith("@")).sort(compareBytes);
  }
}
