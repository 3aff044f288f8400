/**
 * GlobalOptions: the options of a server that has just started, for itself, for all sessions and
 * for all windows.
 */
import { KnownOptions } from "./KnownOptions.js";
import type { KnownOption } from "./OptionKind.js";
import { OptionSet } from "./OptionSet.js";
import { serverOptions, sessionOptions } from "./SessionOptions.js";
import { hookOptions, windowOptions } from "./WindowOptions.js";

/** The sets that the others fall back to. */
export interface GlobalOptions {
  readonly known: KnownOptions;
  readonly server: OptionSet;
  readonly session: OptionSet;
  readonly window: OptionSet;
}

/** Defaults everywhere, but for the shell, which is that of whoever starts the server. */
export const globalOptions = (since33: boolean, shell: string): GlobalOptions => {
  const known = new KnownOptions(since33);
  const hooks = (sessions: boolean): ReadonlyArray<KnownOption> =>
    hookOptions.filter(({ scope }) => (scope === "session") === sessions);
  const session = new OptionSet(known, null, [...sessionOptions, ...hooks(true)]);
  session.set("default-shell", shell);
  return {
    known,
    server: new OptionSet(known, null, serverOptions),
    session,
    window: new OptionSet(known, null, [...windowOptions, ...hooks(false)]),
  };
};
