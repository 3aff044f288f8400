/**
 * MemoryCopy: reading a registry from a copy of its bytes in memory.
 *
 * For a file that cannot be read in its place: in a directory where SQLite cannot make its files,
 * or with the tables of an older program, which only a write brings up to date. The copy takes the
 * steps that are missing; the file stays as it was, and nothing of the copy is kept.
 */
import { Effect } from "effect";
import { connect } from "./Connection.js";
import { immediate } from "./Immediate.js";
import { knownSchema, migrate, schemaVersion } from "./Migrations.js";
import type { Sql, SqlError } from "./Sql.js";
import type { StoreFailure } from "./StoreFailure.js";

/** The bytes of the header that say how it is journalled, and their value for "without a log". */
const [writeVersion, readVersion, withoutLog] = [18, 19, 1];

/** Runs the body on the copy; these bytes are its own from here on. */
export const readCopy = <A, E>(
  bytes: Uint8Array,
  body: (sql: Sql) => Effect.Effect<A, E>,
): Effect.Effect<A, E | SqlError | StoreFailure> => {
  if (bytes.length > readVersion) bytes.fill(withoutLog, writeVersion, readVersion + 1);
  return Effect.acquireUseRelease(
    connect(bytes, { readonly: false }),
    ({ sql }) =>
      Effect.gen(function* () {
        const version = yield* schemaVersion(sql);
        if (version < knownSchema) yield* immediate(sql, migrate(sql, version));
        return yield* body(sql);
      }),
    ({ close }) => close,
  );
};
