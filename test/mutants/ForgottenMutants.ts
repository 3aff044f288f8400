/**
 * ForgottenMutants: guards of what a gc leaves when it forgets what ended of one name.
 *
 * That is all that another name has a use for, and the claim of a name with a row. What is guarded
 * in memory and on SQLite is taken away in both.
 */
import { type Mutant, world } from "./Mutant.js";

const memory = "packages/core/src/RegistryMemoryForgetting.ts";
const sqlite = "packages/sqlite/src/Forget.ts";

const dies = "the server dies";

const other = (call: string, death: string) =>
  world(`${call} of the other behind ${death}, and a gc before it`);
const onSqlite = (call: string) =>
  world(`${call} of the other behind ${dies}, and a gc before it, on SQLite`);
const during = (call: string) =>
  world(`${call} of the other behind ${dies}, and a gc at any call of it`);

/** Of what is forgotten. */
export const forgottenMutants: ReadonlyArray<Mutant> = [
  {
    name: "server-forgotten-by-the-rows-of-one-name",
    removes: "A dead server is known as long as any name has a row of it.",
    file: memory,
    from: "recordsOf(null).some((r) => r.server",
    to: "recordsOf(claim.session).some((r) => r.server",
    and: [
      {
        file: sqlite,
        from: "i.server_start_time = s.start_time)`",
        to: "i.server_start_time = s.start_time AND i.session = ?)`",
      },
      {
        file: sqlite,
        from: "sql.unsafe(forgetServer, [pid, startTime]);",
        to: "sql.unsafe(forgetServer, [pid, startTime, session]);",
      },
      {
        file: sqlite,
        from: "  servers: ReadonlyArray<ServerId>,\n): Effect",
        to: "  servers: ReadonlyArray<ServerId>,\n  session: string,\n): Effect",
      },
      {
        file: sqlite,
        from: "forgetOne(sql, incarnation, servers)),",
        to: "forgetOne(sql, incarnation, servers, claim.session)),",
      },
    ],
    killedBy: [
      other("restore", "the server restarts"),
      other("restore", "a reboot"),
      other("restore", "the first server dies"),
      ...["restore", "delete", "reconcile", "create", "add", "send"].map((c) => other(c, dies)),
      ...["restore", "delete", "reconcile", "create"].map(onSqlite),
      ...["restore", "delete"].map(during),
    ],
  },
  {
    name: "requests-of-others-forgotten",
    removes: "A request is known as long as what it made.",
    file: memory,
    from: "if (of === incarnation) store.requests.delete(request);",
    to: "if (of !== undefined) store.requests.delete(request);",
    and: [
      {
        file: sqlite,
        from: '"DELETE FROM requests WHERE incarnation = ?"',
        to: '"DELETE FROM requests WHERE incarnation <= ?"',
      },
    ],
    killedBy: [
      other("create, requested", dies),
      onSqlite("create, requested"),
      during("create, requested"),
    ],
  },
  {
    name: "request-kept-of-what-is-forgotten",
    removes: "A request goes with what it made, and can be asked for again.",
    file: sqlite,
    from: '  "DELETE FROM requests WHERE incarnation = ?",\n',
    to: "",
    killedBy: [world("create, requested, whose session a gc forgot, on SQLite")],
  },
  {
    name: "events-kept-of-what-is-forgotten",
    removes: "The log tells nothing of what is forgotten but its newest event.",
    file: memory,
    from: "sequence === last || store.records.has(incarnation)",
    to: "sequence <= (last ?? 0) || store.records.has(incarnation)",
    and: [
      {
        file: sqlite,
        from: "    AND incarnation NOT IN (SELECT incarnation FROM incarnations)`",
        to: "    AND incarnation IS NULL`",
      },
    ],
    killedBy: [
      other("reconcile", dies),
      other("restore", "the first server dies"),
      onSqlite("reconcile"),
    ],
  },
  {
    name: "name-forgotten-that-has-a-row",
    removes: "A name that was used and ended behind the plan of a gc keeps its claim.",
    file: memory,
    from: "if (recordsOf(claim.session).length > 0) return Effect.succeed(false);",
    to: "",
    killedBy: [world("gc, and somebody uses the name at any call of it")],
  },
];
