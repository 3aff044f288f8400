/**
 * GlobalOptions: the options of a server that has just started, for itself, for all sessions and
 * for all windows.
 *
 * Every server has sets of its own; the tables of defaults behind them are the same for all.
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

const byName = (...tables: ReadonlyArray<ReadonlyArray<KnownOption>>) =>
  new Map(tables.flat().map((option) => [option.name, option]));

const hooksOf = (sessions: boolean): ReadonlyArray<KnownOption> =>
  hookOptions.filter(({ scope }) => (scope === "session") === sessions);

// Tables never change; every server looks at the same ones.
const known = { since33: new KnownOptions(true), before33: new KnownOptions(false) };
const serverDefaults = byName(serverOptions);
const sessionDefaults = byName(sessionOptions, hooksOf(true));
const windowDefaults = byName(windowOptions, hooksOf(false));

/** Defaults everywhere, but for the shell, which is that of whoever starts the server. */
export const globalOptions = (since33: boolean, shell: string): GlobalOptions => {
  const options = since33 ? known.since33 : known.before33;
  const session = new OptionSet(options, null, sessionDefaults);
  session.set("default-shell", shell);
  return {
    known: options,
    server: new OptionSet(options, null, serverDefaults),
    session,
    window: new OptionSet(options, null, windowDefaults),
  };
};
