/**
 * RestoredAgain: migration 4, a restore that is undone leaves the session lost.
 *
 * Of what is being made only that may become lost which was begun by a restore: its cause says so
 * from its first row on, and cannot be written later. A migration is history and is never edited
 * once released.
 */

/** The statements of migration 4, in order. */
export const restoredAgain: ReadonlyArray<string> = [
  "DROP TRIGGER incarnation_moves",
  `CREATE TRIGGER incarnation_moves BEFORE UPDATE OF state ON incarnations
    WHEN OLD.state || ' ' || NEW.state NOT IN (
      'creating running', 'creating exited', 'creating failed',
      'running exited', 'running lost', 'running deleting',
      'exited running', 'exited lost', 'exited deleting',
      'lost running', 'lost exited', 'lost deleting', 'lost deleted',
      'deleting deleted')
      AND NOT (OLD.state = 'creating' AND NEW.state = 'lost' AND OLD.cause IS 'restoring')
    BEGIN SELECT RAISE(ABORT, 'ILLEGAL_TRANSITION'); END`,
  `CREATE TRIGGER restoration_stays_itself BEFORE UPDATE OF cause ON incarnations
    WHEN OLD.state = 'creating' AND NEW.state = 'creating' AND OLD.cause IS NOT NEW.cause
    BEGIN SELECT RAISE(ABORT, 'IMMUTABLE'); END`,
];
