/**
 * KillTerminalList: the command list that kills one terminal and lists, and how it is read.
 *
 * Bound inside tmux to fence, server, session and the mark of the pane, in the list that acts. The
 * window goes with it only when it is the one that was made for it and no other terminal has a
 * pane there, so a peer that a user joined into it is not hurt. The listing behind is the proof.
 */
import {
  type Looked,
  type LookupFailed,
  type Refusal,
  sameServer,
  type TerminalTarget,
} from "@troupe/core";
import { Either } from "effect";
import { readListing } from "./ListingList.js";
import { COUNTED_END, fencePasses, guarded, HELLO, print, sequence, when } from "./TmuxCommand.js";
import { failureOf, garbled, linesOf } from "./TmuxFailure.js";
import { PANE_ROW, parseHello, SESSION_ROW } from "./TmuxFormat.js";
import type { TmuxReply } from "./TmuxTransport.js";

const KILLED = "KILLED";

/** The list, for `source-file -`: each line runs although the one before it failed. */
export const killTerminalList = (target: TerminalTarget): string => {
  const { paneId, terminal, windowId } = target;
  const fence = fencePasses(target);
  // A pane without the mark of its owner was made before there was one.
  const owner = `#{?#{@troupe-owner},#{@troupe-owner},${target.incarnation}}`;
  const mark = `${target.incarnation}/${terminal}`;
  const pane = `#{==:#{pane_id}/${owner}/#{@troupe-pane},${paneId}/${mark}}`;
  const marks = `#{P:#{?#{@troupe-pane},${owner}/#{@troupe-pane}+,}}`;
  const alone = `#{==:#{window_id}/${marks},${windowId}/${mark}+}`;
  const one = when(alone, `kill-window -t ${paneId}`, `kill-pane -t ${paneId}`, paneId);
  const kill = sequence(when(pane, one, null, paneId), print(KILLED));
  return [
    print(HELLO),
    // Two conditions: of a pane whose window is linked elsewhere too, tmux takes either session.
    when(guarded(target), kill, print(`REFUSED ${fence}`), target.sessionId),
    `list-sessions -F "${SESSION_ROW}"`,
    `list-panes -a -F "${PANE_ROW}"`,
    print(COUNTED_END),
    "",
  ].join("\n");
};

const elsewhere = (detail: string): Either.Either<Refusal> =>
  Either.right({ _tag: "Elsewhere", detail });

/** What the look behind the kill says. */
export const readTerminalKilled = (
  target: TerminalTarget,
  reply: TmuxReply,
): Either.Either<Looked | Refusal, LookupFailed> => {
  const asked = { session: target.session, attempted: "kill a terminal" };
  const [greeting, verdict, ...rest] = linesOf(reply);
  const hello = parseHello(greeting);
  if (hello === null) {
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? elsewhere(reply.stderr.trim()) : Either.left(failure);
  }
  if (!sameServer(hello.server, target.server)) return elsewhere("another server answers");
  if (verdict === "REFUSED 0") return Either.right({ _tag: "Stale" });
  if (verdict !== KILLED && verdict !== "REFUSED 1") return Either.left(garbled(asked, reply));
  const lines = [greeting, ...rest].map((line) => `${line}\n`).join("");
  return Either.map(readListing(asked, { ...reply, stdout: lines }), (listing) => ({
    _tag: "Looked",
    listing,
  }));
};
