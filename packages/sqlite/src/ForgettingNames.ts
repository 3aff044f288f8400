/**
 * ForgettingNames: migration 3, what has ended can be forgotten, and a name without any rows.
 *
 * A claim goes only when no incarnation of its name is known and nothing older is due in tmux; what
 * belongs to an incarnation goes only with one that has ended. A server is known beyond the name
 * that it was started for. A migration is history and is never edited once released.
 */

/** Refuses to remove what belongs to an incarnation that has not ended. */
const staysUntilFinal = (name: string, table: string): string =>
  `CREATE TRIGGER ${name} BEFORE DELETE ON ${table}
    WHEN EXISTS (SELECT 1 FROM incarnations
      WHERE incarnation = OLD.incarnation AND state NOT IN ('failed', 'deleted'))
    BEGIN SELECT RAISE(ABORT, 'NAME_HELD'); END`;

/** The statements of migration 3, in order. */
export const forgettingNames: ReadonlyArray<string> = [
  "ALTER TABLE servers RENAME TO servers_before",
  `CREATE TABLE servers (
    ordinal INTEGER PRIMARY KEY,
    pid INTEGER NOT NULL,
    start_time INTEGER NOT NULL,
    process_pid INTEGER NOT NULL,
    process_start_time INTEGER NOT NULL,
    boot_id TEXT NOT NULL,
    version TEXT NOT NULL,
    session TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    UNIQUE (pid, start_time)
  ) STRICT`,
  `INSERT INTO servers
    (ordinal, pid, start_time, process_pid, process_start_time, boot_id, version, session, epoch)
    SELECT ordinal, pid, start_time, process_pid, process_start_time, boot_id, version, session,
        epoch
      FROM servers_before`,
  "DROP TABLE servers_before",
  "DROP TRIGGER claim_stays",
  `CREATE TRIGGER claim_stays BEFORE DELETE ON claims
    WHEN OLD.fence_due = 1 OR EXISTS (SELECT 1 FROM incarnations WHERE session = OLD.session)
    BEGIN SELECT RAISE(ABORT, 'STALE_EPOCH'); END`,
  staysUntilFinal("terminal_stays_until_final", "terminals"),
  staysUntilFinal("process_stays_until_final", "processes"),
  staysUntilFinal("request_stays_until_final", "requests"),
];
