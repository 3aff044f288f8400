/**
 * SparedProcesses: migration 6, a delete that spares says in the record what it spares.
 *
 * What is recorded stays until its incarnation has ended, so that a later word can still end it; a
 * flag tells which of it whoever finishes the delete leaves alone. A migration is history and is
 * never edited once released.
 */

/** The statements of migration 6, in order. */
export const sparedProcesses: ReadonlyArray<string> = [
  "ALTER TABLE processes ADD COLUMN spared INTEGER NOT NULL DEFAULT 0 CHECK (spared IN (0, 1))",
];
