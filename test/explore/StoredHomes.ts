/**
 * StoredHomes: homes as programs may find them, made once and copied for every run: with sessions
 * that run, behind a program that has died, beside one that is about to start, and such as are not
 * there yet, of an older program or damaged.
 *
 * What is in them was written by programs that have ended, so nobody has a file of them open.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ActorId, LeaseId, type LeaseRequest, type Registry } from "@troupe/core";
import Sqlite from "better-sqlite3";
import { Effect, type Scope } from "effect";
import { makeOlderRegistry } from "../contract/olderRegistry.js";
import { registryIn } from "./FileAccidents.js";
import { made, name } from "./LeaseWorld.js";
import { usedHome } from "./WorldStore.js";

/** The sessions of a home that has some: one that is contested, and one for each program. */
export const sessions = ["a", "of-program1", "of-program2"];

/** The lease of `a`, for the writer of this program. */
export const leaseBy = (owner: string): LeaseRequest => ({
  ...{ session: name("a"), attempted: "explored", component: "sessions", surface: "explored" },
  ...{ capacity: null, actor: ActorId.make(owner), lease: LeaseId.make(`lease-of-${owner}`) },
});

type Made = (home: string) => Effect.Effect<unknown, unknown>;

const before =
  (body: (registry: Registry["Type"]) => Effect.Effect<unknown, unknown>): Made =>
  (home) =>
    Effect.scoped(Effect.flatMap(registryIn(home, "before"), body));

const running = before((registry) =>
  Effect.forEach(sessions, (session) => made(registry, session)),
);

const write =
  (body: (home: string) => void): Made =>
  (home) =>
    Effect.sync(() => body(home));

const lockOf = (owner: string): string => join("locks", `host,boot,1,1,${owner}-0001.lock`);

const damaged = (...files: ReadonlyArray<string>): Made =>
  write((home) => {
    for (const file of files) writeFileSync(join(home, file), "it", { mode: 0o600 });
  });

/** How each is made, in a home that was used before and in which nothing is. */
const homes = {
  /** Its sessions run, and no program is there. */
  used: [running],
  /** A program died, and the claim and the lease of `a` are his still. */
  "behind the dead": [
    running,
    before((registry) =>
      Effect.zipRight(
        registry.claim(name("a"), { attempted: "explored", force: false }),
        registry.claimLease(leaseBy("before")),
      ),
    ),
  ],
  /** The second program has made its lock, and was refused it, since somebody looked. */
  "beside one that starts": [
    running,
    write((home) => writeFileSync(join(home, lockOf("program2")), "", { mode: 0o600 })),
  ],
  "in a home that is none": [write((home) => rmSync(join(home, "registry.db")))],
  "in an older home": [
    write((home) => {
      rmSync(join(home, "registry.db"));
      makeOlderRegistry(home);
    }),
  ],
  "in a home with a damaged row": [
    running,
    write((home) => {
      const sql = new Sqlite(join(home, "registry.db"));
      sql.exec("UPDATE incarnations SET spec = '{}' WHERE session = 'a'").close();
    }),
  ],
  "in a damaged home": [running, damaged("registry.db")],
  "in a damaged home with a log": [running, damaged("registry.db", "registry.db-wal")],
} satisfies Record<string, ReadonlyArray<Made>>;

/** What a home is like. */
export type HomeKind = keyof typeof homes;

/** The files of each, by their paths. */
const stored = new Map<HomeKind, ReadonlyMap<string, Buffer>>();

const filesOf = (kind: HomeKind) =>
  Effect.gen(function* () {
    const home = yield* usedHome;
    for (const make of homes[kind]) yield* Effect.orDie(make(home));
    const found = readdirSync(home, { recursive: true, withFileTypes: true });
    const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    return new Map(paths.map((path) => [relative(home, path), readFileSync(path)]));
  }).pipe(Effect.scoped);

/** One of these homes, until the scope closes. */
export const storedHome = (kind: HomeKind): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const files = stored.get(kind) ?? (yield* filesOf(kind));
    stored.set(kind, files);
    const home = yield* usedHome;
    rmSync(join(home, "registry.db"));
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(home, path), bytes, { mode: 0o600 });
    }
    return home;
  });

/** The names of the locks in a home, in order. */
export const locksIn = (home: string): ReadonlyArray<string> =>
  readdirSync(join(home, "locks")).sort();
