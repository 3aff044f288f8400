/**
 * SchemaMutants: what the database refuses by itself, and the claims of the registry in SQLite.
 *
 * A trigger is asked with plain SQL, past the program that would never ask, so by a test.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the text of source
import { type Killer, type Mutant, world } from "./Mutant.js";

const sqlite = "packages/sqlite/src";

const schema = (test: string): Killer => ({
  test,
  in: "test/contract/registry.schema.fake.test.ts",
});

/** Edits of the registry in SQLite. */
export const schemaMutants: ReadonlyArray<Mutant> = [
  {
    name: "deleted-comes-back",
    removes: "The database refuses a move that the lifecycle does not have.",
    file: `${sqlite}/RestoredAgain.ts`,
    from: "      'deleting deleted')\n",
    to: "      'deleting deleted', 'deleted running')\n",
    killedBy: [schema("does the moves of the lifecycle and no other")],
  },
  {
    name: "creation-lost",
    removes: "The database lets nothing be lost before it ran but what a restore begins.",
    file: `${sqlite}/RestoredAgain.ts`,
    from: "AND NEW.state = 'lost' AND OLD.cause IS 'restoring')",
    to: "AND NEW.state = 'lost')",
    killedBy: [schema("moves from ${from} to ${to} only what was begun as ${only}")],
  },
  {
    name: "two-active-generations",
    removes: "The database refuses a second incarnation of a name that is held.",
    file: `${sqlite}/FirstTables.ts`,
    from: "      SELECT RAISE(ABORT, 'NAME_HELD') WHERE EXISTS\n",
    to: "      SELECT RAISE(ABORT, 'NAME_HELD') WHERE NOT EXISTS (SELECT 1) AND EXISTS\n",
    killedBy: [schema("holds a name while its incarnation is ${state}")],
  },
  {
    name: "epoch-goes-back",
    removes: "The database refuses an epoch or a generation that goes back.",
    file: `${sqlite}/FirstTables.ts`,
    from: "OR NEW.epoch < OLD.epoch OR",
    to: "OR",
    killedBy: [schema("lets epochs and generations only grow, and no claim go")],
  },
  {
    name: "claim-deleted",
    removes: "The database keeps the claim row of a name, and its epoch, while it has rows.",
    file: `${sqlite}/ForgettingNames.ts`,
    from: "WHEN OLD.fence_due = 1 OR EXISTS (SELECT 1 FROM incarnations WHERE session = OLD.session)",
    to: "WHEN OLD.fence_due = 1",
    killedBy: [schema("lets epochs and generations only grow, and no claim go")],
  },
  {
    name: "event-rewritten",
    removes: "The database refuses to change a line of the log.",
    file: `${sqlite}/FirstTables.ts`,
    from: "CREATE TRIGGER event_stays_itself BEFORE UPDATE ON events\n",
    to: "CREATE TRIGGER event_stays_itself BEFORE UPDATE ON events WHEN OLD.sequence < 0\n",
    killedBy: [schema("keeps the words of its log, and never uses a number of it again")],
  },
  {
    name: "sqlite-claim-given-to-two",
    removes: "A claim in the database is given to nobody else while its owner lives.",
    file: `${sqlite}/Claims.ts`,
    from: "if (other !== null && other !== dead && !force)",
    to: 'if (other !== null && other === "" && !force)',
    killedBy: [world("two programs on one registry in SQLite")],
  },
  {
    name: "sqlite-overtaken-still-writes",
    removes: "A write to the database under an older claim is refused.",
    file: `${sqlite}/Claims.ts`,
    from: "if (row.owner === claim.owner && row.epoch === claim.epoch) return Effect.succeed(row);",
    to: "if (row.epoch >= claim.epoch) return Effect.succeed(row);",
    killedBy: [world("two programs on one registry in SQLite, one by force")],
  },
  {
    name: "sqlite-epoch-does-not-grow",
    removes: "Each claim in the database has an epoch of its own.",
    file: `${sqlite}/Claims.ts`,
    from: "epoch: row.epoch + 1, fenceDue });",
    to: "epoch: Math.max(1, row.epoch), fenceDue });",
    killedBy: [world("two programs on one registry in SQLite, one by force")],
  },
];
