/**
 * OptionCommands: `set-option` and `show-options`, with their window forms.
 *
 * A user option is kept where the flags say; an option of tmux where its table says, whatever the
 * flags.
 */
import { escapeArgument } from "../Arguments.js";
import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import type { OptionName } from "../KnownOptions.js";
import { findOptionSet, NoOptionSet, shownScopes, windowForm } from "../OptionScope.js";
import type { OptionSet, OptionValue } from "../OptionSet.js";
import { BadValue, listIndexes, readList, readValue } from "../OptionText.js";
import { outsideTheModel } from "../OutsideTheModel.js";

const named = (run: CommandRun, argument: string): OptionName | CommandResult => {
  const name = run.server.known.match(argument);
  if (typeof name !== "string") return name;
  return run.args.has("q") ? "normal" : run.fail(`${name} option: ${argument}`);
};

const listOf = (value: OptionValue | null): ReadonlyMap<number, string> =>
  typeof value === "object" && value !== null ? value : new Map();

const isList = (run: CommandRun, name: string): boolean =>
  run.server.known.find(name)?.kind._tag === "List";

const isArray = (run: CommandRun, name: string): boolean => {
  const known = run.server.known.find(name);
  return isList(run, name) || (known?.kind._tag === "Opaque" && known.first === "");
};

// A list of a kind that the fake does not keep is an empty one.
const arrayValue = (run: CommandRun, name: string, value: OptionValue): OptionValue =>
  value === "" && isArray(run, name) ? new Map() : value;

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
  if (!isArray(run, name)) {
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
  if (!isList(run, name)) return outsideTheModel(`setting the option ${name}`);
  const old = listOf(set.only(name));
  if (index === -1) set.set(name, readList(known, value, append ? old : new Map()));
  else {
    const before = append ? (old.get(index) ?? "") : "";
    set.set(name, new Map(old).set(index, before + value));
  }
  return "normal";
};

const setOption = (run: CommandRun): CommandResult => {
  const { args } = run;
  const argument = run.format(args.text(0) ?? "");
  const name = named(run, argument);
  if (typeof name === "string") return name;
  const text = args.text(1);
  const value = text !== null && args.has("F") ? run.format(text) : text;
  const set = findOptionSet(run, name.name);
  if (set instanceof NoOptionSet) return args.has("q") ? "normal" : run.fail(set.message);
  if (name.index !== -1 && (name.name.startsWith("@") || !isArray(run, name.name))) {
    return run.fail(`not an array: ${argument}`);
  }
  const unsets = args.has("u") || args.has("U");
  if (!args.has("u") && args.has("o") && isSet(set, name)) {
    return args.has("q") ? "normal" : run.fail(`already set: ${argument}`);
  }
  if (args.has("U"))
    for (const pane of run.target.window?.panes ?? []) pane.options.reset(name.name);
  if (unsets) return set.only(name.name) === null ? "normal" : unset(set, name);
  return assign(run, set, name, value);
};

const printOne = (
  run: CommandRun,
  name: string,
  value: OptionValue,
  index: number,
  inherited: boolean,
): void => {
  const star = inherited ? "*" : "";
  if (typeof value !== "string") {
    const indexes = index === -1 ? listIndexes(value) : [index];
    if (indexes.length === 0 && !run.args.has("v")) run.print(`${name}${index === -1 ? star : ""}`);
    for (const at of indexes) {
      printOne(run, `${name}[${at}]`, value.get(at) ?? "", -1, inherited);
    }
    return;
  }
  const shown = index === -1 ? name : `${name}[${index}]`;
  const tag = run.server.known.find(name.replace(/\[.*$/, ""))?.kind._tag;
  const plain = tag === "Flag" || tag === "Number" || tag === "Choice";
  const text = plain ? value : escapeArgument(value, run.server.rules.dollar);
  run.print(run.args.has("v") ? value : `${shown}${star} ${text}`);
};

const showAll = (run: CommandRun, set: OptionSet, scopes: ReadonlyArray<string>): CommandResult => {
  for (const name of set.userOptions()) printOne(run, name, set.text(name), -1, false);
  for (const { kind, name, first, scope } of run.server.known.all) {
    const hook = kind._tag === "Opaque" && first === "" && name !== "pane-colours";
    if (!scopes.includes(scope) || (hook && !run.args.has("H"))) continue;
    const own = set.only(name);
    const value = own ?? (run.args.has("A") ? set.get(name) : null);
    if (value === null) continue;
    printOne(run, name, arrayValue(run, name, value), -1, own === null);
  }
  return "normal";
};

const showOption = (run: CommandRun): CommandResult => {
  const { args, server } = run;
  const text = args.text(0);
  if (text === null) {
    const set = findOptionSet(run, "@");
    if (set instanceof NoOptionSet) return args.has("q") ? "normal" : run.fail(set.message);
    return showAll(run, set, shownScopes(run));
  }
  const argument = run.format(text);
  const name = named(run, argument);
  if (typeof name === "string") return name;
  const set = findOptionSet(run, name.name);
  if (set instanceof NoOptionSet) return args.has("q") ? "normal" : run.fail(set.message);
  const own = set.only(name.name);
  const value = own ?? (args.has("A") ? set.get(name.name) : null);
  if (value !== null) {
    printOne(run, name.name, arrayValue(run, name.name, value), name.index, own === null);
    return "normal";
  }
  if (!name.name.startsWith("@") || args.has("q")) return "normal";
  return server.rules.unsetOptionFails ? run.fail(`invalid option: ${argument}`) : "normal";
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
