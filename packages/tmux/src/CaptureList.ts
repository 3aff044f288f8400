/**
 * CaptureList: the command list that reads a pane, and how its answer is read.
 *
 * Facts first: one line says which server and pane answers, and nothing is decided from a byte
 * behind it, which the program in the pane chose. A process gives no framing to forge, so all that
 * follows is the capture. The history is asked for, because the line "Pane is dead" may have
 * scrolled the first line of the screen into it.
 */
import {
  type CaptureRequest,
  type LookupFailed,
  type PaneText,
  type ServerId,
  sameServer,
} from "@troupe/core";
import { Either } from "effect";
import { joined } from "./TmuxCommand.js";
import { type Asked, failureOf, garbled, isClean } from "./TmuxFailure.js";
import type { TmuxReply } from "./TmuxTransport.js";

const FACTS = /^T1 ([0-9]+) ([0-9]+) (%[0-9]+)? ([0-9]*) ([0-9]*)\n/;

const HISTORY = "#{history_size} #{history_limit}";

/** The farthest up that tmux can be told; beyond it silently shows the screen alone (3.3a). */
const FARTHEST = 2 ** 31 - 1;

/** Where so many lines of history begin, for `capture-pane -S`; `null` is all of them. */
export const historyStart = (lines: number | null): string =>
  lines === null ? "-" : `-${Math.min(lines, FARTHEST)}`;

/** The argv for the lines of history with the screen. */
export const captureList = (paneId: string, how: CaptureRequest): ReadonlyArray<string> => {
  const { ansi, join, lines } = how;
  const flags = [...(join ? ["-J"] : []), ...(ansi ? ["-e"] : [])];
  return joined(
    ["display-message", "-p", "-t", paneId, `T1 #{pid} #{start_time} #{pane_id} ${HISTORY}`],
    ["capture-pane", "-p", ...flags, "-S", historyStart(lines), "-t", paneId],
  );
};

/** The newest lines of the text; tmux itself may keep more above it, or have dropped some. */
const tail = (
  text: string,
  { join, lines }: Pick<CaptureRequest, "join" | "lines">,
  size: number,
  limit: number,
): PaneText => {
  const all = text.trimEnd().split("\n");
  const dropped = size >= limit - Math.floor(limit / 10);
  if (lines === null) return { text: all.join("\n"), truncated: dropped, first: 1 };
  const told = lines === 0 ? [] : all.slice(-lines);
  const unread = Math.max(0, size - lines);
  const truncated = dropped || unread > 0 || told.length < all.length;
  // Rows that were not read may be fewer lines, where lines are joined.
  const above = join && unread > 0 ? null : unread + all.length - told.length;
  const first = above === null || told.length === 0 ? null : above + 1;
  return { text: told.join("\n"), truncated, first };
};

/** What the pane shows, or `null` when this server positively has no such pane. */
export const readCapture = (
  asked: Asked,
  pane: { readonly server: ServerId; readonly paneId: string },
  { join, lines }: Pick<CaptureRequest, "join" | "lines">,
  reply: TmuxReply,
): Either.Either<PaneText | null, LookupFailed> => {
  const facts = FACTS.exec(reply.stdout);
  if (facts === null) {
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? Either.right(null) : Either.left(failure);
  }
  const [whole, pid, startTime, paneId, size, limit] = facts;
  const server = { pid: Number(pid), startTime: Number(startTime) };
  const absent =
    reply.exitCode === 1 && /^(can't find pane: %[0-9]+|no current target)\n$/.test(reply.stderr);
  if (!sameServer(server, pane.server) || absent) return Either.right(null);
  if (!isClean(reply) || paneId !== pane.paneId) return Either.left(garbled(asked, reply));
  const text = reply.stdout.slice(whole.length);
  return Either.right(tail(text, { join, lines }, Number(size), Number(limit)));
};
