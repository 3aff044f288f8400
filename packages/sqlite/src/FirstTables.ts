/**
 * FirstTables: migration 1, the tables of the registry and what the database itself refuses.
 *
 * The states, the moves between them, one active generation for a name, generations and epochs
 * that only grow: these hold for whoever writes to the file, also for `INSERT OR REPLACE` and for
 * a delete followed by an insert. `RAISE(ABORT)` only: it leaves the transaction to its owner.
 * A migration is history and is never edited once released; a change is a further migration.
 */

const tables = [
  `CREATE TABLE claims (
    session TEXT PRIMARY KEY,
    owner TEXT,
    epoch INTEGER NOT NULL CHECK (epoch >= 1),
    fence_due INTEGER NOT NULL CHECK (fence_due IN (0, 1)),
    generation INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  `CREATE TABLE servers (
    ordinal INTEGER PRIMARY KEY,
    pid INTEGER NOT NULL,
    start_time INTEGER NOT NULL,
    process_pid INTEGER NOT NULL,
    process_start_time INTEGER NOT NULL,
    boot_id TEXT NOT NULL,
    version TEXT NOT NULL,
    session TEXT NOT NULL REFERENCES claims,
    epoch INTEGER NOT NULL,
    UNIQUE (pid, start_time)
  ) STRICT`,
  `CREATE TABLE incarnations (
    incarnation TEXT PRIMARY KEY,
    session TEXT NOT NULL REFERENCES claims,
    generation INTEGER NOT NULL CHECK (generation >= 1),
    state TEXT NOT NULL CHECK (state IN
      ('creating', 'running', 'exited', 'lost', 'deleting', 'failed', 'deleted')),
    cause TEXT,
    spec TEXT NOT NULL CHECK (json_valid(spec)),
    server_pid INTEGER,
    server_start_time INTEGER,
    session_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    UNIQUE (session, generation),
    CHECK ((server_pid IS NULL) = (server_start_time IS NULL))
  ) STRICT`,
  `CREATE UNIQUE INDEX one_active_generation ON incarnations (session)
    WHERE state NOT IN ('failed', 'deleted')`,
  `CREATE TABLE terminals (
    ordinal INTEGER PRIMARY KEY,
    incarnation TEXT NOT NULL REFERENCES incarnations,
    terminal TEXT NOT NULL,
    window_id TEXT NOT NULL,
    pane_id TEXT NOT NULL,
    pane_pid INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'exited', 'gone')),
    exit TEXT CHECK (exit IS NULL OR json_valid(exit)),
    epoch INTEGER NOT NULL,
    UNIQUE (incarnation, terminal)
  ) STRICT`,
  `CREATE TABLE processes (
    ordinal INTEGER PRIMARY KEY,
    incarnation TEXT NOT NULL REFERENCES incarnations,
    pid INTEGER NOT NULL,
    start_time INTEGER NOT NULL,
    boot_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    UNIQUE (incarnation, pid, start_time, boot_id)
  ) STRICT`,
  `CREATE TABLE events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    session TEXT NOT NULL,
    generation INTEGER NOT NULL,
    incarnation TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    epoch INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE requests (
    request_id TEXT PRIMARY KEY,
    incarnation TEXT NOT NULL REFERENCES incarnations,
    epoch INTEGER NOT NULL
  ) STRICT`,
];

const refusals = [
  `CREATE TRIGGER incarnation_moves BEFORE UPDATE OF state ON incarnations
    WHEN OLD.state || ' ' || NEW.state NOT IN (
      'creating running', 'creating exited', 'creating failed',
      'running exited', 'running lost', 'running deleting',
      'exited running', 'exited lost', 'exited deleting',
      'lost running', 'lost exited', 'lost deleting', 'lost deleted',
      'deleting deleted')
    BEGIN SELECT RAISE(ABORT, 'ILLEGAL_TRANSITION'); END`,
  `CREATE TRIGGER incarnation_begins BEFORE INSERT ON incarnations
    BEGIN
      SELECT RAISE(ABORT, 'ILLEGAL_TRANSITION') WHERE NEW.state <> 'creating';
      SELECT RAISE(ABORT, 'INCARNATION_REUSED') WHERE EXISTS
        (SELECT 1 FROM incarnations WHERE incarnation = NEW.incarnation);
      SELECT RAISE(ABORT, 'NAME_HELD') WHERE EXISTS
        (SELECT 1 FROM incarnations
          WHERE session = NEW.session AND state NOT IN ('failed', 'deleted'));
      SELECT RAISE(ABORT, 'GENERATION_REUSED') WHERE NEW.generation IS NOT
        (SELECT generation + 1 FROM claims WHERE session = NEW.session);
    END`,
  `CREATE TRIGGER incarnation_counts AFTER INSERT ON incarnations
    BEGIN UPDATE claims SET generation = NEW.generation WHERE session = NEW.session; END`,
  `CREATE TRIGGER incarnation_stays_itself
    BEFORE UPDATE OF incarnation, session, generation, created_at ON incarnations
    BEGIN SELECT RAISE(ABORT, 'IMMUTABLE'); END`,
  `CREATE TRIGGER incarnation_stays_until_final BEFORE DELETE ON incarnations
    WHEN OLD.state NOT IN ('failed', 'deleted')
    BEGIN SELECT RAISE(ABORT, 'NAME_HELD'); END`,
  `CREATE TRIGGER claim_only_grows BEFORE UPDATE ON claims
    WHEN NEW.session <> OLD.session OR NEW.epoch < OLD.epoch OR NEW.generation < OLD.generation
    BEGIN SELECT RAISE(ABORT, 'STALE_EPOCH'); END`,
  `CREATE TRIGGER claim_only_once BEFORE INSERT ON claims
    WHEN EXISTS (SELECT 1 FROM claims WHERE session = NEW.session)
    BEGIN SELECT RAISE(ABORT, 'STALE_EPOCH'); END`,
  `CREATE TRIGGER claim_stays BEFORE DELETE ON claims
    BEGIN SELECT RAISE(ABORT, 'STALE_EPOCH'); END`,
  `CREATE TRIGGER event_stays_itself BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'IMMUTABLE'); END`,
];

/** The statements of migration 1, in order. */
export const firstTables: ReadonlyArray<string> = [...tables, ...refusals];
