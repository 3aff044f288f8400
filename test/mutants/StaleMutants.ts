/**
 * StaleMutants: what was read in one transaction, or of the files of a home, is used in a later one
 * as if nobody had come in between: whose claim or lease it is, who is dead, what is a leftover.
 *
 * Most are edits of the registry in SQLite, in whose worlds others go on at just that moment.
 */
import { type Killer, type Mutant, world } from "./Mutant.js";

const sqlite = "packages/sqlite/src";

const GC = "a gc of leftovers";

const comes = (title: string): Killer => ({
  test: title,
  in: "test/contract/registry.between.fake.test.ts",
});

/** Of what may have changed since it was read. */
export const staleMutants: ReadonlyArray<Mutant> = [
  {
    name: "claim-taken-from-whoever-came-first",
    removes: "A proof of death is worth something against the claim of the dead one alone.",
    file: `${sqlite}/Claims.ts`,
    from: "if (other !== null && other !== dead && !force) return",
    to: "if (other !== null && dead === null && !force) return",
    and: [
      {
        file: `${sqlite}/Claims.ts`,
        from: "const isBereft = other !== null && other === dead && !(yield* holdsClaims(sql, other));",
        to: "const isBereft = dead !== null && !(yield* holdsClaims(sql, dead));",
      },
      {
        file: `${sqlite}/Claims.ts`,
        from: "bereft: isBereft ? other : null }",
        to: "bereft: isBereft ? dead : null }",
      },
    ],
    killedBy: [
      world("send, cut off, and delete ∥ send behind it, on SQLite"),
      world("delete, cut off, and delete ∥ delete behind it, on SQLite"),
      world("create, cut off, and create ∥ create behind it, on SQLite"),
      world("a claim behind the dead, and a claim in between"),
    ],
  },
  {
    name: "leases-judged-as-they-were",
    removes: "The rows of leases are read again behind every look at who lives.",
    file: `${sqlite}/LeaseLives.ts`,
    from: "  const round = (lives: Lives, left: number)",
    to: `  let before: ReadonlyArray<LeaseRecord> | null = null;
  const round = (lives: Lives, left: number)`,
    and: [
      {
        file: `${sqlite}/LeaseLives.ts`,
        from: "const rows = yield* leaseRows(sql);",
        to: "const rows = (before ??= yield* leaseRows(sql));",
      },
    ],
    killedBy: [
      world("a lease behind the dead, and a lease in between"),
      world("a lease of what has settled, and its holder notes in between"),
    ],
  },
  {
    name: "holder-who-came-in-between-is-dead",
    removes: "Whoever is met first behind a look at others is asked for as well.",
    file: `${sqlite}/LeaseLives.ts`,
    from: "if (asked.length > 0 && left > 0) return",
    to: "if (asked.length > 0 && left === rounds) return",
    and: [
      {
        file: `${sqlite}/LeaseLives.ts`,
        from: 'const lifeOf = (name: string) => lives.get(name) ?? "unknown";',
        to: 'const lifeOf = (name: string) => lives.get(name) ?? (lives.size > 1 ? "dead" : "unknown");',
      },
    ],
    killedBy: [world("a lease behind the dead, and a lease in between")],
  },
  {
    name: "claim-checked-before-the-commit",
    removes: "A claim is looked at in the very transaction that writes under it.",
    file: `${sqlite}/Commit.ts`,
    from: `      database.write((sql) =>
        Effect.gen(function* () {
          const row = yield* requireCurrent(sql, claim, "commit");`,
    to: `      Effect.flatMap(database.write((sql) => requireCurrent(sql, claim, "commit")), (row) => database.write((sql) =>
        Effect.gen(function* () {`,
    and: [
      {
        file: `${sqlite}/Commit.ts`,
        from: `          return { ...record, claim: released };
        }),
      ),`,
        to: `          return { ...record, claim: released };
        }),
      )),`,
      },
    ],
    killedBy: [world("writes, and it is ended, forgotten and made anew in between")],
  },
  {
    name: "name-looked-at-before-it-is-forgotten",
    removes: "That a name has no rows is seen in the very transaction that forgets it.",
    file: `${sqlite}/Forget.ts`,
    from: `      database.write((sql) =>
        Effect.gen(function* () {
          const { session } = claim;
          yield* requireCurrent(sql, claim, "forget");`,
    to: `      Effect.zipRight(database.write((sql) => requireCurrent(sql, claim, "forget")), database.write((sql) =>
        Effect.gen(function* () {
          const { session } = claim;`,
    and: [
      {
        file: `${sqlite}/Forget.ts`,
        from: "          return true;\n        }),\n      ),",
        to: "          return true;\n        }),\n      )),",
      },
    ],
    killedBy: [world("forgets its name, and the name is used again by force in between")],
  },
  {
    name: "lock-taken-where-none-is-found",
    removes: "A lock counts only while its file is the one that was made.",
    file: `${sqlite}/KernelLock.ts`,
    from: "if (made === null || found !== made) {",
    to: "if (made === null) {",
    killedBy: [world(`a claim behind the dead, and ${GC} in between`)],
  },
  {
    name: "lock-removed-without-it",
    removes: "A lock that was found free is removed by whoever holds it then, and by nobody else.",
    file: `${sqlite}/KernelLock.ts`,
    from: `    yield* Effect.acquireUseRelease(
      held(file),
      () =>`,
    to: `    yield* Effect.acquireUseRelease(
      Effect.succeed({ close: Effect.void }),
      () =>`,
    killedBy: [world(`${GC} beside one that starts, and one more gc, and a claim in between`)],
  },
  {
    name: "lock-that-was-made-again-removed",
    removes: "Of a lock that was removed and made again only the older file is taken away.",
    file: `${sqlite}/KernelLock.ts`,
    from: "now === seen ? removeFile(file) : Effect.void,",
    to: "now === null ? Effect.void : removeFile(file),",
    killedBy: [world(`${GC} beside one that starts, and one more gc, and a claim in between`)],
  },
  {
    name: "lock-that-went-is-held",
    removes: "Of a lock that is gone by the time it was looked at only its process tells.",
    file: `${sqlite}/KernelLock.ts`,
    from: 'return (yield* fileIdentity(file)) === null ? "missing" : "held";',
    to: 'return "held";',
    killedBy: [
      {
        test: "leaves it to the table of processes whether the owner of a lock lives",
        in: "test/contract/registry.removed.fake.test.ts",
      },
    ],
  },
  {
    name: "new-registry-taken-for-a-lost-one",
    removes: "A log that is found without its database may have been made with it in between.",
    file: `${sqlite}/Database.ts`,
    from: "    if (identity !== null) return identity;\n",
    to: "",
    killedBy: [
      world("a claim in a home that is none, and a session in between"),
      comes("is one, and its log is not that of a lost one"),
    ],
  },
  {
    name: "registry-made-over-another",
    removes: "A new registry is put where there is none, whatever was seen there.",
    file: `${sqlite}/HomeFiles.ts`,
    from: "fs.linkSync(finished, place)",
    to: "fs.renameSync(finished, place)",
    killedBy: [world("a claim in a home that is none, and a session of one that ends in between")],
  },
  {
    name: "migrated-from-what-it-was",
    removes: "Which steps a database lacks is seen in the very transaction that takes them.",
    file: `${sqlite}/Database.ts`,
    from: `          Effect.flatMap(openToWrite, (sql) =>
            immediate(
              sql,
              schemaVersion(sql).pipe(
                Effect.flatMap((version) => migrate(sql, version)),
                Effect.zipRight(body(sql)),
              ),
            ),
          ),`,
    to: `          Effect.flatMap(openToWrite, (sql) =>
            Effect.flatMap(schemaVersion(sql), (version) =>
              immediate(sql, Effect.zipRight(migrate(sql, version), body(sql))),
            ),
          ),`,
    killedBy: [world("a claim in an older home, and a session in between")],
  },
  {
    name: "sound-registry-kept-aside",
    removes: "Whoever keeps a registry aside looks again, once it is his turn.",
    file: `${sqlite}/Aside.ts`,
    from: `      if (!(yield* isDamaged(database))) return null;
      yield* database.close;`,
    to: "      yield* database.close;",
    killedBy: [world("a look whether it is damaged in a damaged home, and a rebuild in between")],
  },
  {
    name: "log-of-a-new-registry-kept-aside",
    removes: "What is kept aside with a database is what was there with it at first.",
    file: `${sqlite}/Aside.ts`,
    from: 'for (const part of log === null ? [""] : ["", "-shm", "-wal"]) {',
    to: 'for (const part of ["", "-shm", "-wal"]) {',
    and: [
      {
        file: `${sqlite}/Aside.ts`,
        from: 'found === null || (part === "-wal" && found !== log)',
        to: "found === null",
      },
    ],
    killedBy: [
      world("a look whether it is damaged in a damaged home, and a rebuild in between"),
      comes("keeps its log when a damaged one before it is kept aside"),
    ],
  },
  {
    name: "leftovers-listed-behind-the-locks",
    removes: "What may be a leftover is listed before it is looked for who lives.",
    file: `${sqlite}/Leftovers.ts`,
    from: "        const { left, living } = yield* locksOf(paths, self, claims);\n",
    to: "",
    and: [
      {
        file: `${sqlite}/Leftovers.ts`,
        from: "        const prefixes = Object.values(workPrefixes);",
        to: `        const { left, living } = yield* locksOf(paths, self, claims);
        const prefixes = Object.values(workPrefixes);`,
      },
    ],
    killedBy: [comes("is no leftover, although no lock was there when the locks were looked at")],
  },
];
