/**
 * Unseen: the failure beside a row whose `seen` is unknown.
 *
 * The library tells such a row as a value, because what the registry knows is known. For the
 * command line it is a failure all the same: who reads only the exit code must not take a row for
 * the whole truth.
 */
import { LookupFailed, type SessionView } from "@troupe/core";

/** That tmux could not tell of this session; `null` when it could. */
export const unseen = ({ seen, session }: SessionView, attempted: string): LookupFailed | null =>
  seen.state === "unknown"
    ? new LookupFailed({
        session,
        attempted,
        source: "tmux",
        reason: seen.reason ?? "unclear",
        detail: seen.detail ?? "it could not be asked",
      })
    : null;
