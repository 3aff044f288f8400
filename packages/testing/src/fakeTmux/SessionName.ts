/**
 * SessionName: the name that tmux gives a session for the one that was asked for.
 */
import type { Server } from "./Server.js";
import { vis } from "./Vis.js";

/** The rewritten name, or `null` for one that tmux refuses. */
export const checkSessionName = (server: Server, name: string): string | null => {
  const { dollar, emptyNames, plainNames } = server.rules;
  if (name === "" && !emptyNames) return null;
  if (server.machine.quirks.namesNotRewritten) return name;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the matter
  if (plainNames) return /[\u0000-\u001f\u007f]/.test(name) ? null : name;
  return vis(name.replace(/[:.]/g, "_"), dollar);
};

/** tmux's words for a name that it refuses. */
export const refusedName = (server: Server, name: string): string =>
  server.rules.plainNames ? `invalid session name: ${name}` : `invalid session: ${name}`;
