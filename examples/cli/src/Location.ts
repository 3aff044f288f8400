/**
 * Location: which home, which server and which tmux a call is about.
 *
 * A flag wins over its variable, and an empty variable counts as unset. Paths are made absolute
 * here, against the caller's directory, and nothing is looked at or made. What was not said is
 * left out, so that the library's own default holds.
 */
import { isAbsolute, join, resolve } from "node:path";
import { type Checked, InvalidCwd } from "@troupe/core";
import { Effect } from "effect";
import { Caller } from "./Caller.js";
import type { Call } from "./CommandSpec.js";
import { home, socket, tmux, type Value } from "./Options.js";

/** What `Troupe.layer` is told. */
export interface Location {
  readonly home: string;
  readonly socket?: string;
  readonly tmux?: string;
  /** A command reconciles the names that it changes, and no other. */
  readonly reconcileOnStart: false;
}

const variableOf = ({ environment }: Caller["Type"], name: string): string | undefined =>
  environment.get(name) || undefined;

/** Where the home is when nothing says otherwise. A caller may have no home directory. */
const usualOf = (caller: Caller["Type"]): string => {
  const stateHome = variableOf(caller, "XDG_STATE_HOME");
  return stateHome !== undefined && isAbsolute(stateHome)
    ? join(stateHome, "troupe")
    : join(caller.homeDirectory, ".local", "state", "troupe");
};

/** The directory that a program is to start in, absolute; one that we cannot name is refused. */
export const directoryOf = (
  checked: Checked,
  path: string,
): Effect.Effect<string, InvalidCwd, Caller> =>
  Effect.flatMap(Caller, ({ cwd, undecodable }) => {
    const directory = resolve(cwd, path);
    if (isAbsolute(path) || !undecodable.cwd) return Effect.succeed(directory);
    return new InvalidCwd({ ...checked, cwd: directory, reason: "its path is not UTF-8" });
  });

/** The home of a call that names none. */
export const usualHome: Effect.Effect<string, never, Caller> = Effect.map(Caller, usualOf);

/** The words of the call that say which home it is about, so that a command can be copied. */
export const placesOf = (call: Call): ReadonlyArray<string> =>
  [home, socket, tmux].flatMap((option) => {
    const value = call.one(option);
    return value === null ? [] : [`--${option.name}`, value];
  });

/** The variable or the directory that says where things are and is no UTF-8; `null` for none. */
export const oddPlace = (call: Call, caller: Caller["Type"]): string | null => {
  const { undecodable } = caller;
  const isGiven = (option: Value, name: string) =>
    call.one(option) !== null || variableOf(caller, name) !== undefined;
  const names = [
    ...(call.one(home) === null ? ["TROUPE_HOME"] : []),
    ...(call.one(socket) === null ? ["TROUPE_SOCKET"] : []),
    ...(call.one(tmux) === null ? ["TROUPE_TMUX"] : []),
    ...(isGiven(home, "TROUPE_HOME") ? [] : ["XDG_STATE_HOME", "HOME"]),
  ];
  return names.find((name) => undecodable.variables.has(name)) ?? null;
};

/** Where the home of this call, its socket and its tmux are. */
export const locationOf = (call: Call): Effect.Effect<Location, never, Caller> =>
  Effect.map(Caller, (caller) => {
    const { cwd } = caller;
    const said = (option: Value, name: string): string | undefined =>
      call.one(option) ?? variableOf(caller, name);
    const socketPath = said(socket, "TROUPE_SOCKET");
    const program = said(tmux, "TROUPE_TMUX");
    return {
      home: resolve(cwd, said(home, "TROUPE_HOME") ?? usualOf(caller)),
      reconcileOnStart: false,
      ...(socketPath === undefined ? {} : { socket: resolve(cwd, socketPath) }),
      ...(program === undefined
        ? {}
        : { tmux: program.includes("/") ? resolve(cwd, program) : program }),
    };
  });
