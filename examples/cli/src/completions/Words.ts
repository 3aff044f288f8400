/**
 * Words: what may stand where on the command line, as every script of completions needs it. Pure.
 *
 * A place is what was written so far: nothing, the first of two words, or a command. What is told
 * here is what the parser takes, from the same definitions.
 */
import { SessionState } from "@troupe/core";
import { groupsOf, membersOf } from "../CommandGroup.js";
import type { CommandSpec } from "../CommandSpec.js";
import { globals, type Option, standalone } from "../Options.js";

/** A word that may stand there, and what it does. */
export interface Word {
  readonly word: string;
  readonly help: string;
}

/** A place: its name is the words that lead there, empty at the beginning. */
export interface Place {
  readonly name: string;
  readonly words: ReadonlyArray<Word>;
  readonly options: ReadonlyArray<Option>;
  /** Whether what is behind `--` is a command to run. */
  readonly tail: boolean;
}

/** The states of `list --state`, and the shells. */
const choices: Readonly<Record<string, ReadonlyArray<string>>> = {
  "--completions": ["bash", "zsh", "fish"],
  "--state": SessionState.literals,
};

/** What the value of an option may be: one of these words, a directory, a file, or anything. */
export type Values = ReadonlyArray<string> | "directory" | "file" | "anything";

/** What the value of the option may be; `null` when it has none. */
export const valuesOf = (option: Option): Values | null => {
  if (option.kind === "switch") return null;
  const known = choices[`--${option.name}`];
  if (known !== undefined) return known;
  if (option.placeholder === "DIR") return "directory";
  return ["FILE", "PATH"].includes(option.placeholder) ? "file" : "anything";
};

const wordOf = ({ summary }: CommandSpec, word: string): Word => ({ word, help: summary });

/** Every place, the beginning first. */
export const placesOf = (commands: ReadonlyArray<CommandSpec>): ReadonlyArray<Place> => {
  const groups = groupsOf(commands);
  const first = [
    ...commands
      .filter(({ name }) => !name.includes(" "))
      .flatMap((c) => [c.name, ...(c.alias === null ? [] : [c.alias])].map((w) => wordOf(c, w))),
    ...groups.map((word) => ({
      word,
      help: membersOf(commands, word)
        .map(({ name }) => name.slice(word.length + 1))
        .join(", "),
    })),
  ];
  const none = { words: [], options: globals, tail: false };
  return [
    { ...none, name: "", words: first, options: [...globals, ...standalone] },
    ...groups.map((group) => ({
      ...none,
      name: group,
      words: membersOf(commands, group).map((c) => wordOf(c, c.name.slice(group.length + 1))),
    })),
    ...commands.flatMap(({ alias, args, name, options }) =>
      [name, ...(alias === null ? [] : [alias])].map((word) => ({
        name: word,
        words: [],
        options: [...options, ...globals],
        tail: args.tail,
      })),
    ),
  ];
};

/** The options of all places that have a value, each once. */
export const valuedIn = (places: ReadonlyArray<Place>): ReadonlyMap<string, Values> => {
  const found = new Map<string, Values>();
  for (const option of places.flatMap(({ options }) => options)) {
    const values = valuesOf(option);
    if (values !== null) found.set(`--${option.name}`, values);
  }
  return found;
};
