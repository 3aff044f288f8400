/**
 * LeaseTables: migration 5, who may run work in a session, and how long a session is to live.
 *
 * At most one lease for a name, only of an incarnation that has not ended, at the epoch that the
 * name has: epochs of leases are kept beside it, only grow, and go with the name. What ends an
 * incarnation drops its lease first. The limits are what the specification says. A migration is
 * history and is never edited once released.
 */

/** Refuses a lease that is not of a living incarnation of its name, at the epoch of the name. */
const refusals = `SELECT RAISE(ABORT, 'LEASE_OF_NOTHING') WHERE NOT EXISTS
    (SELECT 1 FROM incarnations WHERE incarnation = NEW.incarnation AND session = NEW.session
      AND state NOT IN ('failed', 'deleted'));
  SELECT RAISE(ABORT, 'STALE_EPOCH') WHERE NEW.epoch IS NOT
    (SELECT epoch FROM lease_epochs WHERE session = NEW.session);`;

/** The statements of migration 5, in order. */
export const leaseTables: ReadonlyArray<string> = [
  `CREATE TABLE lease_epochs (
    session TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL CHECK (epoch >= 1)
  ) STRICT`,
  `CREATE TABLE leases (
    session TEXT PRIMARY KEY,
    incarnation TEXT NOT NULL REFERENCES incarnations,
    lease TEXT NOT NULL UNIQUE,
    epoch INTEGER NOT NULL,
    owner TEXT NOT NULL,
    component TEXT NOT NULL,
    actor TEXT NOT NULL,
    surface TEXT NOT NULL,
    child TEXT CHECK (child IS NULL OR json_valid(child)),
    turn TEXT,
    acquired_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TRIGGER lease_epoch_only_grows BEFORE UPDATE ON lease_epochs
    WHEN NEW.session <> OLD.session OR NEW.epoch <= OLD.epoch
    BEGIN SELECT RAISE(ABORT, 'STALE_EPOCH'); END`,
  `CREATE TRIGGER lease_epoch_only_once BEFORE INSERT ON lease_epochs
    WHEN EXISTS (SELECT 1 FROM lease_epochs WHERE session = NEW.session)
    BEGIN SELECT RAISE(ABORT, 'STALE_EPOCH'); END`,
  `CREATE TRIGGER lease_epoch_stays BEFORE DELETE ON lease_epochs
    WHEN EXISTS (SELECT 1 FROM claims WHERE session = OLD.session)
    BEGIN SELECT RAISE(ABORT, 'STALE_EPOCH'); END`,
  `CREATE TRIGGER lease_begins BEFORE INSERT ON leases
    BEGIN
      SELECT RAISE(ABORT, 'LEASE_HELD') WHERE EXISTS
        (SELECT 1 FROM leases WHERE session = NEW.session OR lease = NEW.lease);
      ${refusals}
    END`,
  `CREATE TRIGGER lease_moves BEFORE UPDATE OF session, incarnation, epoch, actor ON leases
    BEGIN ${refusals} END`,
  `CREATE TRIGGER lease_stays_itself BEFORE UPDATE OF lease, owner, component ON leases
    BEGIN SELECT RAISE(ABORT, 'IMMUTABLE'); END`,
  `CREATE TRIGGER incarnation_ends_without_lease BEFORE UPDATE OF state ON incarnations
    WHEN NEW.state IN ('failed', 'deleted')
      AND EXISTS (SELECT 1 FROM leases WHERE incarnation = OLD.incarnation)
    BEGIN SELECT RAISE(ABORT, 'LEASE_HELD'); END`,
  `ALTER TABLE incarnations ADD COLUMN ttl_ms INTEGER
    GENERATED ALWAYS AS
      (CASE WHEN json_valid(spec) THEN json_extract(spec, '$.ttlMs') END) VIRTUAL`,
  `ALTER TABLE incarnations ADD COLUMN idle_ttl_ms INTEGER
    GENERATED ALWAYS AS
      (CASE WHEN json_valid(spec) THEN json_extract(spec, '$.idleTtlMs') END) VIRTUAL`,
];
