/**
 * SendList: the command lists that write to one pane and look what was written, and how they are
 * read.
 *
 * Bound inside tmux to fence, server, session, the marks of the pane, and to a program that runs:
 * 3.2a and 3.3a crash of a paste into a dead pane. Copy mode and its like are left in the same
 * list, since keys would go to them. What was loaded is removed by a line of its own, which runs
 * whatever the line in front of it did. The receipt is an option of the pane.
 */
import {
  type InputPart,
  type LookupFailed,
  type PaneTarget,
  type Refusal,
  type Sent,
  sameServer,
} from "@troupe/core";
import { Either } from "effect";
import { inputBuffer } from "./LoadList.js";
import { END, fencePasses, guarded, HELLO, print, quote, sequence, when } from "./TmuxCommand.js";
import { type Asked, failureOf, garbled, linesOf } from "./TmuxFailure.js";
import { parseHello } from "./TmuxFormat.js";
import type { TmuxReply } from "./TmuxTransport.js";

const SENT = "SENT";
const GONE = "GONE";
const CLOSED = "CLOSED";

/** From 3.7 on a paste is cleaned of control characters, unless it is told not to be. */
const asItIs = (version: string): string => {
  const [, major, minor] = /([0-9]+)\.([0-9]+)/.exec(version) ?? [];
  // A build without a number is newer than any release.
  if (major === undefined) return " -S";
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 7) ? " -S" : "";
};

const receiptOf = ({ epoch }: PaneTarget, part: InputPart): string => `${epoch}-${part._tag}`;

const writing = (target: PaneTarget, part: InputPart): ReadonlyArray<string> => {
  const { paneId, version } = target;
  if (part._tag === "Loaded") {
    return [`paste-buffer -p -r${asItIs(version)} -b ${inputBuffer(target)} -t ${paneId}`];
  }
  if (part.keys.length === 0) return [];
  return [`send-keys -t ${paneId} -- ${part.keys.map(quote).join(" ")}`];
};

/** The list, for `source-file -`: each line runs although the one before it failed. */
export const sendList = (target: PaneTarget, part: InputPart): string => {
  const { incarnation, paneId, sessionId, terminal } = target;
  // A pane without the mark of its owner was made before there was one.
  const owner = `#{?#{@troupe-owner},#{@troupe-owner},${incarnation}}`;
  const mark = `${paneId}/${incarnation}/${terminal}`;
  const ours = `#{==:#{pane_id}/${owner}/#{@troupe-pane},${mark}}`;
  const open = "#{==:#{pane_dead}#{pane_input_off},00}";
  const write = sequence(
    `copy-mode -q -t ${paneId}`,
    ...writing(target, part),
    `set-option -p -t ${paneId} @troupe-sent ${receiptOf(target, part)}`,
    print(SENT),
  );
  const closed = `display-message -p -t ${paneId} "${CLOSED} #{pane_dead}"`;
  const inPane = when(ours, when(open, write, closed, paneId), print(GONE), paneId);
  const refused = print(`REFUSED ${fencePasses(target)}`);
  return [
    print(HELLO),
    // Two conditions: of a pane whose window is linked elsewhere too, tmux takes either session.
    when(guarded(target), inPane, refused, sessionId),
    ...(part._tag === "Loaded" ? [`delete-buffer -b ${inputBuffer(target)}`] : []),
    print(END),
    "",
  ].join("\n");
};

const unsent = (detail: string): Either.Either<Sent> => Either.right({ _tag: "Unsent", detail });

/** What a list that was whole says on stderr where it was refused in its middle. */
const refusalOf = ({ stderr }: TmuxReply): string | null =>
  /^(target pane has exited|no buffer \S+)$/m.exec(stderr)?.[1] ?? null;

/** What the answer says: written, not written and why, or could not be found out. */
export const readSent = (
  asked: Asked,
  target: PaneTarget,
  reply: TmuxReply,
): Either.Either<Sent | Refusal, LookupFailed> => {
  const [greeting, verdict, last] = linesOf(reply);
  const hello = parseHello(greeting);
  if (hello === null) {
    const failure = failureOf(asked, reply);
    if (failure !== "no-server") return Either.left(failure);
    return Either.right({ _tag: "Elsewhere", detail: reply.stderr.trim() });
  }
  if (!sameServer(hello.server, target.server)) {
    return Either.right({ _tag: "Elsewhere", detail: "another server answers" });
  }
  if (verdict === SENT) return Either.right({ _tag: "Sent" });
  const refusal = verdict === END ? refusalOf(reply) : null;
  if (refusal !== null) return unsent(refusal);
  if (last !== END) return Either.left(garbled(asked, reply));
  switch (verdict) {
    case "REFUSED 0":
      return Either.right({ _tag: "Stale" });
    case "REFUSED 1":
      return Either.right({ _tag: "Elsewhere", detail: "the session is not there any more" });
    case GONE:
      return Either.right({ _tag: "Gone" });
    case `${CLOSED} 1`:
      return unsent(`the program of terminal ${target.terminal} has ended`);
    case `${CLOSED} 0`:
      return unsent(`the input of terminal ${target.terminal} was turned off (select-pane -d)`);
    default:
      return Either.left(garbled(asked, reply));
  }
};

/** The argv that asks for the receipt. */
export const receiptList = ({ paneId }: PaneTarget): ReadonlyArray<string> => {
  const text = "R #{pid} #{start_time} #{pane_id} r=#{@troupe-sent}";
  return ["display-message", "-p", "-t", paneId, text];
};

const RECEIPT = /^R ([0-9]+) ([0-9]+) (%[0-9]+)? r=([0-9A-Za-z-]*)\n$/;

/** Whether this part is the newest that was written; `null` when there is no such pane any more. */
export const readReceipt = (
  asked: Asked,
  target: PaneTarget,
  part: InputPart,
  reply: TmuxReply,
): Either.Either<boolean | null, LookupFailed> => {
  const match = RECEIPT.exec(reply.stdout);
  if (match === null || reply.exitCode !== 0 || reply.stderr !== "") {
    const failure = failureOf(asked, reply);
    const absent = /^can't find pane: %[0-9]+\n$/.test(reply.stderr);
    return failure === "no-server" || absent ? Either.right(null) : Either.left(failure);
  }
  const [, pid, startTime, paneId, receipt] = match;
  const same = sameServer({ pid: Number(pid), startTime: Number(startTime) }, target.server);
  if (!same || paneId !== target.paneId) return Either.right(null);
  return Either.right(receipt === receiptOf(target, part));
};
