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

/** A client in control mode comes to a session and stays; nothing where the session is absent. */
const attachStep = (name: string): Step => ({
  argv: ["-C", "attach-session", "-E", "-t", `=${name}`],
  stdin: null,
  reads: false,
});

/** The session that a client comes to in this step. */
export const attachedSession = ({ argv }: Step): string | null =>
  argv[0] === "-C" ? (argv.at(-1)?.slice(1) ?? null) : null;

/** What every server needs: nothing that a timer of the real one could change later. */
export const calm: ReadonlyArray<ReadonlyArray<string>> = [
  ["set-option", "-g", "automatic-rename", "off"],
  ["set-option", "-g", "remain-on-exit-format", "dead"],
  ["set-option", "-g", "default-command", "sleep 7777777"],
];

const start = ["start-server"];
const lasting = listStep(start, ["set-option", "-s", "exit-empty", "off"], ...calm);
const sleeping = ["sleep", "7777777"];
const session = (name: string, program: ReadonlyArray<string>) => [
  "new-session",
  "-d",
  "-s",
  name,
  "-n",
  "w",
  ...program,
];

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
  const count = choices.chance(0.4) ? 1 : 1 + choices.below(4);
  return listStep(...Array.from({ length: count }, () => maker.command()));
};

// A client whose stdout is taken by a buffer has no lines to show.
const shown = (choices: Choices): Step =>
  listStep([
    "show-buffer",
    ...choices.some(0.7, () => ["-b", choices.pick(["q", "q", "q", "r", "nope"])]),
  ]);

// Some commands do nothing without what another one made, so that is made, mostly, before.
const detached = (choices: Choices, maker: CommandMaker): ReadonlyArray<Step> => [
  attachStep(choices.pick(staying)),
  ...choices.some(0.2, () => [attachStep(choices.pick(staying))]),
  ...choices.some(0.3, () => [listed(choices, maker)]),
  listStep(maker.detach(), ...choices.some(0.3, () => [maker.command()])),
];

const pasted = (choices: Choices, maker: CommandMaker): ReadonlyArray<Step> => [
  choices.chance(0.5) ? loaded(choices) : listStep(["set-buffer", "-b", "q", "a b\n"]),
  ...choices.some(0.2, () => [listed(choices, maker)]),
  listStep(maker.paste(), ...choices.some(0.2, () => [maker.command()])),
  ...choices.some(0.3, () => [listStep(["capture-pane", "-p", "-t", choices.pick(staying)])]),
];

const stepsWith = (choices: Choices, maker: CommandMaker, name: string): ReadonlyArray<Step> => {
  if (name === "source-file") return [sourced(choices, maker)];
  if (name === "load-buffer") return [loaded(choices)];
  if (name === "show-buffer") return [shown(choices)];
  if (name === "detach-client") return detached(choices, maker);
  if (name === "paste-buffer") return pasted(choices, maker);
  return [listStep(maker.named(name))];
};

const makeSteps = (choices: Choices, maker: CommandMaker): ReadonlyArray<Step> =>
  choices.weighted<() => ReadonlyArray<Step>>([
    [12, () => [sourced(choices, maker)]],
    [4, () => [loaded(choices)]],
    [4, () => [shown(choices)]],
    [3, () => detached(choices, maker)],
    [1, () => [attachStep(choices.pick(staying))]],
    [3, () => pasted(choices, maker)],
    [75, () => [listed(choices, maker)]],
  ])();

const revivalEvery = 15;
const staying = ["alpha", "alpha2", "beta"];

// What was killed comes back from time to time, or else most commands would find nothing.
const revival = (program: ReadonlyArray<string>): ReadonlyArray<Step> => [
  listStep(session("alpha", program)),
  {
    argv: ["source-file", "-"],
    stdin: ["alpha2", "beta"].map((name) => `${session(name, program).join(" ")}\n`).join(""),
    reads: false,
  },
];

/**
 * The script of a seed: mostly on a server that lasts, always with some sessions in it. Commands
 * that are `late` come more often.
 */
export const makeScript = (
  seed: number,
  length: number,
  late: ReadonlyArray<string> = [],
): ReadonlyArray<Step> => {
  const choices = new Choices(seed);
  const maker = new CommandMaker(choices);
  const step = () =>
    late.length > 0 && choices.chance(0.25)
      ? stepsWith(choices, maker, choices.pick(late))
      : makeSteps(choices, maker);
  const unserved = Array.from({ length: choices.below(4) }, step).flat();
  const begin = choices.weighted([
    [75, [lasting]],
    [20, [listStep(start, ...calm, session("first", sleeping))]],
    [5, []],
  ]);
  const program = choices.chance(0.4) ? ["cat"] : sleeping;
  const sessions = choices.some(0.8, () => staying);
  const steps = Array.from({ length }, (_, at) =>
    at % revivalEvery === revivalEvery - 1 ? [...revival(program), ...step()] : step(),
  ).flat();
  const made = sessions.map((name) => listStep(session(name, program)));
  const buffers = choices.some(0.8, () => [listStep(["set-buffer", "-b", "q", "hi"])]);
  return [...unserved, ...begin, ...made, ...buffers, ...steps];
};
