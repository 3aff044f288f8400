/**
 * SnapshotList: the command list that reads several panes at once, and how its answer is read.
 *
 * Each pane's text stands between lines with a word that nobody could know before, so that what a
 * program printed is never taken for such a line. A pane that is gone is left out; an answer that
 * does not end as it must is not believed at all.
 */
import { randomBytes } from "node:crypto";
import {
  type CapturedPane,
  type LookupFailed,
  type SnapshotRequest,
  sameServer,
} from "@troupe/core";
import { Either } from "effect";
import { historyStart } from "./CaptureList.js";
import { HELLO, print } from "./TmuxCommand.js";
import { type Asked, failureOf, garbled } from "./TmuxFailure.js";
import { exitOf, parseHello } from "./TmuxFormat.js";
import type { TmuxReply } from "./TmuxTransport.js";

/** A word that no pane can show yet. */
export const freshNonce = (): string => randomBytes(16).toString("hex");

/** The list, for `source-file -`: each line runs although the one before it failed. */
export const snapshotList = ({ lines, panes }: SnapshotRequest, nonce: string): string => {
  const exit = "d=#{pane_dead} c=#{pane_dead_status} s=#{pane_dead_signal}";
  const facts = `#{pane_id} #{history_size} ${exit}`;
  const ofPane = (paneId: string): ReadonlyArray<string> => [
    `display-message -p -t ${paneId} "${nonce} ${facts}"`,
    `capture-pane -p -J -S ${historyStart(lines)} -t ${paneId}`,
  ];
  return [print(HELLO), ...panes.flatMap(ofPane), print(`${nonce} END`), ""].join("\n");
};

const FACTS = /^ (%[0-9]+) ([0-9]+) d=([01]?) c=([0-9]*) s=([0-9]*)$/;

/** What a part says of the pane; nothing when its facts are of another, the pane being gone. */
const paneOf = (paneId: string, lines: number, part: string): ReadonlyArray<CapturedPane> => {
  const [head = "", ...rest] = part.split("\n");
  const match = FACTS.exec(head);
  if (match === null || match[1] !== paneId) return [];
  const [, , history = "", dead = "", code = "", signal = ""] = match;
  const text = rest.join("\n").trimEnd();
  const truncated = Number(history) > lines;
  return [{ paneId, exit: exitOf(dead, code, signal), truncated, text }];
};

/** The panes that are there, in the order in which they were asked for. */
export const readSnapshot = (
  asked: Asked,
  request: SnapshotRequest,
  nonce: string,
  reply: TmuxReply,
): Either.Either<ReadonlyArray<CapturedPane>, LookupFailed> => {
  const [first = "", ...parts] = reply.stdout.split(nonce);
  const hello = parseHello(first.split("\n")[0]);
  if (hello === null) {
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? Either.right([]) : Either.left(failure);
  }
  if (!sameServer(hello.server, request.server)) return Either.right([]);
  const { lines, panes } = request;
  const whole = parts.length === panes.length + 1 && parts.at(-1) === " END\n";
  if (!whole) return Either.left(garbled(asked, reply));
  return Either.right(panes.flatMap((paneId, i) => paneOf(paneId, lines, parts[i] ?? "")));
};
