/**
 * Footprint: what this program, its tmux server and its home hold at a moment.
 *
 * None of it may grow over any number of sessions that came and went. It is counted from outside,
 * in /proc, in the directory and by tmux itself, never asked of the code under test.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { processesOf } from "../support/Processes.js";
import type { RealHome } from "./RealHome.js";

/** How many there are of what, each under a name that says both what and whose it is. */
export type Footprint = Readonly<Record<string, number>>;

const counted = (what: string, words: ReadonlyArray<string>): Footprint => {
  const counts: Record<string, number> = {};
  for (const word of [...words].sort()) {
    const key = `${what} ${word}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

const nameOf = (path: string): string => (path.endsWith(".lock") ? "lock" : basename(path));

/** What the descriptor is of: a file, or the kind of what has none. One that closes is nothing. */
const kindOf = (descriptor: string): ReadonlyArray<string> => {
  try {
    const target = readlinkSync(`/proc/self/fd/${descriptor}`);
    return [nameOf(target.replace(/:\[\d+\]$/, ""))];
  } catch {
    return [];
  }
};

const childrenOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim())
    .flatMap((line) => (line === "" ? [] : line.split(" "))).length;

const lines = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split("\n"));

const isFence = (line: string): boolean => line.startsWith("@troupe-fence-");

/** The names that have a fence in tmux. */
export const fencedNames = (home: RealHome): ReadonlyArray<string> =>
  lines(home.tmux("show-options", "-s"))
    .filter(isFence)
    .map((line) => line.replace("@troupe-fence-", "").replace(/ .*/, ""));

/**
 * Whether the file is what a session leaves until gc: snapshots, and output but for what its
 * recorder has only while it runs.
 */
const isKept = (path: string): boolean =>
  /^home\/(snapshots|output)\/./.test(path) && !/\/(open|broken)$/.test(path);

/** The footprint of a home whose server runs. */
export const footprintOf = (home: RealHome): Footprint => {
  const server = Number(home.tmux("display-message", "-p", "#{pid}"));
  const options = lines(home.tmux("show-options", "-s"));
  const sessions = lines(home.tmux("list-sessions"));
  const files = readdirSync(home.directory, { recursive: true, encoding: "utf8" });
  return {
    ...counted("descriptor", readdirSync("/proc/self/fd").flatMap(kindOf)),
    ...counted("handle", process.getActiveResourcesInfo()),
    ...counted("file", files.filter((path) => !isKept(path)).map(nameOf)),
    children: childrenOf(process.pid),
    "processes of the home": processesOf(home.directory).length,
    "descriptors of the server": readdirSync(`/proc/${server}/fd`).length,
    "children of the server": childrenOf(server),
    sessions: sessions.length,
    "options but fences": options.filter((line) => !isFence(line)).length,
  };
};

/** Whether nothing is under way: no client of ours has yet to end, and no program of tmux's. */
export const isIdle = (now: Footprint): boolean =>
  ["children", "children of the server", "handle ProcessWrap"].every((key) => !now[key]);

/** What there is more of than before. What is on its way out at a look may well be less later. */
export const above = (now: Footprint, before: Footprint): Footprint =>
  Object.fromEntries(Object.entries(now).filter(([key, count]) => count > (before[key] ?? 0)));

/** How many bytes the file of the home has. */
export const bytesOf = (home: RealHome, name: string): number =>
  statSync(join(home.directory, "home", name)).size;

/** The bytes of JavaScript objects that are in use. */
export const heapInUse = (): number => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("this Node cannot collect on demand");
  // Twice: finalization registries free more behind the first.
  for (const _ of [1, 2]) collect();
  return process.memoryUsage().heapUsed;
};
