/**
 * TwinsMutants: guards of the SQL of the registry, and of its twin in memory, that only a second
 * registry shows: what is read and written of one name where there are several, what goes with what
 * is forgotten, and what a call leaves as it was.
 */
import { type Mutant, world } from "./Mutant.js";

const sqlite = "packages/sqlite/src";
const core = "packages/core/src";

const of = (subject: "all together" | "events" | "forgetting" | "leases" | "sessions") =>
  world(`two registries, one truth: ${subject}`);

/** What is forgotten. */
const forgetting: ReadonlyArray<Mutant> = [
  {
    name: "sql-forgets-the-terminals-of-all",
    removes: "Only the terminals of what is forgotten go with it.",
    file: `${sqlite}/Forget.ts`,
    from: '"DELETE FROM terminals WHERE incarnation = ?"',
    to: '"DELETE FROM terminals WHERE (incarnation = ? OR 1)"',
    killedBy: [of("forgetting"), of("all together")],
  },
  {
    name: "sql-forgets-the-requests-of-all",
    removes: "Only the requests that began what is forgotten go with it.",
    file: `${sqlite}/Forget.ts`,
    from: '"DELETE FROM requests WHERE incarnation = ?"',
    to: '"DELETE FROM requests WHERE (incarnation = ? OR 1)"',
    killedBy: [of("forgetting")],
  },
  {
    name: "sql-forgets-servers-of-any-pid",
    removes: "Only the server that is named is forgotten.",
    file: `${sqlite}/Forget.ts`,
    from: "DELETE FROM servers AS s WHERE pid = ? AND start_time = ?",
    to: "DELETE FROM servers AS s WHERE (pid = ? OR 1) AND start_time = ?",
    killedBy: [of("forgetting")],
  },
  {
    name: "sql-forgets-the-server-before-it",
    removes: "A server is forgotten by its pid and the time when it started.",
    file: `${sqlite}/Forget.ts`,
    from: "DELETE FROM servers AS s WHERE pid = ? AND start_time = ?",
    to: "DELETE FROM servers AS s WHERE pid = ? AND (start_time = ? OR 1)",
    killedBy: [of("forgetting")],
  },
  {
    name: "sql-keeps-a-server-for-the-one-before-it",
    removes: "A server is kept for what is of that very one, not of another with its pid.",
    file: `${sqlite}/Forget.ts`,
    from: "i.server_pid = s.pid AND i.server_start_time = s.start_time",
    to: "i.server_pid = s.pid",
    killedBy: [of("forgetting")],
  },
  {
    name: "sql-forgets-the-lease-epochs-of-all",
    removes: "Only the epochs of the name that is forgotten go with it.",
    file: `${sqlite}/Forget.ts`,
    from: '"DELETE FROM lease_epochs WHERE session = ?"',
    to: '"DELETE FROM lease_epochs WHERE (session = ? OR 1)"',
    killedBy: [of("forgetting"), of("all together")],
  },
  {
    name: "sql-forgets-events-of-what-is-there",
    removes: "The events of what is not forgotten stay.",
    file: `${sqlite}/Forget.ts`,
    from: "\n    AND incarnation NOT IN (SELECT incarnation FROM incarnations)",
    to: "",
    killedBy: [of("forgetting"), of("events")],
  },
  {
    name: "memory-keeps-the-event-that-stayed",
    removes: "What stayed in memory as the newest event goes with the next, whatever that is.",
    file: `${core}/RegistryMemoryForgetting.ts`,
    from: "        forgetEvents(store);\n",
    to: "        if (record !== undefined) forgetEvents(store);\n",
    killedBy: [of("forgetting"), of("all together")],
  },
];

/** What is written of one incarnation, and read. */
const sessions: ReadonlyArray<Mutant> = [
  {
    name: "sql-writes-the-cause-of-all",
    removes: "A cause is written of its own incarnation.",
    file: `${sqlite}/WriteChange.ts`,
    from: "SET cause = ?, updated_at = ?, epoch = ? WHERE incarnation = ?",
    to: "SET cause = ?, updated_at = ?, epoch = ? WHERE (incarnation = ? OR 1)",
    killedBy: [of("sessions")],
  },
  {
    name: "sql-touches-all",
    removes: "What is written of one incarnation changes no time of another.",
    file: `${sqlite}/WriteChange.ts`,
    from: "SET updated_at = ?, epoch = ? WHERE incarnation = ?",
    to: "SET updated_at = ?, epoch = ? WHERE (incarnation = ? OR 1)",
    killedBy: [of("sessions")],
  },
  {
    name: "sql-touches-nothing",
    removes: "A terminal or a process that is written changes the time of its record.",
    file: `${sqlite}/WriteChange.ts`,
    from: "SET updated_at = ?, epoch = ? WHERE incarnation = ?",
    to: "SET updated_at = coalesce(updated_at, ?), epoch = ? WHERE incarnation = ?",
    killedBy: [of("sessions")],
  },
  {
    name: "sql-tells-of-the-oldest",
    removes: "What is told of a name is of its newest incarnation.",
    file: `${sqlite}/StoredRecord.ts`,
    from: "(SELECT max(n.generation)",
    to: "(SELECT min(n.generation)",
    killedBy: [of("sessions"), of("forgetting")],
  },
  {
    name: "sql-begins-once",
    removes: "A name is free again when what it was of has ended.",
    file: `${sqlite}/FirstTables.ts`,
    from: "WHERE session = NEW.session AND state NOT IN ('failed', 'deleted'));",
    to: "WHERE session = NEW.session);",
    killedBy: [of("sessions")],
  },
  {
    name: "sql-knows-a-process-of-the-last-terminal",
    removes: "Of which terminal a process is stays as it was told first.",
    file: `${sqlite}/WriteChange.ts`,
    from: "coalesce(terminal, excluded.terminal)",
    to: "coalesce(excluded.terminal, terminal)",
    killedBy: [of("sessions")],
  },
  {
    name: "sql-lists-in-no-order",
    removes: "The history is in order of names and generations.",
    file: `${sqlite}/History.ts`,
    from: " ORDER BY i.session, i.generation`",
    to: "`",
    killedBy: [of("sessions"), of("forgetting")],
  },
];

