/**
 * What a program pays that has troupe in it: create and delete of a session, and a listing, over
 * processes and over a connection, against tmux by hand, in one run.
 *
 * A round does each of them once, one after the other, so that what else the machine does meets all
 * of them; a ratio is the median of the ratios of the rounds. By hand is a shell that runs
 * `tmux new-session -d` and `tmux kill-session`, or `tmux ls`, and times itself; here the start
 * window is 0, and looks, commits to the disk and the snapshot are in it; the snapshot is a process
 * also beside a connection, and one row is without it. Every server is its own.
 */
import { execFileSync, type StdioOptions, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sessions } from "@troupe/core";
import { findTmux, Troupe } from "@troupe/node";
import { ControlTransport, ProcessTransport, TmuxClient, type TmuxTransport } from "@troupe/tmux";
import { Context, Effect, Layer, type Scope } from "effect";

const rounds = Number(process.env.BENCH_ROUNDS ?? 30);
const names = 8;
const tmux = findTmux(undefined);
const directory = mkdtempSync(join(tmpdir(), "tr-"));
const sockets = new Set<string>();

const socketAt = (name: string): string => {
  const socket = join(directory, name);
  sockets.add(socket);
  return socket;
};

/** Milliseconds of the loop in a shell of its own, without the start of the shell. */
const byHand = (script: string): number => {
  const timed = `t=$EPOCHREALTIME\n${script}\nu=$EPOCHREALTIME\necho $(( \${u/./} - \${t/./} ))`;
  const env = { PATH: process.env.PATH, LANG: "C.UTF-8" };
  // A shell whose input is a socket, as a pipe of node is, reads its startup files.
  const stdio: StdioOptions = ["ignore", "pipe", "inherit"];
  return (
    Number(execFileSync("bash", ["--norc", "-c", timed], { env, encoding: "utf8", stdio })) / 1000
  );
};

const milliseconds = <E, R>(work: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const startedAt = performance.now();
    yield* work;
    return performance.now() - startedAt;
  });

const at = (numbers: ReadonlyArray<number>, part: number): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
};

const spread = (numbers: ReadonlyArray<number>): string => {
  const [low, middle, high] = [0.1, 0.5, 0.9].map((part) => at(numbers, part).toFixed(2));
  return `${middle} (${low} to ${high})`;
};

/** One way to do it, how long that takes, and how much of by hand it may be. */
interface Way {
  readonly name: string;
  readonly most: number | null;
  readonly once: Effect.Effect<number, unknown>;
}

/** The first way is what the others are compared with. */
const compare = (what: string, ways: ReadonlyArray<Way>) =>
  Effect.gen(function* () {
    const round = Effect.forEach(ways, ({ once }) => once);
    yield* round;
    const all = yield* Effect.replicateEffect(round, rounds);
    const base = all.map(([first]) => first ?? Number.NaN);
    console.log(`${what}: ${ways[0]?.name} takes ${at(base, 0.5).toFixed(2)} ms`);
    for (const [index, { most, name }] of ways.entries()) {
      if (index === 0) continue;
      const own = all.map((times) => times[index] ?? Number.NaN);
      const ratios = own.map((time, row) => time / (base[row] ?? Number.NaN));
      const shortest = (Math.min(...own) / Math.min(...base)).toFixed(2);
      const goal = most === null ? "" : `; at most ${most}`;
      const median = at(own, 0.5).toFixed(2);
      console.log(
        `  ${name.padEnd(14)} ${spread(ratios)}; shortest ${shortest}${goal}; ${median} ms`,
      );
    }
  });

const program = (name: string, connection: boolean) =>
  Effect.map(
    Layer.build(
      Troupe.layer({ home: join(directory, name), socket: socketAt(`${name}.sock`), connection }),
    ),
    Context.get(Sessions),
  );

/** Milliseconds for each name. */
const turns = (sessions: Sessions["Type"], concurrency: number, snapshot = true) => {
  const turn = (session: string) =>
    Effect.zipRight(
      sessions.create({ session, command: ["sleep", "600"], cwd: "/", startWindowMs: 0 }),
      sessions.delete(session, { snapshot }),
    );
  const all = Array.from({ length: names }, (_, i) => `n${i}`);
  return Effect.map(
    milliseconds(Effect.forEach(all, turn, { concurrency })),
    (taken) => taken / names,
  );
};

