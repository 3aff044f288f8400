/**
 * RealHome: a home on a real tmux for one test, with what a test may do behind troupe's back.
 *
 * Directory, socket, server and registry are its own, and are gone when the scope closes, with
 * every process whose HOME is the directory. The default tmux server is never asked.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Sessions } from "@troupe/core";
import { type ServerScopeUnavailable, Troupe, type TroupeOptions } from "@troupe/node";
import { KEEPER } from "@troupe/tmux";
import { Context, Effect, Layer, type Scope } from "effect";
import { makeDirectory, removePlace, socketIn } from "../support/Place.js";
import { endProcessesOf } from "../support/Processes.js";

/** Where one test plays. */
export interface RealHome {
  readonly directory: string;
  readonly socket: string;
  /** A program on this home, closed with the scope; to it the directory is HOME. */
  readonly sessions: (
    options?: Partial<TroupeOptions>,
  ) => Effect.Effect<Sessions["Type"], never, Scope.Scope>;
  /** The same, whose server is to have a scope of systemd, found on this path. */
  readonly scoped: (
    path: string,
    options?: Partial<TroupeOptions>,
  ) => Effect.Effect<Sessions["Type"], ServerScopeUnavailable, Scope.Scope>;
  /** What tmux answers on this socket, trimmed, without keepers; throws when it ends badly. */
  readonly tmux: (...words: ReadonlyArray<string>) => string;
  /** Whether a tmux answers on this socket. */
  readonly answers: () => boolean;
  /** What a control client that is attached to the session is answered. */
  readonly control: (session: string, command: string) => string;
  /** A file that a program of the test wrote. */
  readonly read: (name: string) => string;
  /** The same, empty while there is none. */
  readonly find: (name: string) => string;
}

/** Makes what reads the environment once, with these variables in it. */
const within = <A, E, R>(variables: Record<string, string>, made: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
      Object.assign(process.env, variables);
      return before;
    }),
    () => made,
    (before) =>
      Effect.sync(() => {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
        }
      }),
  );

/** The directory as HOME: all that is started bears it, and is found and ended by that. */
const atHome = <A, E, R>(directory: string, made: Effect.Effect<A, E, R>) =>
  within({ HOME: directory }, made);

/** A program that has a connection has a keeper, which is no session of anybody. */
const withoutKeepers = ([command = "", ...rest]: ReadonlyArray<string>): ReadonlyArray<string> =>
  command === "list-sessions" || (command === "list-panes" && rest[0] === "-a")
    ? [command, "-f", `#{!=:#{@troupe-gen},${KEEPER}}`, ...rest]
    : [command, ...rest];

const make = (): RealHome => {
  const directory = makeDirectory();
  const socket = socketIn(directory);
  return {
    directory,
    socket,
    sessions: (options) =>
      atHome(
        directory,
        Effect.suspend(() =>
          Layer.build(Troupe.layer({ home: join(directory, "home"), socket, ...options })),
        ),
      ).pipe(Effect.map(Context.get(Sessions))),
    scoped: (path, options) =>
      within(
        { HOME: directory, PATH: path, XDG_RUNTIME_DIR: join(directory, "run") },
        Effect.suspend(() =>
          Layer.build(
            Troupe.layer({
              ...{ home: join(directory, "home"), socket, ...options },
              server: { scope: "systemd" },
            }),
          ),
        ),
      ).pipe(Effect.map(Context.get(Sessions))),
    tmux: (...words) =>
      execFileSync("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...withoutKeepers(words)], {
        encoding: "utf8",
      }).trim(),
    answers: () =>
      spawnSync("tmux", ["-u", "-S", socket, "-N", "list-sessions"], { timeout: 5_000 }).status ===
      0,
    control: (session, command) =>
      spawnSync("tmux", ["-u", "-S", socket, "-C", "attach-session", "-t", session], {
        encoding: "utf8",
        input: `${command}\n`,
      }).stdout,
    read: (name) => readFileSync(join(directory, name), "utf8"),
    find: (name) => {
      const path = join(directory, name);
      return existsSync(path) ? readFileSync(path, "utf8") : "";
    },
  };
};

const end = ({ directory, socket }: RealHome): void => {
  spawnSync("tmux", ["-S", socket, "kill-server"], { timeout: 5_000, killSignal: "SIGKILL" });
  endProcessesOf(directory);
  removePlace(directory, socket);
};

/** A fresh home, cleared when the scope closes. */
export const realHome: Effect.Effect<RealHome, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(make),
  (home) => Effect.sync(() => end(home)),
);
