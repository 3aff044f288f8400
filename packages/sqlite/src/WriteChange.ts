/**
 * WriteChange: the statements of one change.
 *
 * Every row bears the epoch of the claim under which it was written. A row that is written again
 * keeps its place in the order; recorded processes are only added to. Judges nothing.
 */
import type {
  Change,
  CommitContext,
  ServerRecord,
  SessionRecord,
  TerminalRecord,
} from "@troupe/core";
import { Effect } from "effect";
import type { Sql, SqlError } from "./Sql.js";

type Write = Effect.Effect<unknown, SqlError>;

const begin = (
  sql: Sql,
  requestId: string | null,
  record: SessionRecord,
  { claim: { epoch } }: CommitContext,
): Write => {
  const { cause, createdAt, generation, incarnation, server, session, spec, state } = record;
  const insert = sql.unsafe(
    `INSERT INTO incarnations (incarnation, session, generation, state, cause, spec,
      server_pid, server_start_time, created_at, updated_at, epoch)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      incarnation,
      session,
      generation,
      state,
      cause,
      JSON.stringify(spec),
      server?.pid ?? null,
      server?.startTime ?? null,
      createdAt,
      record.updatedAt,
      epoch,
    ],
  );
  if (requestId === null) return insert;
  return Effect.zipRight(
    insert,
    sql.unsafe(
      `INSERT INTO requests (request_id, incarnation, epoch) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET incarnation = excluded.incarnation, epoch = excluded.epoch`,
      [requestId, incarnation, epoch],
    ),
  );
};

const move = (
  sql: Sql,
  { cause, sessionId, state, updatedAt }: SessionRecord,
  { claim, incarnation }: CommitContext,
): Write =>
  sql.unsafe(
    `UPDATE incarnations SET state = ?, cause = ?, session_id = ?, updated_at = ?, epoch = ?
      WHERE incarnation = ?`,
    [state, cause, sessionId, updatedAt, claim.epoch, incarnation],
  );

/** Not the state: a write of that is a move, also one to itself. */
const cause = (
  sql: Sql,
  { cause: why, updatedAt }: SessionRecord,
  { claim, incarnation }: CommitContext,
): Write =>
  sql.unsafe("UPDATE incarnations SET cause = ?, updated_at = ?, epoch = ? WHERE incarnation = ?", [
    why,
    updatedAt,
    claim.epoch,
    incarnation,
  ]);

const touch = (sql: Sql, { at, claim, incarnation }: CommitContext): Write =>
  sql.unsafe("UPDATE incarnations SET updated_at = ?, epoch = ? WHERE incarnation = ?", [
    at,
    claim.epoch,
    incarnation,
  ]);

const terminal = (
  sql: Sql,
  { command, exit, panePid, paneId, state, terminal, windowId }: TerminalRecord,
  { claim, incarnation }: CommitContext,
): Write =>
  sql.unsafe(
    `INSERT INTO terminals
      (incarnation, terminal, command, window_id, pane_id, pane_pid, state, exit, epoch)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET command = excluded.command, window_id = excluded.window_id, pane_id = excluded.pane_id,
        pane_pid = excluded.pane_pid, state = excluded.state, exit = excluded.exit,
        epoch = excluded.epoch`,
    [
      incarnation,
      terminal,
      command === null ? null : JSON.stringify(command),
      windowId,
      paneId,
      panePid,
      state,
      exit === null ? null : JSON.stringify(exit),
      claim.epoch,
    ],
  );

const processes = (
  sql: Sql,
  recorded: Extract<Change, { _tag: "Processes" }>,
  { claim, incarnation }: CommitContext,
): Write =>
  Effect.forEach(
    recorded.processes,
    ({ bootId, pid, startTime }) =>
      sql.unsafe(
        `INSERT INTO processes (incarnation, pid, start_time, boot_id, terminal, epoch)
          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET terminal = coalesce(terminal, excluded.terminal), spared = 0`,
        [incarnation, pid, startTime, bootId, recorded.terminal, claim.epoch],
      ),
    { discard: true },
  );

const spared = (
  sql: Sql,
  { processes }: Extract<Change, { _tag: "Spared" }>,
  { incarnation }: CommitContext,
): Write =>
  Effect.forEach(
    processes,
    ({ bootId, pid, startTime }) =>
      sql.unsafe(
        `UPDATE processes SET spared = 1
          WHERE incarnation = ? AND pid = ? AND start_time = ? AND boot_id = ?`,
        [incarnation, pid, startTime, bootId],
      ),
    { discard: true },
  );

const server = (
  sql: Sql,
  { process, server, version }: ServerRecord,
  { claim, session }: CommitContext,
): Write =>
  sql.unsafe(
    `INSERT INTO servers
      (pid, start_time, process_pid, process_start_time, boot_id, version, session, epoch)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET process_pid = excluded.process_pid,
        process_start_time = excluded.process_start_time, boot_id = excluded.boot_id,
        version = excluded.version, session = excluded.session, epoch = excluded.epoch`,
    [
      server.pid,
      server.startTime,
      process.pid,
      process.startTime,
      process.bootId,
      version,
      session,
      claim.epoch,
    ],
  );

/** Writes the change; `after` is the record that it makes, `null` while there is none. */
export const writeChange = (
  sql: Sql,
  change: Change,
  after: SessionRecord | null,
  context: CommitContext,
): Write => {
  if (change._tag === "Server") return server(sql, change.record, context);
  if (after === null || change._tag === "Late") return Effect.void;
  switch (change._tag) {
    case "Begin":
      return begin(sql, change.requestId, after, context);
    case "Move":
      return move(sql, after, context);
    case "Cause":
      return cause(sql, after, context);
    case "Terminal":
      return Effect.zipRight(terminal(sql, change.record, context), touch(sql, context));
    case "Processes":
      return Effect.zipRight(processes(sql, change, context), touch(sql, context));
    case "Spared":
      return Effect.zipRight(spared(sql, change, context), touch(sql, context));
  }
};
