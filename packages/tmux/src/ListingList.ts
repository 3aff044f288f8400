/**
 * ListingList: the command list that lists everything, with and without a fence before it.
 *
 * One uninterrupted list, so sessions and panes are of the same moment. A server without sessions
 * fails `list-panes -a` with `no current target`, which together with the greeting and no row is
 * the positive answer "none". Rows are counted: the end tells how many sessions there are, each
 * session its windows, each pane the panes of its window, so that a row that was lost is missed.
 */
import type { Fence, Listing, LookupFailed } from "@troupe/core";
import { Either } from "effect";
import {
  COUNTED_END,
  endsWith,
  fenceOption,
  HELLO,
  joined,
  print,
  sequence,
  when,
} from "./TmuxCommand.js";
import { type Asked, failureOf, garbled, isClean, linesOf } from "./TmuxFailure.js";
import { PANE_ROW, parseHello, parseListing, SESSION_ROW } from "./TmuxFormat.js";
import type { TmuxReply } from "./TmuxTransport.js";

/** The listing as an argv. */
export const LISTING: ReadonlyArray<string> = joined(
  ["display-message", "-p", HELLO],
  ["list-sessions", "-F", SESSION_ROW],
  ["list-panes", "-a", "-F", PANE_ROW],
  ["display-message", "-p", COUNTED_END],
);

/** The listing as a line of `source-file -`. */
export const LISTING_LINE = sequence(
  print(HELLO),
  `list-sessions -F "${SESSION_ROW}"`,
  `list-panes -a -F "${PANE_ROW}"`,
  print(COUNTED_END),
);

/** Raises the fence, never lowers it, then lists; for `source-file -`. */
export const fencedListing = (fence: Fence): string => {
  const option = fenceOption(fence);
  const below = `#{e|<:#{${option}},${fence.epoch}}`;
  const raise = when(below, `set-option -s ${option} ${fence.epoch}`, null, null);
  return `${raise}\n${LISTING_LINE}\n`;
};

/** Whether exactly a server without sessions answers like this. */
const isEmpty = (reply: TmuxReply, lines: ReadonlyArray<string>): boolean =>
  lines.length === 1 && reply.exitCode === 1 && reply.stderr === "no current target\n";

/** What the answer says: everything, no server at the socket, or could not be found out. */
export const readListing = (
  asked: Asked,
  reply: TmuxReply,
): Either.Either<Listing, LookupFailed> => {
  const lines = linesOf(reply);
  const hello = parseHello(lines[0]);
  if (hello === null) {
    const failure = failureOf(asked, reply);
    if (failure !== "no-server") return Either.left(failure);
    return Either.right({ _tag: "NoServer", detail: reply.stderr.trim() });
  }
  if (isEmpty(reply, lines)) return Either.right({ _tag: "Server", ...hello, sessions: [] });
  const listed = isClean(reply) ? parseListing(lines.slice(1, -1)) : null;
  // A server without sessions answers otherwise, so none here means that rows are missing.
  const complete = listed !== null && listed.rows > 0;
  if (!complete || !endsWith(lines.at(-1), listed.rows)) {
    return Either.left(garbled(asked, reply));
  }
  return Either.right({ _tag: "Server", ...hello, sessions: listed.sessions });
};