const handTurns = (socket: string, atOnce: boolean) => {
  const turn = `${tmux} -S ${socket} new-session -d -s h$i sleep 600; ${tmux} -S ${socket} kill-session -t =h$i`;
  const all = Array.from({ length: names }, (_, i) => i).join(" ");
  const script = atOnce
    ? `for i in ${all}; do { ${turn}; } & done; wait`
    : `for i in ${all}; do ${turn}; done`;
  return Effect.sync(() => byHand(script) / names);
};

const createAndDelete = Effect.gen(function* () {
  const hand = socketAt("hand.sock");
  const start = ["start-server", ";", "set-option", "-s", "exit-empty", "off"];
  spawnSync(tmux, ["-S", hand, "-f", "/dev/null", ...start]);
  const connected = yield* program("connection", true);
  const spawning = yield* program("processes", false);
  for (const [what, concurrency, goals] of [
    ["create and delete, one at a time", 1, [0.65, 1.5]],
    ["create and delete, eight at once", 8, [0.7, 1.35]],
  ] as const) {
    yield* compare(what, [
      { name: "by hand", most: null, once: handTurns(hand, concurrency > 1) },
      { name: "connection", most: goals[0], once: turns(connected, concurrency) },
      { name: "no snapshot", most: goals[0], once: turns(connected, concurrency, false) },
      { name: "processes", most: goals[1], once: turns(spawning, concurrency) },
    ]);
  }
});

const marked = (count: number): string =>
  Array.from({ length: count }, (_, i) =>
    [
      `new-session -d -s s${i} sleep 600`,
      `set-option -t =s${i}: @troupe-inc incarnation-${i}`,
      `set-option -t =s${i}: @troupe-home 0123456789abcdef`,
      `set-option -t =s${i}: @troupe-gen 1`,
      `set-option -p -t =s${i}: @troupe-owner incarnation-${i}`,
      `set-option -p -t =s${i}: @troupe-pane main`,
    ].join(" ; "),
  ).join("\n");

const listTimes = 5;

const listing = (count: number, goals: readonly [number, number]) =>
  Effect.gen(function* () {
    const socket = socketAt(`list-${count}`);
    const options = { program: tmux, socket, environment: new Map([["SHELL", "/bin/sh"]]) };
    const client = (make: Effect.Effect<TmuxTransport["Type"], never, Scope.Scope>) =>
      Effect.map(make, (transport) => TmuxClient.make({ deadlineMs: 10_000 }, transport));
    const spawning = yield* client(ProcessTransport.make(options));
    const connected = yield* client(ControlTransport.live(options));
    yield* connected.boot("bench");
    spawnSync(tmux, ["-S", socket, "source-file", "-"], { input: `${marked(count)}\n` });
    const lists = (of: typeof spawning) =>
      Effect.map(
        milliseconds(Effect.replicateEffect(of.list("bench"), listTimes)),
        (taken) => taken / listTimes,
      );
    const hand = `for i in ${"x ".repeat(listTimes)}; do ${tmux} -S ${socket} ls >/dev/null; done`;
    yield* compare(`a listing of ${count}`, [
      { name: "tmux ls", most: null, once: Effect.sync(() => byHand(hand) / listTimes) },
      { name: "connection", most: goals[0], once: lists(connected) },
      { name: "processes", most: goals[1], once: lists(spawning) },
    ]);
    spawnSync(tmux, ["-S", socket, "kill-server"]);
  });

const bench = Effect.gen(function* () {
  yield* Effect.scoped(createAndDelete);
  yield* Effect.scoped(listing(1, [0.1, 1.3]));
  yield* Effect.scoped(listing(100, [0.45, 1.3]));
  yield* Effect.scoped(listing(500, [0.75, 1.3]));
});

try {
  await Effect.runPromise(bench);
} finally {
  for (const socket of sockets) spawnSync(tmux, ["-S", socket, "kill-server"]);
  rmSync(directory, { recursive: true, force: true });
}
