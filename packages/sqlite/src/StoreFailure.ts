/**
 * StoreFailure: why the file could not be read or written, in three kinds that differ in what is
 * done about them: `busy` is tried again, `unavailable` and `corrupt` are told to the caller.
 *
 * SQLite's codes are put into these kinds here and nowhere else. A code in no list is a bug of
 * ours and becomes a defect: a refused move (`ILLEGAL_TRANSITION`), a broken constraint, bad SQL.
 */
import { RegistryCorrupt, type RegistryFailure, RegistryUnavailable } from "@troupe/core";
import { Data, Effect } from "effect";
import type { SqlError } from "./Sql.js";

/** A use of a file of the home that failed; `detail` is for a person. */
export class StoreFailure extends Data.TaggedError("StoreFailure")<{
  readonly kind: "busy" | "unavailable" | "corrupt";
  readonly detail: string;
  /** SQLite's own name for it, or the system's, where one of them said it. */
  readonly code?: string;
  /** Why it is unavailable, where no code tells that. */
  readonly reason?: RegistryUnavailable["reason"];
}> {}

/** The call that a failure belongs to. */
export interface Where {
  readonly session: string | null;
  readonly attempted: string;
}

const kinds: ReadonlyArray<readonly [RegExp, StoreFailure["kind"]]> = [
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "busy"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "corrupt"],
  [/^SQLITE_(READONLY|FULL|PERM|CANTOPEN|IOERR|NOLFS|NOMEM|AUTH)/, "unavailable"],
];

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";

const detailOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = codeOf(cause);
  return code === "" || message.includes(code) ? message : `${code}: ${message}`;
};

/** What a failed statement means. */
export const fromSql = (error: SqlError): Effect.Effect<never, StoreFailure> => {
  const code = codeOf(error.cause);
  const kind = kinds.find(([codes]) => codes.test(code))?.[1];
  return kind === undefined
    ? Effect.die(error.cause ?? error)
    : Effect.fail(new StoreFailure({ kind, detail: detailOf(error.cause), code }));
};

/** What a failed call to the file system means: it is never waited for. */
export const fromFiles = (cause: unknown): StoreFailure =>
  new StoreFailure({ kind: "unavailable", detail: detailOf(cause), code: codeOf(cause) });

/** Where no more can be kept. The index beside a database is only made longer, never written. */
const full = /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/;

const reasonOf = ({ code = "", kind, reason }: StoreFailure): RegistryUnavailable["reason"] => {
  if (reason !== undefined) return reason;
  if (kind === "busy") return "locked";
  return full.test(code) ? "full" : "unusable";
};

/** The failure in the port's words. */
export const toRegistryFailure = (failure: StoreFailure, where: Where): RegistryFailure => {
  const { detail, kind } = failure;
  return kind === "corrupt"
    ? new RegistryCorrupt({ ...where, detail })
    : new RegistryUnavailable({ ...where, detail, reason: reasonOf(failure) });
};
