/**
 * ByHand: what tmux costs somebody who calls it by hand: words in a shell that times itself.
 *
 * The start of the shell does not count. Servers are on sockets in a directory of this run, with
 * no configuration, and are ended with it; the default server is never asked.
 */
import { execFileSync, type StdioOptions, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTmux } from "@troupe/node";

/** The tmux that is measured. */
export const tmux = findTmux(undefined);

/** The directory of this run. */
export const directory = mkdtempSync(join(tmpdir(), "tr-"));

const sockets = new Set<string>();

/** A socket of this name, whose server ends with the run. */
export const socketAt = (name: string): string => {
  const socket = join(directory, name);
  sockets.add(socket);
  return socket;
};

/** What tmux answers on the socket; throws when it ends badly. */
export const ask = (socket: string, words: ReadonlyArray<string>, input = ""): string => {
  const done = spawnSync(tmux, ["-S", socket, ...words], { encoding: "utf8", input });
  if (done.status !== 0) throw new Error(`${words.join(" ")}: ${done.stderr}`);
  return done.stdout.trim();
};

/** Starts a server that stays without sessions. */
export const startServer = (socket: string): void => {
  const stays = ["set-option", "-s", "exit-empty", "off"];
  ask(socket, ["-f", "/dev/null", "start-server", ";", ...stays]);
};

/** Milliseconds of the script in a shell of its own, without the start of the shell. */
export const byHand = (script: string): number => {
  const timed = `t=$EPOCHREALTIME\n${script}\nu=$EPOCHREALTIME\necho $(( \${u/./} - \${t/./} ))`;
  const env = { PATH: process.env.PATH, LANG: "C.UTF-8" };
  // A shell whose input is a socket, as a pipe of node is, reads its startup files.
  const stdio: StdioOptions = ["ignore", "pipe", "inherit"];
  const took = execFileSync("bash", ["--norc", "-c", timed], { env, encoding: "utf8", stdio });
  return Number(took) / 1000;
};

/** Runs the bench, then ends every server and removes the directory. */
export const inDirectory = async (bench: () => Promise<unknown>): Promise<void> => {
  try {
    await bench();
  } finally {
    for (const socket of sockets) spawnSync(tmux, ["-S", socket, "kill-server"]);
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
};
