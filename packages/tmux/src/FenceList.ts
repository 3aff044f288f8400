/**
 * FenceList: asking for the fence of a name, and how the answer is read.
 *
 * The server says who it is in front of it: a fence means something only there. A read, so it is
 * asked as an argv and raises nothing.
 */
import { type LookupFailed, type ServerId, type SessionName, sameServer } from "@troupe/core";
import { Either } from "effect";
import { fenceOption } from "./TmuxCommand.js";
import { type Asked, failureOf, isClean, linesOf } from "./TmuxFailure.js";
import type { TmuxReply } from "./TmuxTransport.js";

/** The argv. */
export const fenceList = (session: SessionName): ReadonlyArray<string> => {
  const option = fenceOption({ session, epoch: 0 });
  return ["display-message", "-p", `F #{pid} #{start_time} f=#{${option}}`];
};

const ROW = /^F ([0-9]+) ([0-9]+) f=([0-9]*)$/;

/** The fence, 0 where none was raised; `null` when this server is positively not there any more. */
export const readFence = (
  asked: Asked,
  server: ServerId,
  reply: TmuxReply,
): Either.Either<number | null, LookupFailed> => {
  const match = ROW.exec(linesOf(reply)[0] ?? "");
  if (match === null || !isClean(reply)) {
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? Either.right(null) : Either.left(failure);
  }
  const [, pid, startTime, fence = ""] = match;
  const answered = { pid: Number(pid), startTime: Number(startTime) };
  return Either.right(sameServer(answered, server) ? Number(fence) : null);
};
