/**
 * IntroductionList: asking a session of ours what it was made as, and how its answer is read.
 *
 * The mark `@troupe-spec` is base64 of JSON, so neither the format nor the row can be broken by it.
 * The answer counts only with the server and the id that were meant in front of it.
 */
import type { Introduction, LookupFailed, SeenSession, ServerId } from "@troupe/core";
import { Either } from "effect";
import { type Asked, failureOf, garbled, isClean, linesOf } from "./TmuxFailure.js";
import type { TmuxReply } from "./TmuxTransport.js";

/** The argv. The fence's option bears the name that the session has in tmux. */
export const introductionList = ({ name, sessionId }: SeenSession): ReadonlyArray<string> => {
  const fence = /^[A-Za-z0-9_-]+$/.test(name) ? `#{@troupe-fence-${name}}` : "";
  const text = `I #{pid} #{start_time} #{session_id} f=${fence} s=#{@troupe-spec}`;
  return ["display-message", "-p", "-t", `${sessionId}:`, text];
};

const ROW = /^I ([0-9]+) ([0-9]+) (\$[0-9]+)? f=([0-9]*) s=([A-Za-z0-9+/=]*)$/;

/** What the session says; `null` when it, or its server, is positively not there any more. */
export const readIntroduction = (
  asked: Asked,
  session: SeenSession,
  server: ServerId,
  reply: TmuxReply,
): Either.Either<Introduction | null, LookupFailed> => {
  const match = ROW.exec(linesOf(reply)[0] ?? "");
  if (match === null || !isClean(reply)) {
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? Either.right(null) : Either.left(failure);
  }
  const [, pid, startTime, sessionId, fence = "", spec = ""] = match;
  const same = Number(pid) === server.pid && Number(startTime) === server.startTime;
  if (!same || sessionId !== session.sessionId) return Either.right(null);
  if (spec === "") return Either.left(garbled(asked, reply));
  return Either.right({ spec: Buffer.from(spec, "base64").toString("utf8"), fence: Number(fence) });
};
