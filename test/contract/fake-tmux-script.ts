/**
 * Scripts for the comparison of the fake tmux with the real one: steps of a seed.
 *
 * A step is one client: a list of commands in its argv, or on stdin for `source-file -`.
 */
import { Choices } from "./fake-tmux-choices.js";
import { CommandMaker } from "./fake-tmux-commands.js";
import { oddLines } from "./fake-tmux-words.js";

/** One client: its argv, and what it reads on stdin. */
export interface Step {
  readonly argv: ReadonlyArray<string>;
  readonly stdin: string | null;
  /** Asking again changes nothing, so a difference may be looked at again. */
  readonly reads: boolean;
}

/** Commands of one argv. */
export const listStep = (...commands: ReadonlyArray<ReadonlyArray<string>>): Step => ({
  argv: commands.flatMap((command, at) => (at === 0 ? command : [";", ...command])),
  stdin: null,
  reads: commands.every(([name = ""]) =>
    /^(has-session|list-|display-message|show-|capture-pane)/.test(name),
  ),
});

/** What every server needs: nothing that a timer of the real one could change later. */
export const calm: ReadonlyArray<ReadonlyArray<string>> = [
  ["set-option", "-g", "automatic-rename", "off"],
  ["set-option", "-g", "remain-on-exit-format", "dead"],
  ["set-option", "-g", "default-command", "sleep 7777777"],
];

const start = ["start-server"];
const lasting = listStep(start, ["set-option", "-s", "exit-empty", "off"], ...calm);
const session = (name: string) => ["new-session", "-d", "-s", name, "-n", "w", "sleep", "7777777"];

const octal = (character: string): string =>
  `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;

const quoted = (word: string): string => {
  const text = word.replace(/[\\"$~]/g, "\\$&");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the matter
  return `"${text.replace(/[\u0001-\u001f\u007f]/g, octal)}"`;
};

const sourcedLine = (choices: Choices, maker: CommandMaker): string => {
  if (choices.chance(0.12)) return choices.pick(oddLines);
  const commands = Array.from({ length: 1 + choices.below(3) }, () => maker.command());
  const line = commands.map((command) => command.map(quoted).join(" ")).join(" ; ");
  if (!choices.chance(0.25)) return line;
  return `if-shell -F ${quoted(maker.format())} { ${line} } { display-message -p "no" }`;
};

const sourced = (choices: Choices, maker: CommandMaker): Step => {
  const lines = Array.from({ length: 1 + choices.below(3) }, () => sourcedLine(choices, maker));
  return { argv: ["source-file", "-"], stdin: `${lines.join("\n")}\n`, reads: false };
};

const loaded = (choices: Choices): Step => ({
  argv: ["load-buffer", ...choices.some(0.7, () => ["-b", choices.pick(["q", "q", "r", ""])]), "-"],
  stdin: choices.pick(["hello", "a\nb\n", "", "x".repeat(300)]),
  reads: false,
});

const listed = (choices: Choices, maker: CommandMaker): Step => {
  const count = choices.chance(0.65) ? 1 : 1 + choices.below(4);
  return listStep(...Array.from({ length: count }, () => maker.command()));
};

// A client whose stdout is taken by a buffer has no lines to show.
const shown = (choices: Choices): Step =>
  listStep([
    "show-buffer",
    ...choices.some(0.7, () => ["-b", choices.pick(["q", "q", "q", "r", "nope"])]),
  ]);

const makeStep = (choices: Choices, maker: CommandMaker): Step =>
  choices.weighted<() => Step>([
    [12, () => sourced(choices, maker)],
    [4, () => loaded(choices)],
    [4, () => shown(choices)],
    [80, () => listed(choices, maker)],
  ])();

/** The script of a seed: mostly on a server that lasts, always with some sessions in it. */
export const makeScript = (seed: number, length: number): ReadonlyArray<Step> => {
  const choices = new Choices(seed);
  const maker = new CommandMaker(choices);
  const step = () => makeStep(choices, maker);
  const unserved = Array.from({ length: choices.below(4) }, step);
  const begin = choices.weighted([
    [75, [lasting]],
    [20, [listStep(start, ...calm, session("first"))]],
    [5, []],
  ]);
  const sessions = choices.some(0.8, () => ["alpha", "alpha2", "beta"]);
  const steps = Array.from({ length }, step);
  const made = sessions.map((name) => listStep(session(name)));
  const buffers = choices.some(0.8, () => [listStep(["set-buffer", "-b", "q", "hi"])]);
  return [...unserved, ...begin, ...made, ...buffers, ...steps];
};
