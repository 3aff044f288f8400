/**
 * TmuxServer: the server that troupe owns, and the command list that boots it.
 *
 * Its own socket, no configuration file (`-f /dev/null`: a user's could rename, kill or expand),
 * options of our own in the list that starts it. `exit-empty off`, because a server that ends with
 * its last session makes 3 to 5 % of the next creations fail; `message-limit 0`, because tmux logs
 * commands with their arguments, and anybody with the socket can read that log. It holds no mark
 * of a session. `window-size manual` is never set: it crashes 3.3a to 3.6b.
 */
import { END, HELLO, joined } from "./TmuxCommand.js";

/** Starts the server unless it runs, and sets its options. Idempotent. */
export const BOOT: ReadonlyArray<string> = joined(
  ["start-server"],
  ["set-option", "-s", "exit-empty", "off"],
  ["set-option", "-s", "message-limit", "0"],
  ["set-option", "-g", "remain-on-exit", "on"],
  // Newer than 3.2; -q passes where it is unknown. Empty: the text would scroll the screen.
  ["set-option", "-gq", "remain-on-exit-format", ""],
  ["set-option", "-g", "automatic-rename", "off"],
  ["set-option", "-g", "allow-rename", "off"],
  ["set-option", "-g", "history-limit", "50000"],
  ["display-message", "-p", HELLO],
  ["display-message", "-p", END],
);

const VERSION = /^([0-9]+)\.([0-9]+)/;

/** Whether this version is 3.2 or newer. A development build (`next-3.6`, `master`) is taken. */
export const isSupported = (version: string): boolean => {
  const match = VERSION.exec(version);
  if (match === null) return true;
  const [major = 0, minor = 0] = match.slice(1).map(Number);
  return major > 3 || (major === 3 && minor >= 2);
};
