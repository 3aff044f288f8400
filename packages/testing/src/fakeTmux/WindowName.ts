/**
 * WindowName: the name that tmux makes for a window from what runs in it.
 *
 * The first word of the command line without its directory. The fake names a window once; the
 * name that `automatic-rename` may have changed since is a defect of who asks for it.
 */
import { escapeArguments } from "./Arguments.js";
import type { Pane } from "./Pane.js";
import type { DollarEscape } from "./Vis.js";

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The name that a command line gives. */
export const nameOfCommand = (command: string): string => {
  const open = command.replace(/^"/, "").replace(/"[\s\S]*$/, "");
  const bare = open.replace(/^exec /, "").replace(/^[ -]+/, "");
  const [word = ""] = bare.split(" ");
  let end = word.length;
  while (end > 1 && !/[!-~]/.test(word.charAt(end - 1))) end--;
  const name = word.slice(0, end);
  return name.startsWith("/") ? baseName(name) : name;
};

/** The name for a pane: of the program that runs, else of what it was started with. */
export const paneCommandName = (
  pane: Pane,
  running: string | null,
  dollar: DollarEscape,
): string => {
  if (running !== null) return nameOfCommand(running);
  const command = escapeArguments(pane.argv, dollar);
  return nameOfCommand(command === "" ? pane.shell : command);
};
