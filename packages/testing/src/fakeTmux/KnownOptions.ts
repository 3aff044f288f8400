/**
 * KnownOptions: the options that a release of tmux knows, found by name or by prefix.
 *
 * A name may have an index in brackets. User options (`@name`) are always known.
 */
import type { KnownOption } from "./OptionKind.js";
import { serverOptions, sessionOptions } from "./SessionOptions.js";
import { hookOptions, windowOptions } from "./WindowOptions.js";

const otherNames: Record<string, string> = {
  "display-panes-color": "display-panes-colour",
  "display-panes-active-color": "display-panes-active-colour",
  "clock-mode-color": "clock-mode-colour",
  "cursor-color": "cursor-colour",
  "pane-colors": "pane-colours",
};

/** A name with the index behind it, or -1. */
export interface OptionName {
  readonly name: string;
  readonly index: number;
}

/** Takes `name[index]` apart; `null` when it is not of that form. */
export const parseOptionName = (text: string): OptionName | null => {
  const open = text.indexOf("[");
  if (text === "") return null;
  if (open < 0) return { name: text, index: -1 };
  const index = /^\[\s*([+-]?[0-9]+)[^\]]*[0-9]?\]$/.exec(text.slice(open));
  if (index === null || !/[0-9]\]$/.test(text)) return null;
  const value = Number(index[1]);
  return value < 0 ? null : { name: text.slice(0, open), index: value };
};

/** The tables of one release. */
export class KnownOptions {
  readonly all: ReadonlyArray<KnownOption>;
  private readonly byName: ReadonlyMap<string, KnownOption>;

  constructor(since33: boolean) {
    const every = [...serverOptions, ...sessionOptions, ...windowOptions, ...hookOptions];
    this.all = every.filter(({ name }) => since33 || name !== "remain-on-exit-format");
    this.byName = new Map(this.all.map((option) => [option.name, option]));
  }

  find(name: string): KnownOption | null {
    return this.byName.get(name) ?? this.byName.get(otherNames[name] ?? "") ?? null;
  }

  /** Whether it is kept as texts by index. */
  isList(name: string): boolean {
    return this.find(name)?.kind._tag === "List";
  }

  /** Whether tmux keeps it by index; lists, and those kinds that the fake keeps empty. */
  isArray(name: string): boolean {
    const known = this.find(name);
    return this.isList(name) || (known?.kind._tag === "Opaque" && known.first === "");
  }

  /** The option that this text names in full or by an unambiguous prefix. */
  match(text: string): OptionName | "ambiguous" | "invalid" {
    const parsed = parseOptionName(text);
    // tmux 3.3a calls a name that it cannot take apart ambiguous.
    if (parsed === null) return "ambiguous";
    if (parsed.name.startsWith("@")) return parsed;
    const wanted = otherNames[parsed.name] ?? parsed.name;
    const exact = this.byName.get(wanted);
    if (exact !== undefined) return { name: exact.name, index: parsed.index };
    const [first, second] = this.all.filter(({ name }) => name.startsWith(wanted));
    if (first === undefined) return "invalid";
    return second === undefined ? { name: first.name, index: parsed.index } : "ambiguous";
  }
}
