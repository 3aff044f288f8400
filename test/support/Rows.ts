/**
 * Rows: what stands in a registry, for a test that must show that nothing changed.
 *
 * Read past the library, straight from the file and without writing to it. Claims are left out:
 * who works on a name may change although nothing about a session does.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

const tables = ["incarnations", "terminals", "processes", "events", "servers"];

/** Every row of the tables that tell of sessions, as text. */
export const rowsOf = (home: string): string => {
  const file = join(home, "registry.db");
  if (!existsSync(file)) return "no registry";
  const database = new Database(file, { readonly: true });
  try {
    return tables
      .flatMap((name) => [name, ...database.prepare(`SELECT * FROM ${name}`).all()])
      .map((row) => JSON.stringify(row))
      .join("\n");
  } finally {
    database.close();
  }
};
