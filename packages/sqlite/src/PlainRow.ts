/**
 * PlainRow: a row that is just as this program writes them, read without a schema.
 *
 * A schema is made ready when it first reads, which takes a short call longer than all that it asks
 * of the database. This looks at every value as the schema does, and knows fewer rows: what it does
 * not know is no damage, and is for the schema to judge. What it tells is what the schema tells.
 */
import { isSessionName, SessionState, TerminalState } from "@troupe/core";
import type { Stored, StoredRow } from "./StoredRecord.js";

type Is = (value: unknown) => boolean;

const isText: Is = (value) => typeof value === "string";
const isFlag: Is = (value) => typeof value === "boolean";
const isWhole: Is = Number.isSafeInteger;

const matches =
  (pattern: RegExp): Is =>
  (value) =>
    typeof value === "string" && pattern.test(value);

const oneOf =
  (words: ReadonlyArray<unknown>): Is =>
  (value) =>
    words.includes(value);

const orNull =
  (is: Is): Is =>
  (value) =>
    value === null || is(value);

const listOf =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);

type Fields = Readonly<Record<string, Is>>;

/** An object with all of these fields, and no others but some of the second. */
const only =
  (fields: Fields, others: Fields = {}): Is =>
  (value) => {
    if (typeof value !== "object" || value === null) return false;
    const known = new Map(Object.entries({ ...fields, ...others }));
    const found = Object.entries(value);
    const isWhole = Object.keys(fields).every((name) => Object.hasOwn(value, name));
    return isWhole && found.every(([name, one]) => known.get(name)?.(one) === true);
  };

const isIncarnation = matches(/^[A-Za-z0-9-]{8,64}$/);
const isTerminal = matches(/^[A-Za-z0-9-]{1,64}$/);
const areWords = listOf(isText);

const isSpec = only(
  {
    command: areWords,
    cwd: isText,
    envNames: areWords,
    inheritEnv: isFlag,
    log: isFlag,
    columns: isWhole,
    rows: isWhole,
  },
  { ttlMs: isWhole, idleTtlMs: isWhole },
);

const isRunTerminal = only({
  terminal: isTerminal,
  command: orNull(areWords),
  windowId: orNull(isText),
  paneId: orNull(isText),
  panePid: orNull(isWhole),
  state: oneOf(TerminalState.literals),
  exit: orNull(only({ code: orNull(isWhole), signal: orNull(isWhole) })),
});

const isProcess = only({
  pid: isWhole,
  startTime: isWhole,
  bootId: isText,
  terminal: orNull(isTerminal),
});

const isStored = only({
  session: isSessionName,
  generation: isWhole,
  incarnation: isIncarnation,
  state: oneOf(SessionState.literals),
  cause: orNull(isText),
  spec: isSpec,
  server: orNull(only({ pid: isWhole, startTime: isWhole })),
  sessionId: orNull(isText),
  createdAt: isWhole,
  updatedAt: isWhole,
  terminals: listOf(isRunTerminal),
  processes: listOf(isProcess),
  owner: orNull(isText),
  epoch: isWhole,
  fenceDue: isFlag,
});

const parsed = (json: unknown): unknown => (isText(json) ? JSON.parse(String(json)) : undefined);
/** A text that means null is none that was written. */
const parsedOrNull = (json: unknown): unknown =>
  json === null ? null : (parsed(json) ?? undefined);

const toldOf = (row: Readonly<Record<string, unknown>>) => ({
  ...row,
  spec: parsed(row.spec),
  server: parsedOrNull(row.server),
  terminals: (parsed(row.terminals) as ReadonlyArray<Record<string, unknown>>).map((one) => ({
    ...one,
    command: parsedOrNull(one.command),
    exit: parsedOrNull(one.exit),
  })),
  processes: parsed(row.processes),
  fenceDue: row.fenceDue === 1 ? true : row.fenceDue === 0 ? false : null,
});

/** The row read; nothing where anything of it is not as this program writes it. */
export const plainRow = (row: StoredRow): Stored | null => {
  try {
    const told: unknown = toldOf({ ...row });
    return isStored(told) ? (told as Stored) : null;
  } catch {
    // Some of it is no JSON, or no list.
    return null;
  }
};
