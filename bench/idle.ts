/**
 * What a name that was used and rests keeps of the heap: ten thousand names that have rows are used
 * once each, and the heap, collected, is compared with what it was; and what peers keep of actors.
 *
 * Each name is used through the whole of a program: its actor takes the claim of the name in
 * SQLite, reads its row, asks a real tmux over a connection and gives the claim back. The peers'
 * actors answer one message. What fibers and timers there are a test counts:
 * test/core/idleNames.test.ts.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { IncarnationId, makeMailboxes, Registry, SessionName, Sessions } from "@troupe/core";
import { findTmux, LinuxProcessTable, NodeIds, Troupe } from "@troupe/node";
import { SqliteRegistry } from "@troupe/sqlite";
import { Context, Effect, Layer, Option } from "effect";
import { dispatch, query, spawnStateless, start, stop } from "nact";
import { createActor, fromTransition } from "xstate";
import { heading, type Measured, report } from "./Rounds.js";

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const names = Number(process.env.BENCH_NAMES ?? 10_000);
const directory = mkdtempSync(join(tmpdir(), "tr-"));
const home = join(directory, "home");
const socket = join(directory, "s");

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes that are in use when everything was collected that can be. */
const heap = Effect.gen(function* () {
  for (let i = 0; i < 4; i++) {
    yield* Effect.sleep(20);
    collect();
  }
  return getHeapStatistics().used_heap_size;
});

const spec = { command: ["x"], cwd: "/", envNames: [], inheritEnv: false, log: true };

/** Writes a row for each name: of a creation that failed, in the server that there is. */
const rows = Effect.gen(function* () {
  const ports = Layer.merge(LinuxProcessTable.layer, NodeIds.layer);
  const layer = Layer.provide(SqliteRegistry.layer({ home }), ports);
  const registry = Context.get(yield* Layer.build(layer), Registry);
  const stays = Option.getOrThrow(yield* registry.get(SessionName.make("stays")));
  const server = stays.server ?? (yield* Effect.dieMessage("it has no server"));
  for (let at = 0; at < names; at++) {
    const claim = yield* registry.claim(SessionName.make(`n${at}`), {
      attempted: "bench",
      force: false,
    });
    const begin = {
      _tag: "Begin" as const,
      spec: { ...spec, columns: 80, rows: 24 },
      server,
      requestId: null,
    };
    const fail = { _tag: "Move", to: "failed", cause: null } as const;
    const incarnation = IncarnationId.make(`bench-${String(at).padStart(8, "0")}`);
    yield* registry.commit(claim, incarnation, [begin, fail], { release: true });
  }
}).pipe(Effect.scoped);

/** The heap before and behind a use of every name, in each round. */
const ofNames = Effect.gen(function* () {
  const layer = Troupe.layer({ home, socket, connection: true, deadlineMs: 60_000 });
  const sessions = Context.get(yield* Layer.build(layer), Sessions);
  yield* sessions.create({ session: "stays", command: ["sleep", "600"], cwd: "/" });
  yield* rows;
  const use = (from: number) =>
    Effect.forEach(
      Array.from({ length: names - from }),
      (_, at) => sessions.reconcile(`n${from + at}`),
      { discard: true },
    );
  yield* use(names / 2);
  const before: Array<number> = [];
  const behind: Array<number> = [];
  for (let round = 0; round < rounds; round++) {
    before.push(yield* heap);
    yield* use(0);
    behind.push(yield* heap);
  }
  yield* sessions.delete("stays");
  return [before, behind] as const;
}).pipe(Effect.scoped);

/** Bytes for each of so many actors that `use` makes and uses; they are kept until it was seen. */
const bytesOf = (use: () => Promise<unknown>) =>
  Effect.gen(function* () {
    const before = yield* heap;
    const kept = yield* Effect.promise(use);
    const bytes = ((yield* heap) - before) / names;
    return kept === null ? Number.NaN : bytes;
  });

const ofXstate = bytesOf(async () =>
  Array.from({ length: names }, () => {
    const actor = createActor(fromTransition((count: number) => count + 1, 0)).start();
    actor.send({ type: "count" });
    return actor;
  }),
);

const systems: Array<ReturnType<typeof start>> = [];

const ofNact = bytesOf(async () => {
  const system = start();
  for (let at = 0; at < names; at++) {
    const actor = spawnStateless(system, ({ sender }) => dispatch(sender, 1));
    await query(actor, (sender) => ({ sender }), 10_000);
  }
  systems.push(system);
  return system;
});

const ofMailboxes = Effect.scoped(
  Effect.flatMap(makeMailboxes(8), (mailboxes) =>
    bytesOf(async () => {
      const ask = (at: number) => Effect.orDie(mailboxes.ask(`n${at}`, "bench", Effect.void));
      const all = Array.from({ length: names }, (_, at) => ask(at));
      await Effect.runPromise(Effect.all(all, { concurrency: "unbounded", discard: true }));
      return mailboxes;
    }),
  ),
);

const bench = Effect.gen(function* () {
  const [before, behind] = yield* ofNames;
  const kilobytes = (bytes: ReadonlyArray<number>) => bytes.map((n) => n / 1024);
  heading("kB");
  report(`the heap, ${names} names used once`, [
    { name: "before", numbers: kilobytes(before) },
    { name: "behind", numbers: kilobytes(behind), goal: { of: "ratio", atMost: 1.01 } },
  ]);
  const peers: Array<Measured> = [];
  for (const [name, bytes] of [
    ["xstate", ofXstate],
    ["nact", ofNact],
    ["mailboxes", ofMailboxes],
  ] as const) {
    yield* bytes;
    peers.push({ name, numbers: kilobytes(yield* Effect.replicateEffect(bytes, rounds)) });
  }
  report("an actor that rests", peers);
  for (const system of systems) stop(system);
});

try {
  await Effect.runPromise(bench);
} finally {
  spawnSync(findTmux(undefined), ["-S", socket, "kill-server"]);
  rmSync(directory, { recursive: true, force: true });
}
