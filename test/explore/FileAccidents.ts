/**
 * FileAccidents: what happens to the file of a registry that a program has open: another one, or
 * none, stands at its path from then on, somebody writes to it, or what has it open goes wrong.
 *
 * Done by somebody who has nothing open: with node and with SQLite, or by a program of its own.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "@troupe/core";
import Sqlite from "better-sqlite3";
import { Context, Effect, Layer } from "effect";
import { makeOlderRegistry } from "../contract/olderRegistry.js";
import { connectionsTo } from "../contract/registryConnections.js";
import { made } from "./LeaseWorld.js";
import { sqliteIn, usedHome } from "./WorldStore.js";

const FILE = "registry.db";

/** A program on the home, until the scope closes. */
export const registryIn = (home: string, owner: string) =>
  Effect.map(Layer.build(sqliteIn(home, owner)), Context.get(Registry));

/** The files as programs left them that made `a`, and then `b`. */
let left: { readonly one: Buffer; readonly two: Buffer } | null = null;

const leftBy = (home: string, session: string) =>
  Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.flatMap(registryIn(home, `maker-of-${session}`), (it) => made(it, session)),
    );
    return readFileSync(join(home, FILE));
  });

/** A home, and what is known of it. */
interface Place {
  readonly home: string;
  /** The file as it was with one session. */
  readonly one: Buffer;
  /** The connections to the file that are open. */
  readonly connections: Effect.Effect<ReadonlyArray<Sqlite.Database>>;
}

/** A home with two sessions, that no program has open. */
export const homeOfTwo = Effect.gen(function* () {
  const home = yield* usedHome;
  left ??= { one: yield* leftBy(home, "a"), two: yield* leftBy(home, "b") };
  writeFileSync(join(home, FILE), left.two, { mode: 0o600 });
  const place: Place = { home, one: left.one, connections: yield* connectionsTo(join(home, FILE)) };
  return place;
});

/** What happens to the file. */
export interface Accident {
  readonly name: string;
  /** What stands at the path from then on: the names of its sessions, or how it fails. */
  readonly stands: string;
  readonly run: (place: Place) => Effect.Effect<void, unknown>;
  /** Whether the next change is refused for it, and no other. */
  readonly costsOne?: boolean;
  /** What is so for a moment before that; what ends it. */
  readonly first?: (home: string) => () => void;
}

/** Takes away what stands at the path, with what SQLite has beside it. */
const removeSync = (home: string, ends = ["", "-wal", "-shm"]) => {
  for (const end of ends) rmSync(join(home, `${FILE}${end}`), { force: true });
};

const removed = (home: string) => Effect.sync(() => removeSync(home));

const put = (home: string, bytes: Buffer) => {
  const beside = join(home, "put");
  writeFileSync(beside, bytes, { mode: 0o600 });
  renameSync(beside, join(home, FILE));
};

/** Somebody keeps it aside, and makes another session. */
const madeAnew = (home: string) =>
  Effect.scoped(
    Effect.flatMap(registryIn(home, "other"), (other) =>
      Effect.zipRight(other.setAside, made(other, "c")),
    ),
  );

const damaged = (home: string) =>
  Effect.sync(() => {
    const sql = new Sqlite(join(home, FILE));
    sql.exec("UPDATE incarnations SET spec = '{}' WHERE session = 'b'").close();
  });

const putBack: Accident = {
  name: "an older copy is put back",
  stands: "a",
  run: ({ home, one }) => Effect.map(removed(home), () => put(home, one)),
};

/** Another file at once. */
export const accidents: ReadonlyArray<Accident> = [
  {
    name: "a row is damaged, and it is made anew",
    stands: "c",
    run: ({ home }) => Effect.zipRight(damaged(home), madeAnew(home)),
  },
  putBack,
  {
    name: "that of an older program is put there",
    stands: "old",
    run: ({ home }) => Effect.map(removed(home), () => makeOlderRegistry(home)),
  },
  {
    name: "a copy is put there that was cut off",
    stands: "RegistryCorrupt",
    // The end of a page has the newest of what is in it.
    run: ({ home, one }) => Effect.map(removed(home), () => put(home, one.subarray(0, -100))),
  },
  { name: "it is taken away", stands: "", run: ({ home }) => removed(home) },
  {
    name: "it is taken away without its log",
    stands: "RegistryCorrupt",
    run: ({ home }) => Effect.sync(() => removeSync(home, [""])),
  },
];

/** For a moment somebody writes to it. */
const busy = (home: string) => {
  const sql = new Sqlite(join(home, FILE));
  sql.exec("BEGIN IMMEDIATE");
  return () => void sql.exec("COMMIT").close();
};

/** The same file, or another, behind somebody who writes to it for a moment. */
export const busyAccidents: ReadonlyArray<Accident> = [
  { name: "somebody writes to it", stands: "a,b", first: busy, run: () => Effect.void },
  { ...putBack, name: `somebody writes to it, and ${putBack.name}`, first: busy },
];

/** The same file, and a connection to it that went wrong. */
export const wrongConnection: Accident = {
  name: "what has it open writes no more",
  stands: "a,b",
  costsOne: true,
  run: ({ connections }) =>
    Effect.map(connections, (open) => {
      for (const each of open) each.pragma("query_only = ON");
    }),
};
