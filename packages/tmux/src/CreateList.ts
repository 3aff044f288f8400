/**
 * CreateList: the command list that makes a session, and how its answer is read.
 *
 * One line, so that no other client ever sees the session without its marks: guarded by fence and
 * server, session, marks, options, ids. The session is found by its name, or by its id where a hook
 * may rename it. Values travel on stdin. Those that the creator supplied
 * are unset in the session's environment by the same list, so `show-environment` never tells them.
 */
import {
  type Created,
  type CreateSession,
  type LookupFailed,
  type NameTaken,
  type Refusal,
  TERMINAL_VARIABLE,
  TmuxRefused,
} from "@troupe/core";
import { Either } from "effect";
import { type Next, whereFound } from "./Hooked.js";
import { started, windowMarks } from "./StartedProgram.js";
import { both, fencePasses, print, quote, sequence, serverIs, when } from "./TmuxCommand.js";
import { failureOf, garbled, isClean, linesOf } from "./TmuxFailure.js";
import { PANE_ROW, parsePane } from "./TmuxFormat.js";
import type { TmuxReply } from "./TmuxTransport.js";

const CREATED = "CREATED";

const TAKEN = /^duplicate session: /;

/** tmux's own refusals of `new-session`, after which nothing was made. */
const REFUSAL = /^(invalid session: |create window failed: |width |height )/;

/** What `@troupe-spec` holds: base64 of JSON, names of the environment only. */
const specMark = (request: CreateSession): string =>
  Buffer.from(JSON.stringify(request.spec), "utf8").toString("base64");

const newSession = (request: CreateSession): string => {
  const { base, environment, session, spec, terminal } = request;
  const { columns, command, cwd, rows } = spec;
  return [
    `new-session -d -E -P -F "${PANE_ROW}" -s ${session} -n ${terminal} -x ${columns} -y ${rows}`,
    started({ terminal, command, cwd, base, environment }),
  ].join(" ");
};

const marks = (request: CreateSession, target: string): ReadonlyArray<string> => {
  const { generation, home, incarnation } = request.mark;
  const { recording, terminal } = request;
  return [
    `set-option -t ${target} @troupe-inc ${incarnation}`,
    `set-option -t ${target} @troupe-home ${home}`,
    `set-option -t ${target} @troupe-gen ${generation}`,
    `set-option -t ${target} @troupe-spec ${specMark(request)}`,
    ...windowMarks(target, { incarnation, terminal, recording }),
    `set-option -t ${target} destroy-unattached off`,
  ];
};

/** Hooks that run between the commands of the list. Before tmux 3.3 the next id is not told. */
const NEXT: Next = {
  format: "#{next_session_id}",
  hooks: ["after-new-session", "after-set-environment", "after-set-option", "after-pipe-pane"],
};

/**
 * The list, for `source-file -`. `next` is the id that the session will have, which an answer said;
 * with `""` none was said, and the name is all there is.
 */
export const createList = (request: CreateSession, next: string | null = null): string => {
  const target = next === null || next === "" ? `=${request.session}:` : `${next}:`;
  // Which terminal a process is of is no matter of the session: a user's window is of none.
  const forget = [...request.environment.keys(), TERMINAL_VARIABLE].map(
    (name) => `set-environment -t ${target} -u ${quote(name)}`,
  );
  const make = sequence(
    "set-option -s exit-empty off",
    "set-option -s message-limit 0",
    newSession(request),
    // First: if a command behind it fails, the list ends there, and no value may stay.
    ...forget,
    ...marks(request, target),
    print(CREATED),
  );
  const fence = fencePasses(request);
  const found = whereFound(NEXT, next, make, null);
  return `${when(both(fence, serverIs(request.server)), found, print(`REFUSED ${fence}`), null)}\n`;
};

const refusalOf = (line: string): Refusal | null => {
  if (line === "REFUSED 0") return { _tag: "Stale" };
  if (line !== "REFUSED 1") return null;
  return { _tag: "Elsewhere", detail: "another server answers at the socket" };
};

/** What the answer says: created with these ids, refused, or could not be found out. */
export const readCreated = (
  request: CreateSession,
  reply: TmuxReply,
): Either.Either<Created | NameTaken | Refusal, LookupFailed | TmuxRefused> => {
  const asked = { session: request.session, attempted: "create" };
  const lines = linesOf(reply);
  if (isClean(reply)) {
    const refusal = lines.length === 1 ? refusalOf(lines[0] ?? "") : null;
    if (refusal !== null) return Either.right(refusal);
    const pane = lines.length === 2 && lines[1] === CREATED ? parsePane(lines[0] ?? "") : null;
    if (pane === null) return Either.left(garbled(asked, reply));
    // While it is made, a window counts as linked.
    const terminals = [{ ...pane.terminal, terminal: request.terminal, away: false }];
    const { mark, session: name } = request;
    const session = { sessionId: pane.sessionId, name, mark, terminals };
    return Either.right({ _tag: "Created", session });
  }
  if (reply.exitCode === 1 && reply.stdout === "") {
    const detail = reply.stderr.trim();
    if (TAKEN.test(detail)) return Either.right({ _tag: "NameTaken", detail });
    if (REFUSAL.test(detail)) return Either.left(new TmuxRefused({ ...asked, detail }));
  }
  const failure = failureOf(asked, reply);
  if (failure !== "no-server") return Either.left(failure);
  return Either.right({ _tag: "Elsewhere", detail: reply.stderr.trim() });
};
