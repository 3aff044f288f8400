/**
 * What a listing of a server costs, over processes and over a connection, against `tmux ls`, at
 * several numbers of sessions.
 *
 * Ours tells more: the marks, terminals and programs of each session. By hand it is a process that
 * prints a line for each, which nobody reads.
 */
import { ControlTransport, ProcessTransport, TmuxClient, type TmuxTransport } from "@troupe/tmux";
import { Effect, type Scope } from "effect";
import { ask, byHand, inDirectory, socketAt, tmux } from "./ByHand.js";
import { atMost, compare, heading, milliseconds } from "./Rounds.js";

const rounds = Number(process.env.BENCH_ROUNDS ?? 30);
const times = 20;

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

const listing = (count: number, connection: number) =>
  Effect.gen(function* () {
    const socket = socketAt(`list-${count}`);
    const options = { program: tmux, socket, environment: new Map([["SHELL", "/bin/sh"]]) };
    const client = (make: Effect.Effect<TmuxTransport["Type"], never, Scope.Scope>) =>
      Effect.map(make, (transport) => TmuxClient.make({ deadlineMs: 30_000 }, transport));
    const spawning = yield* client(ProcessTransport.make(options));
    const connected = yield* client(ControlTransport.live(options));
    yield* connected.boot("bench");
    ask(socket, ["source-file", "-"], `${marked(count)}\n`);
    const lists = (of: typeof spawning) =>
      Effect.map(
        milliseconds(Effect.repeatN(of.list("bench"), times - 1)),
        (taken) => taken / times,
      );
    // A program that stays has listed before: what runs first is compiled while it runs.
    yield* Effect.repeatN(connected.list("bench"), Math.ceil(2000 / count));
    const hand = `for i in ${"x ".repeat(times)}; do ${tmux} -S ${socket} ls >/dev/null; done`;
    yield* compare(`a listing of ${count}`, rounds, [
      { name: "tmux ls", once: Effect.sync(() => byHand(hand) / times) },
      { name: "connection", once: lists(connected), goal: atMost(connection) },
      { name: "processes", once: lists(spawning), goal: atMost(1.3) },
    ]);
    ask(socket, ["kill-server"]);
  }).pipe(Effect.scoped);

const bench = Effect.gen(function* () {
  heading("ms");
  yield* listing(1, 0.1);
  yield* listing(100, 0.45);
  yield* listing(500, 0.75);
});

await inDirectory(() => Effect.runPromise(bench));
