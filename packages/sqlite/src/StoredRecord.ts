/**
 * StoredRecord: a row of the database as a record, read in one statement and decoded whole.
 *
 * One statement is one snapshot: the incarnation, its terminals, its processes and the claim of
 * its name belong together. JSON that was stored stays text until it is decoded here, so that one
 * damaged value is found in its own row and does not fail the query for every other.
 */
import {
  type ClaimRecord,
  IncarnationId,
  RecordedProcess,
  ServerId,
  SessionName,
  type SessionRecord,
  SessionSpec,
  SessionState,
  TerminalRecord,
} from "@troupe/core";
import { Either, ParseResult, Schema } from "effect";

/** What SQLite has in place of true and false. */
export const StoredFlag = Schema.transform(Schema.Literal(0, 1), Schema.Boolean, {
  strict: true,
  decode: (flag) => flag === 1,
  encode: (flag) => (flag ? 1 : 0),
});

const Stored = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  incarnation: IncarnationId,
  state: SessionState,
  cause: Schema.NullOr(Schema.String),
  spec: SessionSpec,
  server: Schema.NullOr(ServerId),
  sessionId: Schema.NullOr(Schema.String),
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
  terminals: Schema.Array(TerminalRecord),
  processes: Schema.Array(RecordedProcess),
  owner: Schema.NullOr(Schema.String),
  epoch: Schema.Int,
  fenceDue: Schema.Boolean,
});

/** A record whose claim names an owner of whom it is not known yet whether he lives. */
export type Stored = typeof Stored.Type;

/** What the driver gives for a record; nothing of it is believed before it is decoded. */
export interface StoredRow {
  readonly session: unknown;
}

/** The record, its claim completed by what is known of the holder. */
export const withHolder = (
  { epoch, fenceDue, owner, ...record }: Stored,
  holder: ClaimRecord["holder"],
): SessionRecord => ({ ...record, claim: { owner, epoch, holder, fenceDue } });

const decode = Schema.decodeUnknownEither(Stored);

/** What a text says in JSON; no text says `null`, which stands for itself. */
const told = (text: unknown): unknown =>
  typeof text === "string" ? (JSON.parse(text) ?? undefined) : text;

const toldTerminal = (terminal: object): object =>
  "command" in terminal && "exit" in terminal
    ? { ...terminal, command: told(terminal.command), exit: told(terminal.exit) }
    : terminal;

/** The row, with what stands in it as text told. Throws where that is no JSON. */
const unfolded = (row: Readonly<Record<string, unknown>>): unknown => {
  const terminals = told(row.terminals);
  return {
    ...row,
    spec: told(row.spec),
    server: told(row.server),
    terminals: Array.isArray(terminals) ? terminals.map(toldTerminal) : terminals,
    processes: told(row.processes),
    fenceDue: row.fenceDue === 0 ? false : row.fenceDue === 1 || row.fenceDue,
  };
};

/** The row decoded, or in words what is wrong with it. */
export const decodeStored = (row: StoredRow): Either.Either<Stored, string> =>
  Either.try({ try: () => unfolded({ ...row }), catch: String }).pipe(
    Either.flatMap((told) =>
      Either.mapLeft(decode(told), (error) => ParseResult.TreeFormatter.formatErrorSync(error)),
    ),
  );

/** Selects records `i`; conditions and their parameters are the caller's. */
export const selectStored = (conditions: string): string => `
  SELECT i.session, i.generation, i.incarnation, i.state, i.cause, i.spec,
    CASE WHEN i.server_pid IS NOT NULL
      THEN json_object('pid', i.server_pid, 'startTime', i.server_start_time) END AS server,
    i.session_id AS sessionId, i.created_at AS createdAt, i.updated_at AS updatedAt,
    (SELECT json_group_array(json_object('terminal', t.terminal, 'command', t.command,
        'windowId', t.window_id, 'paneId', t.pane_id, 'panePid', t.pane_pid, 'state', t.state, 'exit', t.exit)
        ORDER BY t.ordinal)
      FROM terminals t WHERE t.incarnation = i.incarnation) AS terminals,
    (SELECT json_group_array(json_patch(json_object('pid', p.pid, 'startTime', p.start_time,
        'bootId', p.boot_id, 'terminal', p.terminal),
        iif(p.spared, '{"spared":true}', '{}')) ORDER BY p.ordinal)
      FROM processes p WHERE p.incarnation = i.incarnation) AS processes,
    c.owner, c.epoch, c.fence_due AS fenceDue
  FROM incarnations i LEFT JOIN claims c ON c.session = i.session
  WHERE ${conditions}`;

/** Among the conditions: the newest incarnation of its name. */
export const newest =
  "i.generation = (SELECT max(n.generation) FROM incarnations n WHERE n.session = i.session)";