/** Claims: whose they are, and what their end leaves. */
const claims: ReadonlyArray<Mutant> = [
  {
    name: "sql-ends-the-claims-of-all",
    removes: "The claim of one name ends.",
    file: `${sqlite}/Claims.ts`,
    from: "owner = NULL, fence_due = ? WHERE session = ? AND owner = ? AND epoch = ?",
    to: "owner = NULL, fence_due = ? WHERE (session = ? OR 1) AND owner = ? AND epoch = ?",
    killedBy: [of("all together")],
  },
  {
    name: "sql-ends-a-claim-that-was-renewed",
    removes: "A claim that goes on at another epoch is not ended at the old one.",
    file: `${sqlite}/Claims.ts`,
    from: "owner = NULL, fence_due = ? WHERE session = ? AND owner = ? AND epoch = ?",
    to: "owner = NULL, fence_due = ? WHERE session = ? AND owner = ? AND (epoch = ? OR 1)",
    killedBy: [of("sessions")],
  },
  {
    name: "sql-takes-every-turn-for-its-own",
    removes: "A program that ends with no turn of its own is dead then, whoever runs one.",
    file: `${sqlite}/Claims.ts`,
    from: '"SELECT 1 FROM leases WHERE owner = ? AND turn IS NOT NULL LIMIT 1"',
    to: '"SELECT 1 FROM leases WHERE (owner = ? OR 1) AND turn IS NOT NULL LIMIT 1"',
    killedBy: [of("leases"), of("all together")],
  },
  {
    name: "sql-takes-every-claim-for-the-dead-one's",
    removes: "The lock of a program that left nothing goes, whoever has a claim.",
    file: `${sqlite}/Claims.ts`,
    from: "SELECT 1 FROM claims WHERE owner = ? UNION ALL",
    to: "SELECT 1 FROM claims WHERE (owner = ? OR 1) UNION ALL",
    killedBy: [of("leases"), of("all together")],
  },
  {
    name: "sql-owes-no-fence-of-one-that-lives",
    removes: "Whoever takes a claim that was not given back raises the fence.",
    file: `${sqlite}/ClaimStatement.ts`,
    from: "CASE WHEN owner IS NULL THEN fence_due ELSE 1 END",
    to: "CASE WHEN owner IS NOT NULL THEN fence_due ELSE 1 END",
    killedBy: [of("sessions")],
  },
];

/** Leases and the log. */
const leases: ReadonlyArray<Mutant> = [
  {
    name: "sql-moves-a-lease-to-the-same-writer",
    removes: "A lease that a sibling takes is his.",
    file: `${sqlite}/StoredLease.ts`,
    from: "epoch = ?, actor = ?, turn = ?",
    to: "epoch = ?, actor = coalesce(actor, ?), turn = ?",
    killedBy: [of("leases")],
  },
  {
    name: "sql-keeps-the-first-child",
    removes: "A holder's last word of his children counts.",
    file: `${sqlite}/StoredLease.ts`,
    from: "SET turn = ?, child = ? WHERE",
    to: "SET turn = ?, child = coalesce(child, ?) WHERE",
    killedBy: [of("leases")],
  },
  {
    name: "sql-gives-back-a-lease-at-any-epoch",
    removes: "A lease that went on at another epoch is not given back at the old one.",
    file: `${sqlite}/StoredLease.ts`,
    from: "WHERE session = ? AND lease = ? AND epoch = ? RETURNING",
    to: "WHERE session = ? AND lease = ? AND (epoch = ? OR 1) RETURNING",
    killedBy: [of("leases")],
  },
  {
    name: "sql-gives-back-a-lease-of-any-name",
    removes: "A lease that went to another name is not given back as that of the first.",
    file: `${sqlite}/StoredLease.ts`,
    from: "WHERE session = ? AND lease = ? AND epoch = ? RETURNING",
    to: "WHERE (session = ? OR 1) AND lease = ? AND epoch = ? RETURNING",
    killedBy: [of("leases")],
  },
  {
    name: "sql-tells-the-first-number-for-the-last",
    removes: "A page tells the last number that is kept.",
    file: `${sqlite}/EventLog.ts`,
    from: "(SELECT max(sequence) FROM events) AS last) k",
    to: "(SELECT min(sequence) FROM events) AS last) k",
    killedBy: [of("events")],
  },
  {
    name: "sql-keeps-an-event-too-many",
    removes: "The log forgets up to the bound, and with it.",
    file: `${sqlite}/EventLog.ts`,
    from: "DELETE FROM events WHERE sequence <= ?",
    to: "DELETE FROM events WHERE sequence < ?",
    killedBy: [of("events")],
  },
];

/** Each edit makes one of two registries answer otherwise. */
export const twinsMutants: ReadonlyArray<Mutant> = [
  ...forgetting,
  ...sessions,
  ...claims,
  ...leases,
];
