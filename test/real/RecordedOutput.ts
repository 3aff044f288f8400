/**
 * RecordedOutput: programs whose output is recorded, and what is to be seen of that.
 *
 * In the files of a home, and among the processes that tmux runs beside its panes.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sessions } from "@troupe/core";
import { Effect } from "effect";
import { commandLineOf } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import type { RealHome } from "./RealHome.js";

/** A script as the program of a session. */
export const sh = (script: string) => ({
  command: ["sh", "-c", script],
  cwd: "/",
  startWindowMs: 0,
});

/** How a program ended is known for sure behind its start window; without one tmux may be late. */
export const seen = { startWindowMs: 100 };

/** What `seq` prints on a terminal. */
export const numbers = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${i + 1}\r\n`).join("");

/** What tmux runs beside the programs of its panes. */
export const helpersOf = (home: RealHome): ReadonlyArray<string> => {
  const server = home.tmux("display-message", "-p", "#{pid}");
  const children = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").trim();
  const panes = home.tmux("display-message", "-p", "#{S:#{W:#{P:#{pane_pid} }}}").split(" ");
  const pids = children === "" ? [] : children.split(" ");
  return pids.filter((pid) => !panes.includes(pid)).map((pid) => commandLineOf(Number(pid)));
};

/** Where the output of the session `a` is recorded. */
export const directoryOf = (home: RealHome, sessions: Sessions["Type"], terminal = "main") =>
  Effect.map(sessions.get("a"), ({ incarnation }) =>
    join(home.directory, "home", "output", incarnation, terminal),
  );

/** What is recorded in the directory, by the order of its segments. */
export const recorded = (directory: string): string =>
  readdirSync(directory)
    .filter((name) => /^[0-9]+$/.test(name))
    .sort((a, b) => Number(a) - Number(b))
    .map((name) => readFileSync(join(directory, name), "utf8"))
    .join("");

/** Waits until the text is recorded. */
export const waitForOutput = (directory: string, text: string) =>
  Effect.promise(() =>
    waitFor(`${text} recorded`, () => existsSync(directory) && recorded(directory).includes(text)),
  );

/** Words of a script that wait for `go`: what was printed is then with tmux before the end. */
export const untilGo = 'until [ -e "$HOME/go" ]; do sleep 0.02; done';

/** Lets the programs that wait for it go on. */
export const go = (home: RealHome): Effect.Effect<void> =>
  Effect.sync(() => writeFileSync(join(home.directory, "go"), ""));
