/**
 * How fast a call of the command is: whole processes, against `node -e 0`, in one run.
 *
 * A round runs each of them once, one after the other, so that what else the machine does meets
 * all of them; the ratio of a call is the median of its ratios in the rounds. On a machine that
 * does much else, the ratio of the shortest times is nearer to that of a quiet one. The tmux server
 * runs, and the home has one session beside the one that is made and deleted. It is run where the
 * repository is.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const rounds = 20;
const troupe = join(process.cwd(), "examples/cli/bin/troupe.js");
const directory = mkdtempSync(join(tmpdir(), "tr-"));
const socket = join(directory, "s");
const env = {
  PATH: process.env.PATH,
  HOME: directory,
  TROUPE_HOME: join(directory, "home"),
  TROUPE_SOCKET: socket,
};

const node = ["-e", "0"];
const create = (name: string) => ["create", name, "--start-window", "0", "--", "sleep", "600"];

/** Name, how much slower than node it may be, and its words. */
const calls: ReadonlyArray<readonly [string, number, ReadonlyArray<string>]> = [
  ["troupe --version", 1.3, ["--version"]],
  ["troupe --help", 3, ["--help"]],
  ["troupe list --json, one session", 3, ["list", "--json"]],
  ["troupe create", 4, create("b")],
  ["troupe delete", 4, ["delete", "b"]],
];

const millisecondsOf = (words: ReadonlyArray<string>, program = troupe): number => {
  const startedAt = performance.now();
  const done = spawnSync(program, words, { env, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${words.join(" ")}: ${done.stdout}${done.stderr}`);
  return performance.now() - startedAt;
};

const sorted = (numbers: ReadonlyArray<number>) => [...numbers].sort((a, b) => a - b);
const at = (numbers: ReadonlyArray<number>, part: number): number =>
  sorted(numbers)[Math.floor(part * (numbers.length - 1))] ?? Number.NaN;

try {
  millisecondsOf(create("a"));
  const round = () => ({
    base: millisecondsOf(node, process.execPath),
    times: calls.map(([, , words]) => millisecondsOf(words)),
  });
  round();
  const all = Array.from({ length: rounds }, round);
  const shortest = Math.min(...all.map(({ base }) => base));
  console.log(`node -e 0 takes ${shortest.toFixed(1)} ms; as a multiple of that, in its round:`);
  for (const [index, [name, most]] of calls.entries()) {
    const own = all.map(({ times }) => times[index] ?? Number.NaN);
    const ratios = all.map(({ base }, row) => (own[row] ?? Number.NaN) / base);
    const [low, middle, high] = [0.1, 0.5, 0.9].map((part) => at(ratios, part).toFixed(2));
    const best = (Math.min(...own) / shortest).toFixed(2);
    console.log(
      `${name.padEnd(34)} ${middle} (${low} to ${high}; shortest ${best}; at most ${most})`,
    );
  }
} finally {
  spawnSync("tmux", ["-S", socket, "kill-server"]);
  rmSync(directory, { recursive: true, force: true });
}
