/**
 * How many transactions a second the registry makes on a disk, and how fast its log is replayed.
 *
 * Every change is on the disk when it is answered, as a registry must have it. The peers: the
 * driver alone, better-sqlite3, with one statement or transaction of the same size, prepared once
 * and with the same care; and what programs do that have no database, a file of JSON with a
 * hundred records, written aside, synced and renamed.
 */
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Claim, IncarnationId, makeSubscribe, Registry, SessionName } from "@troupe/core";
import { LinuxProcessTable, NodeIds } from "@troupe/node";
import { SqliteRegistry } from "@troupe/sqlite";
import Sqlite from "better-sqlite3";
import { Context, Effect, Layer, Stream } from "effect";
import { compare, heading, perSecond } from "./Rounds.js";

const rounds = Number(process.env.BENCH_ROUNDS ?? 12);
const count = 300;
const logged = 10_000;
const directory = fs.mkdtempSync(join(tmpdir(), "tr-"));
const session = SessionName.make("a");
const incarnation = IncarnationId.make("bench-0001");
const spec = { command: ["x"], cwd: "/", envNames: [], inheritEnv: false, log: true };

const times = <E, R>(number: number, work: Effect.Effect<unknown, E, R>) =>
  perSecond(number, Effect.repeatN(work, number - 1));

const opened = Effect.gen(function* () {
  const ports = Layer.mergeAll(LinuxProcessTable.layer, NodeIds.layer);
  const layer = SqliteRegistry.layer({ home: join(directory, "home") });
  const registry = Context.get(yield* Layer.build(Layer.provide(layer, ports)), Registry);
  const claim = yield* registry.claim(session, { attempted: "bench", force: false });
  const begin = {
    _tag: "Begin" as const,
    spec: { ...spec, columns: 80, rows: 24 },
    server: { pid: 1, startTime: 1 },
    requestId: null,
  };
  const run = { _tag: "Move", to: "running", cause: null } as const;
  yield* registry.commit(claim, incarnation, [begin, run], { release: true });
  let exited = false;
  const move = (claimed: Claim) => {
    exited = !exited;
    const to = exited ? "exited" : "running";
    const change = { _tag: "Move", to, cause: null } as const;
    return registry.commit(claimed, incarnation, [change], { release: true });
  };
  const take = registry.claim(session, { attempted: "bench", force: false });
  return { registry, take, message: Effect.flatMap(take, move) };
});

/** The driver alone, on a file of its own with tables like ours. */
const driver = () => {
  const sql = new Sqlite(join(directory, "driver.db"));
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL"]) sql.pragma(pragma);
  sql.exec(`CREATE TABLE claims (session TEXT PRIMARY KEY, owner TEXT, epoch INTEGER) STRICT;
    CREATE TABLE events (sequence INTEGER PRIMARY KEY, at INTEGER, body TEXT) STRICT;
    INSERT INTO claims VALUES ('a', NULL, 0)`);
  const swap = sql.prepare(
    "UPDATE claims SET epoch = epoch + 1 WHERE session = ? AND owner IS NULL RETURNING epoch",
  );
  const read = sql.prepare("SELECT * FROM claims WHERE session = ?");
  const event = sql.prepare("INSERT INTO events (at, body) VALUES (?, ?)");
  const page = sql.prepare("SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT 100");
  const body = JSON.stringify({ type: "session", state: "running", before: "exited", cause: null });
  const message = sql.transaction(() => {
    read.get("a");
    swap.get("a");
    event.run(Date.now(), body);
  });
  sql.transaction(() => {
    for (let at = 0; at < logged; at++) event.run(at, body);
  })();
  const replay = () => {
    for (let since = 0; since < logged; since += 100) {
      for (const row of page.all(since)) JSON.parse((row as { body: string }).body);
    }
  };
  return {
    swap: Effect.sync(() => swap.get("a")),
    read: Effect.sync(() => read.get("a")),
    message: Effect.sync(() => swap.get("a")).pipe(Effect.tap(() => message())),
    replay: Effect.sync(replay),
  };
};

const file = Effect.sync(() => {
  const records = Array.from({ length: 100 }, (_, at) => ({ ...spec, session: `n${at}`, at }));
  const [path, aside] = [join(directory, "rows.json"), join(directory, "rows.json.new")];
  const handle = fs.openSync(aside, "w");
  fs.writeSync(handle, JSON.stringify(records));
  fs.fsyncSync(handle);
  fs.closeSync(handle);
  fs.renameSync(aside, path);
});

const bench = Effect.gen(function* () {
  const { message, registry, take } = yield* opened;
  const peer = driver();
  heading("a second");
  yield* compare("a compare-and-set", rounds, [
    { name: "better-sqlite3", once: times(count, peer.swap) },
    { name: "a file of JSON", once: times(count, file) },
    { name: "registry, a claim", once: times(count, take) },
  ]);
  yield* compare("a message: claim, move, event", rounds, [
    { name: "better-sqlite3", once: times(count, peer.message) },
    { name: "registry", once: times(count, message) },
  ]);
  yield* compare("a record is read", rounds, [
    { name: "better-sqlite3", once: times(count, peer.read) },
    { name: "registry", once: times(count, registry.get(session)) },
  ]);
  yield* Effect.repeatN(message, logged - rounds * count);
  const subscribe = yield* Effect.provideService(makeSubscribe, Registry, registry);
  const replayed = Stream.runCount(subscribe({ since: 0, follow: false }));
  const events = yield* replayed;
  yield* compare(`${logged} events are replayed`, rounds, [
    { name: "better-sqlite3", once: perSecond(logged, peer.replay) },
    { name: "registry", once: perSecond(events, replayed) },
  ]);
});

try {
  await Effect.runPromise(Effect.scoped(bench));
} finally {
  fs.rmSync(directory, { recursive: true, force: true });
}
