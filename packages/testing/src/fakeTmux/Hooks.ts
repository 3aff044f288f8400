/**
 * Hooks: what a server was told to do behind a command: `set-hook`, and the running of a hook.
 *
 * Of all hooks the fake has the two behind what makes a session or a window, for the whole server,
 * and of all commands those that rename. A hook runs before the next command of the list, about
 * what was made, and leaves the target of the list as it was.
 */
import type { CommandList, CommandResult, CommandRun, CommandSpec } from "./Command.js";
import { CommandBuilder, ParseFailure } from "./CommandBuilder.js";
import type { OptionSet } from "./OptionSet.js";
import { outsideTheModel } from "./OutsideTheModel.js";

/** A hook that the fake has. */
export type HookName = "after-new-session" | "after-new-window";

const names: ReadonlyArray<string> = ["after-new-session", "after-new-window"];
const renames: ReadonlyArray<string> = ["rename-session", "rename-window"];

const parsed = (run: CommandRun, text: string): CommandList | ParseFailure => {
  const { file, line } = run.command;
  return new CommandBuilder(run.server, { file, line, oneGroup: true }).text(text);
};

const setHook = (run: CommandRun): CommandResult => {
  const { args, server } = run;
  const name = args.text(0) ?? "";
  const known = names.includes(name) && args.has("g") && !args.has("a") && !args.has("R");
  if (!known) outsideTheModel(`set-hook ${name}`);
  if (args.has("u")) {
    server.sessionOptions.reset(name);
    return "normal";
  }
  const text = args.text(1);
  if (text === null) return run.fail("empty value");
  const list = parsed(run, text);
  if (list instanceof ParseFailure) return run.fail(list.message);
  if (!list.commands.every(({ spec }) => renames.includes(spec.name))) {
    outsideTheModel(`the hook ${text}`);
  }
  server.sessionOptions.set(name, new Map([[0, list.print()]]));
  return "normal";
};

/** The commands of the hook in these options; `null` where it is not set. */
export const hookOf = (run: CommandRun, options: OptionSet, name: HookName): CommandList | null => {
  const value = options.get(name);
  const text = typeof value === "object" && value !== null ? value.get(0) : undefined;
  if (text === undefined) return null;
  const list = parsed(run, text);
  return list instanceof ParseFailure ? null : list;
};

/** `set-hook`. */
export const setHookCommand: CommandSpec = {
  name: "set-hook",
  usage: "[-agpRuw] [-t target-pane] hook [command]",
  shape: { template: "agpRt:uw", least: 1, most: 2, commandsAt: [1] },
  target: { flag: "t", kind: "pane", canFail: true },
  run: setHook,
};
