/**
 * AddTerminalList: the command list that makes a further window in a session of ours.
 *
 * Guarded by fence, server, id and mark of the session. Until it is marked the window has a name
 * that no other has, by which the same list finds it again: `new-window` alone tells no later
 * command which window it made. Where a hook may rename it, its index is behind all others, and it
 * is found by that. Values travel on stdin, and `new-window` gives them to the program alone.
 */
import {
  type Added,
  type AddTerminal,
  type LookupFailed,
  type Refusal,
  TmuxRefused,
} from "@troupe/core";
import { Either } from "effect";
import { type Next, whereFound } from "./Hooked.js";
import { started, windowMarks } from "./StartedProgram.js";
import { fencePasses, guarded, print, sequence, when } from "./TmuxCommand.js";
import { failureOf, garbled, isClean, linesOf, notBelieved } from "./TmuxFailure.js";
import { PANE_ROW, parsePane } from "./TmuxFormat.js";
import type { TmuxReply } from "./TmuxTransport.js";

const ADDED = "ADDED";

/** tmux's own refusals of `new-window`, after which nothing was made. */
const REFUSAL = /^(create window failed: |couldn't create a window )/;

/** Hooks that run between the commands of the list. */
const NEXT: Next = {
  format: "#{last_window_index}",
  hooks: ["after-new-window", "after-set-option", "after-pipe-pane"],
};

/** The list, for `source-file -`. `last` is the index of the last window, which an answer said. */
export const addTerminalList = (request: AddTerminal, last: string | null = null): string => {
  const { incarnation, sessionId, terminal } = request;
  const unique = `${incarnation}-${terminal}`;
  const place = `${sessionId}:${last === null ? "" : Number(last) + 1}`;
  const target = last === null ? `=${sessionId}:=${unique}` : place;
  const make = sequence(
    `new-window -d -P -F "${PANE_ROW}" -t ${place} -n ${unique} ${started(request)}`,
    ...windowMarks(target, request),
    `rename-window -t ${target} ${terminal}`,
    print(ADDED),
  );
  const fence = fencePasses(request);
  const found = whereFound(NEXT, last, make, sessionId);
  return `${when(guarded(request), found, print(`REFUSED ${fence}`), sessionId)}\n`;
};

const refusalOf = (line: string): Refusal | null => {
  if (line === "REFUSED 0") return { _tag: "Stale" };
  if (line !== "REFUSED 1") return null;
  return { _tag: "Elsewhere", detail: "the session is not there, or another server answers" };
};

/** What the answer says: added with these ids, refused, or could not be found out. */
export const readAdded = (
  request: AddTerminal,
  reply: TmuxReply,
): Either.Either<Added | Refusal, LookupFailed | TmuxRefused> => {
  const asked = { session: request.session, attempted: "add a terminal" };
  const lines = linesOf(reply);
  if (isClean(reply)) {
    const refusal = lines.length === 1 ? refusalOf(lines[0] ?? "") : null;
    if (refusal !== null) return Either.right(refusal);
    const pane = lines.length === 2 && lines[1] === ADDED ? parsePane(lines[0] ?? "") : null;
    if (pane === null) return Either.left(garbled(asked, reply));
    const terminal = { ...pane.terminal, terminal: request.terminal, away: false };
    return Either.right({ _tag: "Added", terminal });
  }
  const detail = reply.stderr.trim();
  const refused = reply.exitCode === 1 && reply.stdout === "" && REFUSAL.test(detail);
  if (refused) return Either.left(new TmuxRefused({ ...asked, detail }));
  const failure = failureOf(asked, reply);
  return Either.left(
    failure === "no-server" ? notBelieved(asked, "server-exited", reply.stderr) : failure,
  );
};
