/**
 * SqliteRegistry: the registry in `<home>/registry.db`, shared by every program on that home.
 *
 * Building the layer opens, makes and asks nothing. The first read opens what is there, the first
 * change makes what is missing and takes the lock that proves this program's life; both last until
 * the scope closes. Each layer is a program of its own, also two in one process. Nothing else in
 * the process may open the files of the home: closing them would drop the locks on them.
 */
import { hostname } from "node:os";
import { Ids, ProcessTable, Registry, Settings } from "@troupe/core";
import { Effect, Layer, Option, type Scope } from "effect";
import { makeSetAside } from "./Aside.js";
import { backup } from "./Backup.js";
import { holdsClaims, holdsTurns, makeClaims } from "./Claims.js";
import { makeCommit } from "./Commit.js";
import { makeDatabase } from "./Database.js";
import { makeEventLog } from "./EventLog.js";
import { makeForget } from "./Forget.js";
import { makeHistory } from "./History.js";
import { homePaths } from "./HomeFiles.js";
import { makeLeases } from "./Leases.js";
import { makeLeftovers } from "./Leftovers.js";
import { makeReads } from "./Reads.js";
import { makeSelf } from "./Self.js";

/** Where the registry is, and what this host is called in the names of owners. */
export interface SqliteRegistryOptions {
  readonly home: string;
  readonly host?: string;
}

const make = ({
  home,
  host = hostname(),
}: SqliteRegistryOptions): Effect.Effect<
  Registry["Type"],
  never,
  ProcessTable | Ids | Scope.Scope
> =>
  Effect.gen(function* () {
    const paths = homePaths(home);
    const processes = yield* ProcessTable;
    const ids = yield* Ids;
    const settings = yield* Settings;
    const database = yield* makeDatabase(paths);
    const { wake, ...log } = yield* makeEventLog(database, settings);
    const commit = makeCommit(database, settings.eventsKept);
    const self = yield* makeSelf({ paths, host, processes, ids });
    // What cannot be read may be there.
    const left = (holds: typeof holdsClaims) => (owner: string) =>
      database
        .read((sql) => holds(sql, owner))
        .pipe(
          Effect.map(Option.getOrElse(() => false)),
          Effect.orElseSucceed(() => true),
        );
    const claimsLeft = left(holdsClaims);
    const claims = makeClaims(database, self);
    const leases = makeLeases(database, self, settings.eventsKept);
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(self.end({ claims: claimsLeft, turns: left(holdsTurns) }), database.close),
    );
    return {
      ...makeReads(database, self),
      history: makeHistory(database, self),
      ...log,
      ...claims,
      claim: (...args: Parameters<typeof claims.claim>) =>
        Effect.tap(claims.claim(...args), () => self.sweep(claimsLeft)),
      ...makeForget(database),
      ...leases,
      claimLease: (...args: Parameters<typeof leases.claimLease>) =>
        Effect.ensuring(leases.claimLease(...args), wake),
      leftovers: makeLeftovers(paths, self, claimsLeft),
      setAside: makeSetAside(database, paths),
      commit: (...args: Parameters<typeof commit>) => Effect.ensuring(commit(...args), wake),
    };
  });

/**
 * `SqliteRegistry.layer` is a program's registry on a home, which need not exist yet. `backup`
 * copies the registry of a home to a file, which is the registry of another where it is put there.
 */
export const SqliteRegistry = {
  /** The port over `<home>/registry.db`, until the scope closes; opened at its first use. */
  make,
  /** The same as a layer. */
  layer: (options: SqliteRegistryOptions): Layer.Layer<Registry, never, ProcessTable | Ids> =>
    Layer.scoped(Registry, make(options)),
  /** Copies the registry while others read and write; the copy is whole, or is not there. */
  backup,
};
