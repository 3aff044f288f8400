/**
 * TerminalIntents: migration 2, terminals that are begun or ended one by one.
 *
 * A terminal has intents of its own, whose ids tmux has not told yet; what it runs; and recorded
 * processes that are known to be of it. The moves between its states are refused by the database
 * like those of its session. A migration is history and is never edited once released.
 */

/** The statements of migration 2, in order. */
export const terminalIntents: ReadonlyArray<string> = [
  "ALTER TABLE terminals RENAME TO terminals_before",
  `CREATE TABLE terminals (
    ordinal INTEGER PRIMARY KEY,
    incarnation TEXT NOT NULL REFERENCES incarnations,
    terminal TEXT NOT NULL,
    command TEXT CHECK (command IS NULL OR json_valid(command)),
    window_id TEXT,
    pane_id TEXT,
    pane_pid INTEGER,
    state TEXT NOT NULL CHECK (state IN ('creating', 'running', 'exited', 'deleting', 'gone')),
    exit TEXT CHECK (exit IS NULL OR json_valid(exit)),
    epoch INTEGER NOT NULL,
    UNIQUE (incarnation, terminal),
    CHECK ((window_id IS NULL) = (pane_id IS NULL) AND (pane_id IS NULL) = (pane_pid IS NULL)),
    CHECK (state NOT IN ('running', 'exited') OR pane_id IS NOT NULL)
  ) STRICT`,
  `INSERT INTO terminals
    (ordinal, incarnation, terminal, window_id, pane_id, pane_pid, state, exit, epoch)
    SELECT ordinal, incarnation, terminal, window_id, pane_id, pane_pid, state, exit, epoch
      FROM terminals_before`,
  "DROP TABLE terminals_before",
  "ALTER TABLE processes ADD COLUMN terminal TEXT",
  `CREATE TRIGGER terminal_moves BEFORE UPDATE OF state ON terminals
    WHEN OLD.state <> NEW.state AND OLD.state || ' ' || NEW.state NOT IN (
      'creating running', 'creating exited', 'creating gone',
      'running exited', 'running deleting', 'running gone',
      'exited running', 'exited deleting', 'exited gone',
      'deleting gone', 'gone running', 'gone exited')
    BEGIN SELECT RAISE(ABORT, 'ILLEGAL_TRANSITION'); END`,
  `CREATE TRIGGER terminal_stays_itself BEFORE UPDATE OF incarnation, terminal ON terminals
    BEGIN SELECT RAISE(ABORT, 'IMMUTABLE'); END`,
];
