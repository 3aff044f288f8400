/**
 * CaptureList: the command list that reads a pane, and how its answer is read.
 *
 * Facts first: one line says which server and pane answers, and nothing is decided from a byte
 * behind it, which the program in the pane chose. A process gives no framing to forge, so all that
 * follows is the capture. The history is asked for, because the line "Pane is dead" may have
 * scrolled the first line of the screen into it.
 */
import { type LookupFailed, type ServerId, sameServer } from "@troupe/core";
import { Either } from "effect";
import { joined } from "./TmuxCommand.js";
import { type Asked, failureOf, garbled, isClean } from "./TmuxFailure.js";
import type { TmuxReply } from "./TmuxTransport.js";

const FACTS = /^T1 ([0-9]+) ([0-9]+) (%[0-9]+)?\n/;

/** The argv for the newest `lines` of history with the screen. */
export const captureList = (paneId: string, lines: number): ReadonlyArray<string> =>
  joined(
    ["display-message", "-p", "-t", paneId, "T1 #{pid} #{start_time} #{pane_id}"],
    ["capture-pane", "-p", "-J", "-S", `-${lines}`, "-t", paneId],
  );

const tail = (text: string, lines: number): string =>
  text.replace(/\s+$/, "").split("\n").slice(-lines).join("\n");

/** The text, or `null` when this server positively has no such pane. */
export const readCapture = (
  asked: Asked,
  pane: { readonly server: ServerId; readonly paneId: string },
  lines: number,
  reply: TmuxReply,
): Either.Either<string | null, LookupFailed> => {
  const facts = FACTS.exec(reply.stdout);
  if (facts === null) {
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? Either.right(null) : Either.left(failure);
  }
  const server = { pid: Number(facts[1]), startTime: Number(facts[2]) };
  const absent =
    reply.exitCode === 1 && /^(can't find pane: %[0-9]+|no current target)\n$/.test(reply.stderr);
  if (!sameServer(server, pane.server) || absent) return Either.right(null);
  if (!isClean(reply) || facts[3] !== pane.paneId) return Either.left(garbled(asked, reply));
  return Either.right(tail(reply.stdout.slice(facts[0].length), lines));
};
