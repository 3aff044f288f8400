/**
 * NoAnswer: what a client is left with when its server gives no answer.
 *
 * A client of a server that died says so and ends badly; one that heard nothing was ended at its
 * deadline, and nobody knows what tmux did.
 */
import { LookupFailed } from "@troupe/core";
import type { TmuxReply, TmuxRequest } from "@troupe/tmux";

/** The server died under the client. */
export const exited: TmuxReply = {
  exitCode: 1,
  stdout: "",
  stderr: "server exited unexpectedly\n",
};

/** The deadline of the run passed. */
export const timedOut = (request: TmuxRequest): LookupFailed =>
  new LookupFailed({
    session: request.session,
    attempted: request.attempted,
    source: "tmux",
    reason: "timeout",
    detail: `tmux did not answer within ${request.deadlineMs} ms`,
  });
