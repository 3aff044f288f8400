/**
 * registryConnections: the connections that a registry has open, for a test that asks SQLite itself
 * how they are set, or sets what only the world can: a disk that is full.
 *
 * The driver is watched while it prepares statements; nothing of the registry is changed.
 */
import Sqlite from "better-sqlite3";
import { Effect, type Scope } from "effect";

/** Watches the connections to one file, until the scope closes; the open ones are what it gives. */
export const connectionsTo = (
  file: string,
): Effect.Effect<Effect.Effect<ReadonlyArray<Sqlite.Database>>, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const seen = new Set<Sqlite.Database>();
        const { prepare } = Sqlite.prototype;
        const watching = function (this: Sqlite.Database, source: string) {
          if (this.name === file) seen.add(this);
          return Reflect.apply(prepare, this, [source]);
        };
        Sqlite.prototype.prepare = watching as typeof prepare;
        return { prepare, seen };
      }),
      ({ prepare }) =>
        Effect.sync(() => {
          Sqlite.prototype.prepare = prepare;
        }),
    ),
    ({ seen }) => Effect.sync(() => [...seen].filter(({ open }) => open)),
  );
