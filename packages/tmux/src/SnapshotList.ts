/**
 * SnapshotList: the command lists that read several panes at once, alone or behind a listing, and
 * how their answers are read.
 *
 * Each pane's text stands between lines with a word that nobody could know before, so that what a
 * program printed is never taken for such a line. A pane that is gone is left out; an answer that
 * does not end as it must is not believed at all.
 */
import { randomBytes } from "node:crypto";
import {
  type CapturedPane,
  type Listing,
  type LookupFailed,
  type ShowRequest,
  type SnapshotRequest,
  sameServer,
} from "@troupe/core";
import { Either } from "effect";
import { historyStart } from "./CaptureList.js";
import { LISTING_LINE, readListing } from "./ListingList.js";
import { HELLO, print } from "./TmuxCommand.js";
import { type Asked, failureOf, garbled, isClean } from "./TmuxFailure.js";
import { exitOf, parseHello } from "./TmuxFormat.js";
import type { TmuxReply } from "./TmuxTransport.js";

/** A word that no pane can show yet. */
export const freshNonce = (): string => randomBytes(16).toString("hex");

/** Lines for `source-file -`: each runs although the one before it failed. */
const showing = ({ lines, panes }: ShowRequest, nonce: string): string => {
  const exit = "d=#{pane_dead} c=#{pane_dead_status} s=#{pane_dead_signal}";
  const facts = `#{pane_id} #{history_size} ${exit}`;
  const ofPane = (paneId: string): ReadonlyArray<string> => [
    `display-message -p -t ${paneId} "${nonce} ${facts}"`,
    `capture-pane -p -J -S ${historyStart(lines)} -t ${paneId}`,
  ];
  return [...panes.flatMap(ofPane), print(`${nonce} END`), ""].join("\n");
};

/** The list that reads them and nothing else. */
export const snapshotList = (request: SnapshotRequest, nonce: string): string =>
  `${print(HELLO)}\n${showing(request, nonce)}`;

/** The list that reads them behind a listing. */
export const listShowingList = (request: ShowRequest, nonce: string): string =>
  `${LISTING_LINE}\n${showing(request, nonce)}`;

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

/** What stands behind the first of these words; `null` where not every pane was answered for. */
const readPanes = (
  { lines, panes }: ShowRequest,
  parts: ReadonlyArray<string>,
): ReadonlyArray<CapturedPane> | null => {
  const whole = parts.length === panes.length + 1 && parts.at(-1) === " END\n";
  return whole ? panes.flatMap((paneId, i) => paneOf(paneId, lines, parts[i] ?? "")) : null;
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
  const panes = readPanes(request, parts);
  return panes === null ? Either.left(garbled(asked, reply)) : Either.right(panes);
};

/**
 * The listing with every one of the panes; `null` where it is to be asked for alone: a pane is not
 * there, or there is no session at all, and then lines failed of which none may be believed.
 */
export const readListShowing = (
  asked: Asked,
  request: ShowRequest,
  nonce: string,
  reply: TmuxReply,
): Either.Either<Listing | null, LookupFailed> => {
  if (reply.stdout === "") return readListing(asked, reply);
  const [stdout = "", ...parts] = reply.stdout.split(nonce);
  const shown = readPanes(request, parts);
  if (!isClean(reply) || shown?.length !== request.panes.length) return Either.right(null);
  return Either.map(readListing(asked, { ...reply, stdout }), (listing) =>
    listing._tag === "Server" ? { ...listing, shown } : listing,
  );
};
