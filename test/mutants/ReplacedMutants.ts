/**
 * ReplacedMutants: guards of which file a program has open: another one may stand at the path by
 * now, or none, and what is read, claimed and written is of the one that stands there.
 *
 * SQLite itself goes on with the file that it opened, wherever that is.
 */
import { type Mutant, world } from "./Mutant.js";

const sqlite = "packages/sqlite/src";

const placed = (what: "reads" | "changes") =>
  world(`a program that ${what} a registry, and another file in its place`);

/** Of the file of a registry. */
export const replacedMutants: ReadonlyArray<Mutant> = [
  {
    name: "reads-keep-their-file",
    removes: "A read looks which file stands at the path, also where it has one open.",
    file: `${sqlite}/Database.ts`,
    from: "const found = yield* open;",
    to: "const found = opened ?? (yield* open);",
    killedBy: [placed("reads")],
  },
  {
    name: "writes-keep-their-file",
    removes: "A write looks which file stands at the path, also where it has one open.",
    file: `${sqlite}/Database.ts`,
    from: "const found = (yield* open) ??",
    to: "const found = opened ?? (yield* open) ??",
    killedBy: [placed("changes")],
  },
  {
    name: "claims-keep-their-file",
    removes: "A claim that is one statement is one of the file that stands at the path.",
    file: `${sqlite}/Database.ts`,
    from: "change: changeOf(open, turns),",
    to: "change: changeOf(Effect.suspend(() => (opened === null ? open : Effect.succeed(opened))), turns),",
    killedBy: [placed("changes")],
  },
  {
    name: "no-file-is-the-last-one",
    removes: "Where a file was taken away nothing is known, also who has it open.",
    file: `${sqlite}/Database.ts`,
    from: "if (opened !== null && opened.identity !== identity) yield* close;",
    to: "if (opened !== null && identity !== null && opened.identity !== identity) yield* close;",
    killedBy: [placed("reads"), placed("changes")],
  },
  {
    name: "log-without-its-file-is-nothing",
    removes: "A log whose database is gone is damage, and no home without a registry.",
    file: `${sqlite}/Database.ts`,
    from: "if (before !== null || (yield* fileIdentity(paths.writeAheadLog)) === null) return before;",
    to: "if (before !== undefined) return before;",
    killedBy: [placed("reads")],
  },
  {
    name: "another-file-has-the-same-tables",
    removes: "Which tables a file has is asked of that one.",
    file: `${sqlite}/Database.ts`,
    from: "const isOlder = (yield* schemaVersion(found.sql)) < knownSchema;",
    to: "isOlder ??= (yield* schemaVersion(found.sql)) < knownSchema;",
    and: [
      {
        file: `${sqlite}/Database.ts`,
        from: "let opened: Opened | null = null;",
        to: "let opened: Opened | null = null;\n    let isOlder: boolean | null = null;",
      },
    ],
    killedBy: [placed("reads")],
  },
  {
    name: "log-stays-beside-what-is-made-anew",
    removes: "What is kept aside is kept with its log.",
    file: `${sqlite}/Aside.ts`,
    from: 'log === null ? [""] : ["", "-shm", "-wal"]',
    to: 'log === null ? [""] : ["", "-shm"]',
    killedBy: [placed("reads")],
  },
  {
    name: "shorter-log-wakes-nobody",
    removes: "Whoever waits for the log hears of another one, also of one that is shorter.",
    file: `${sqlite}/LogWatch.ts`,
    from: "now.right === seen) continue;",
    to: "now.right <= seen) continue;",
    killedBy: [placed("reads")],
  },
  {
    name: "busy-file-is-out-of-reach",
    removes: "A file that somebody writes to is waited for.",
    file: `${sqlite}/Patience.ts`,
    from: 'error instanceof StoreFailure && error.kind === "busy",',
    to: "error instanceof StoreFailure && error.kind === null,",
    killedBy: [placed("changes")],
  },
  {
    name: "failure-keeps-its-connection",
    removes: "Behind a failure that is worse than a busy file its connection is closed.",
    file: `${sqlite}/Database.ts`,
    from: "isWorseThanBusy(error) ? close : Effect.void",
    to: "isWorseThanBusy(error) ? Effect.void : Effect.void",
    killedBy: [
      placed("changes"),
      {
        test: "makes a write unavailable, with nothing of it done, and reads go on",
        in: "test/contract/registry.disk.fake.test.ts",
      },
    ],
  },
  {
    name: "file-is-looked-for-now-and-then",
    removes: "Which file stands at the path is looked at for every call.",
    file: `${sqlite}/Database.ts`,
    from: "const identity = yield* standing(paths);",
    to: `const now = yield* Clock.currentTimeMillis;
      const isNew = opened !== null && now - lookedAt < 1000;
      const identity = isNew ? opened.identity : yield* standing(paths);
      lookedAt = now;`,
    and: [
      {
        file: `${sqlite}/Database.ts`,
        from: "let opened: Opened | null = null;",
        to: "let opened: Opened | null = null;\n    let lookedAt = 0;",
      },
      {
        file: `${sqlite}/Database.ts`,
        from: 'import { Effect, Option } from "effect";',
        to: 'import { Clock, Effect, Option } from "effect";',
      },
    ],
    killedBy: [placed("reads"), placed("changes")],
  },
  {
    name: "cut-off-file-is-a-whole-one",
    removes: "A file that ends in the middle of a page is damaged, whatever SQLite makes of it.",
    file: `${sqlite}/Database.ts`,
    from: "(found?.size ?? 0n) % PAGE === 0n) return;",
    to: "(found?.size ?? 0n) % PAGE >= 0n) return;",
    killedBy: [placed("reads")],
  },
  {
    name: "busy-file-keeps-the-claim",
    removes: "A claim is given back also where somebody writes to the file.",
    file: `${sqlite}/Claims.ts`,
    from: "Effect.asVoid(orElse<unknown, StoreFailure>(statement.release(claim, fenceDue), otherwise)),",
    to: "Effect.asVoid(statement.release(claim, fenceDue)),",
    killedBy: [placed("changes")],
  },
];
