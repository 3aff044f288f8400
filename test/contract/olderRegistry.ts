/**
 * olderRegistry: a registry as the first troupe left it, with one session that runs.
 *
 * Made with its own statements and plain SQL, so that no program of today has touched it.
 */
import path from "node:path";
import Sqlite from "better-sqlite3";
import { firstTables } from "../../packages/sqlite/src/FirstTables.js";

/** "trpe", in the header of the file. */
const APPLICATION = 0x74727065;

const spec = JSON.stringify({
  command: ["true"],
  cwd: "/",
  envNames: [],
  inheritEnv: false,
  log: true,
  columns: 80,
  rows: 24,
});

const rows = [
  "INSERT INTO claims (session, owner, epoch, fence_due, generation) VALUES ('old', NULL, 1, 0, 0)",
  `INSERT INTO incarnations (incarnation, session, generation, state, spec, server_pid,
      server_start_time, session_id, created_at, updated_at, epoch)
    VALUES ('incarnation-old', 'old', 1, 'creating', '${spec}', 1, 1, '$0', 0, 0, 1)`,
  `INSERT INTO terminals (incarnation, terminal, window_id, pane_id, pane_pid, state, exit, epoch)
    VALUES ('incarnation-old', 'main', '@0', '%0', 77, 'running', NULL, 1)`,
  "UPDATE incarnations SET state = 'running'",
];

/** Makes it in a directory that is there. */
export const makeOlderRegistry = (home: string): void => {
  const sql = new Sqlite(path.join(home, "registry.db"));
  sql.pragma("journal_mode = WAL");
  for (const statement of [...firstTables, ...rows]) sql.exec(statement);
  sql.pragma(`application_id = ${APPLICATION}`);
  sql.pragma("user_version = 1");
  sql.close();
};
