/**
 * OptionCommands: `set-option` and `show-options`, with their window forms: their table, and what
 * sets an option.
 *
 * A user option is kept where the flags say; an option of tmux where its table says, whatever the
 * flags.
 */
import { countAttached } from "../Attaching.js";
import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import type { OptionName } from "../KnownOptions.js";
import { findOptionName, findOptionSet, NoOptionSet, windowForm } from "../OptionScope.js";
import { listOf, type OptionSet } from "../OptionSet.js";
import { BadValue, readList, readValue } from "../OptionText.js";
import { outsideTheModel } from "../OutsideTheModel.js";
import { showOption } from "./ShowOptions.js";

const isSet = (set: OptionSet, { index, name }: OptionName): boolean => {
  const value = set.only(name);
  return index === -1 ? value !== null : listOf(value).has(index);
};

const unset = (set: OptionSet, { index, name }: OptionName): CommandResult => {
  if (index === -1) set.reset(name);
  else {
    const list = new Map(listOf(set.only(name)));
    list.delete(index);
    set.set(name, list);
  }
  return "normal";
};

const assign = (
  run: CommandRun,
  set: OptionSet,
  { index, name }: OptionName,
  value: string | null,
): CommandResult => {
  const append = run.args.has("a");
  const known = run.server.known.find(name);
  if (name.startsWith("@")) {
    if (value === null) return run.fail("empty value");
    const old = append ? set.only(name) : null;
    set.set(name, typeof old === "string" ? old + value : value);
    return "normal";
  }
  if (known === null) return outsideTheModel(`the option ${name}`);
  if (!run.server.known.isArray(name)) {
    const read = readValue(set, known, value, append);
    if (read instanceof BadValue) {
      // A text that is refused has been set for a moment: what it was before is now set here.
      if (known.kind._tag === "Text" && value !== null) set.set(name, set.text(name));
      return run.fail(read.message);
    }
    set.set(name, read);
    return "normal";
  }
  if (value === null) return run.fail("empty value");
  if (!run.server.known.isList(name)) return outsideTheModel(`setting the option ${name}`);
  const old = listOf(set.only(name));
  if (index === -1) set.set(name, readList(known, value, append ? old : new Map()));
  else {
    const before = append ? (old.get(index) ?? "") : "";
    set.set(name, new Map(old).set(index, before + value));
  }
  return "normal";
};

const countsAnew = (run: CommandRun, result: CommandResult): CommandResult => {
  if (result === "normal") countAttached(run.server);
  return result;
};

const setOption = (run: CommandRun): CommandResult => {
  const { args } = run;
  const argument = run.format(args.text(0) ?? "");
  const name = findOptionName(run, argument);
  if (typeof name === "string") return name;
  const text = args.text(1);
  const value = text !== null && args.has("F") ? run.format(text) : text;
  const set = findOptionSet(run, name.name);
  if (set instanceof NoOptionSet) return args.has("q") ? "normal" : run.fail(set.message);
  if (name.index !== -1 && (name.name.startsWith("@") || !run.server.known.isArray(name.name))) {
    return run.fail(`not an array: ${argument}`);
  }
  const unsets = args.has("u") || args.has("U");
  if (!args.has("u") && args.has("o") && isSet(set, name)) {
    return args.has("q") ? "normal" : run.fail(`already set: ${argument}`);
  }
  if (args.has("U"))
    for (const pane of run.target.window?.panes ?? []) pane.options.reset(name.name);
  if (unsets && set.only(name.name) === null) return "normal";
  return countsAnew(run, unsets ? unset(set, name) : assign(run, set, name, value));
};

const targetOf = (kind: "pane" | "window") => ({ flag: "t", kind, canFail: true }) as const;
const oneOrCommands = { least: 1, most: 2, commandsAt: [1] };

/** In no particular order. */
export const optionCommands: ReadonlyArray<CommandSpec> = [
  {
    name: "set-option",
    usage: "[-aFgopqsuUw] [-t target-pane] option [value]",
    shape: { template: "aFgopqst:uUw", ...oneOrCommands },
    target: targetOf("pane"),
    run: setOption,
  },
  {
    name: windowForm.set,
    usage: "[-aFgoqu] [-t target-window] option [value]",
    shape: { template: "aFgoqt:u", ...oneOrCommands },
    target: targetOf("window"),
    run: setOption,
  },
  {
    name: "show-options",
    usage: "[-AgHpqsvw] [-t target-pane] [option]",
    shape: { template: "AgHpqst:vw", least: 0, most: 1 },
    target: targetOf("pane"),
    run: showOption,
  },
  {
    name: windowForm.show,
    usage: "[-gv] [-t target-window] [option]",
    shape: { template: "gvt:", least: 0, most: 1 },
    target: targetOf("window"),
    run: showOption,
  },
];
