/**
 * What a program pays that has troupe in it: create and delete of a session, over processes and
 * over a connection, against tmux by hand and against libtmux.
 *
 * By hand is a shell that runs `tmux new-session -d` and `tmux kill-session`, and times itself.
 * Here the start window is 0, and looks, commits to the disk and the snapshot are in it; the
 * snapshot is a process also beside a connection, and one row is without it. Every server is its
 * own.
 */
import { join } from "node:path";
import { Sessions } from "@troupe/core";
import { Troupe } from "@troupe/node";
import { Context, Effect, Layer } from "effect";
import { byHand, directory, inDirectory, socketAt, startServer, tmux } from "./ByHand.js";
import { hasLibtmux, libtmux } from "./Libtmux.js";
import { atMost, compare, heading, milliseconds } from "./Rounds.js";

const rounds = Number(process.env.BENCH_ROUNDS ?? 30);
const names = 8;

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

const bench = Effect.gen(function* () {
  const hand = socketAt("hand.sock");
  startServer(hand);
  const connected = yield* program("connection", true);
  const spawning = yield* program("processes", false);
  heading("ms for a name");
  for (const [what, concurrency, connection, processes] of [
    ["create and delete, one at a time", 1, 0.65, 1.5],
    ["create and delete, eight at once", 8, 0.7, 1.35],
  ] as const) {
    const ours = (of: typeof connected, most: number, snapshot?: boolean) => ({
      once: turns(of, concurrency, snapshot),
      goal: atMost(most),
    });
    yield* compare(what, rounds, [
      { name: "by hand", once: handTurns(hand, concurrency > 1) },
      { name: "connection", ...ours(connected, connection) },
      { name: "connection, no snapshot", ...ours(connected, connection, false) },
      { name: "processes", ...ours(spawning, processes) },
    ]);
  }
  if (!hasLibtmux()) return yield* Effect.log("python3-libtmux is not installed");
  const python = yield* libtmux(hand);
  yield* compare("create, look for and delete, one at a time", rounds, [
    { name: "libtmux", once: Effect.map(python(names), (taken) => taken / names) },
    { name: "connection", once: turns(connected, 1), goal: atMost(0.3) },
    { name: "processes", once: turns(spawning, 1), goal: atMost(0.65) },
  ]);
});

await inDirectory(() => Effect.runPromise(Effect.scoped(bench)));
