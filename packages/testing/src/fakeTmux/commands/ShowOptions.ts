/**
 * ShowOptions: what `show-options` prints.
 *
 * Only what is set in the place is shown, with `-A` also what it inherits, marked by a star. A user
 * option that is not set is an error, an option of tmux is silent.
 */
import { escapeArgument } from "../Arguments.js";
import type { CommandResult, CommandRun } from "../Command.js";
import { findOptionName, findOptionSet, NoOptionSet, shownScopes } from "../OptionScope.js";
import type { OptionSet, OptionValue } from "../OptionSet.js";
import { listIndexes } from "../OptionText.js";

// A list of a kind that the fake does not keep is an empty one.
const arrayValue = (run: CommandRun, name: string, value: OptionValue): OptionValue =>
  value === "" && run.server.known.isArray(name) ? new Map() : value;

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

/** `show-options` with one option or without, and its window form. */
export const showOption = (run: CommandRun): CommandResult => {
  const { args, server } = run;
  const text = args.text(0);
  if (text === null) {
    const set = findOptionSet(run, "@");
    if (set instanceof NoOptionSet) return args.has("q") ? "normal" : run.fail(set.message);
    return showAll(run, set, shownScopes(run));
  }
  const argument = run.format(text);
  const name = findOptionName(run, argument);
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
