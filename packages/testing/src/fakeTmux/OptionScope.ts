/**
 * OptionScope: which options a command is about.
 *
 * A user option is where the flags say: server, session, window or pane. An option of tmux is where
 * its own table says, and the flags only choose between global and not, window and pane. A target
 * that is not there is told as tmux tells it, which is not how other commands do.
 */
import type { CommandResult, CommandRun } from "./Command.js";
import type { OptionName } from "./KnownOptions.js";
import type { OptionScope } from "./OptionKind.js";
import type { OptionSet } from "./OptionSet.js";

/** The commands that mean windows without `-w`. */
export const windowForm = { set: "set-window-option", show: "show-window-options" } as const;

/** There is no such place; `message` is what tmux says. */
export class NoOptionSet {
  constructor(readonly message: string) {}
}

type Place = "server" | "session" | "window" | "pane";

const placeByFlags = (run: CommandRun): Place => {
  const { args, command } = run;
  const { name } = command.spec;
  if (args.has("s")) return "server";
  if (args.has("p")) return "pane";
  if (name === windowForm.set || name === windowForm.show || args.has("w")) return "window";
  return "session";
};

const placeByTable = (run: CommandRun, scope: OptionScope): Place =>
  scope === "pane" ? (run.args.has("p") ? "pane" : "window") : scope;

const absent = (run: CommandRun, place: Place): NoOptionSet => {
  const target = run.args.get("t");
  return new NoOptionSet(target === null ? `no current ${place}` : `no such ${place}: ${target}`);
};

const setAt = (run: CommandRun, place: Place): OptionSet | NoOptionSet => {
  const { args, server, target } = run;
  if (place === "server") return server.serverOptions;
  if (place === "pane") return target.pane?.options ?? absent(run, place);
  if (place === "window") {
    return args.has("g")
      ? server.windowOptions
      : (target.link?.window.options ?? absent(run, place));
  }
  return args.has("g") ? server.sessionOptions : (target.session?.options ?? absent(run, place));
};

/** The place of an option; that of the flags alone for a user option. */
export const findOptionSet = (run: CommandRun, name: string): OptionSet | NoOptionSet => {
  const known = name.startsWith("@") ? null : run.server.known.find(name);
  return setAt(run, known === null ? placeByFlags(run) : placeByTable(run, known.scope));
};

/** The tables whose options a listing by the flags shows. */
export const shownScopes = (run: CommandRun): ReadonlyArray<OptionScope> => {
  const place = placeByFlags(run);
  return place === "window" ? ["window", "pane"] : [place];
};

/** The option that an argument names; when there is none, how the command ends. */
export const findOptionName = (run: CommandRun, argument: string): OptionName | CommandResult => {
  const name = run.server.known.match(argument);
  if (typeof name !== "string") return name;
  return run.args.has("q") ? "normal" : run.fail(`${name} option: ${argument}`);
};
