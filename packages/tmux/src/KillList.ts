/**
 * KillList: the command list that kills one session and looks, and how its answer is read.
 *
 * The kill is bound inside tmux to fence, server, id and mark, in the list that acts, so an old
 * look never kills a successor, and to there being no pane of another session that would end with
 * this one. `#{session_id}` in the condition matters: `if-shell -t` with an absent target evaluates
 * on another session. The listing behind the kill is the proof.
 */
import {
  type Killed,
  type LookupFailed,
  type Refusal,
  sameServer,
  type Target,
} from "@troupe/core";
import { Either } from "effect";
import {
  both,
  COUNTED_END,
  endsWith,
  fencePasses,
  guarded,
  HELLO,
  print,
  sequence,
  when,
} from "./TmuxCommand.js";
import { failureOf, garbled, isClean, linesOf } from "./TmuxFailure.js";
import { parseHello } from "./TmuxFormat.js";
import type { TmuxReply } from "./TmuxTransport.js";

const KILLED = "KILLED";

/**
 * True in a format of the session unless a pane of another one runs here and nowhere else: a user
 * may move a window at any moment, also behind the look on which the kill was decided.
 */
const withoutGuests = ({ incarnation }: Target): string => {
  const another = `#{&&:#{!=:#{@troupe-owner},},#{!=:#{@troupe-owner},${incarnation}}}`;
  const only = "#{?#{pane_dead},,#{?#{window_linked},,g}}";
  return `#{==:#{W:#{P:#{?${another},${only},}}},}`;
};

/** The list, for `source-file -`: each line runs although the one before it failed. */
export const killList = (target: Target): string => {
  const fence = fencePasses(target);
  const condition = both(guarded(target), withoutGuests(target));
  const kill = sequence(`kill-session -t ${target.sessionId}`, print(KILLED));
  return [
    print(HELLO),
    when(condition, kill, print(`REFUSED ${fence}`), target.sessionId),
    'list-sessions -F "L #{@troupe-inc}"',
    print(COUNTED_END),
    "",
  ].join("\n");
};

const elsewhere = (detail: string): Either.Either<Refusal> =>
  Either.right({ _tag: "Elsewhere", detail });

/** What the look behind the kill says. */
export const readKilled = (
  target: Target,
  reply: TmuxReply,
): Either.Either<Killed | Refusal, LookupFailed> => {
  const asked = { session: target.session, attempted: "kill" };
  const lines = linesOf(reply);
  const hello = parseHello(lines[0]);
  if (hello === null) {
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? elsewhere(reply.stderr.trim()) : Either.left(failure);
  }
  const [, verdict, ...rest] = lines;
  const rows = rest.slice(0, -1);
  const counted = endsWith(rest.at(-1), rows.length);
  const whole = isClean(reply) && counted && rows.every((row) => row.startsWith("L "));
  if (!whole) return Either.left(garbled(asked, reply));
  if (!sameServer(hello.server, target.server)) return elsewhere("another server answers");
  if (verdict === "REFUSED 0") return Either.right({ _tag: "Stale" });
  if (verdict !== KILLED && verdict !== "REFUSED 1") return Either.left(garbled(asked, reply));
  const stays = rows.includes(`L ${target.incarnation}`);
  // Refused while it is there and nobody is ahead of us: it is to be looked at again.
  if (stays && verdict !== KILLED) return elsewhere("it is not as it was seen");
  return Either.right({ _tag: stays ? "StillThere" : "Gone" });
};
