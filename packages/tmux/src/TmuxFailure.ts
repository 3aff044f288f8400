/**
 * TmuxFailure: what an answer of tmux is worth; the one table of its texts and exit codes.
 *
 * tmux's messages are English under every locale (it never sets LC_MESSAGES), so they are matched
 * whole. Only two of them say that nothing listens at the socket. Whatever is not in the table is
 * `unclear`, which is never absence: an unknown text, an exit code without text, text beside an
 * exit code of 0.
 */
import { LookupFailed } from "@troupe/core";
import type { TmuxReply, TmuxRequest } from "./TmuxTransport.js";

/** Whose call it is, for errors. */
export type Asked = Pick<TmuxRequest, "session" | "attempted">;

/** The lines of a reply; every line of tmux ends in a newline. */
export const linesOf = (reply: TmuxReply): ReadonlyArray<string> =>
  reply.stdout.split("\n").slice(0, -1);

/** Whether tmux ended as it does when every command was run. */
export const isClean = (reply: TmuxReply): boolean => reply.exitCode === 0 && reply.stderr === "";

/** Why a run did not do what was asked. `no-server`: nothing listens at the socket. */
export type Verdict = "no-server" | LookupFailed["reason"];

const table: ReadonlyArray<readonly [RegExp, Verdict]> = [
  [/^no server running on /, "no-server"],
  [/^error connecting to .* \(No such file or directory\)$/, "no-server"],
  [/^error connecting to .* \(Connection refused\)$/, "no-server"],
  [/^error connecting to .* \(Permission denied\)$/, "permission"],
  [/^error creating .* \(Permission denied\)$/, "permission"],
  [/^access not allowed$/, "permission"],
  [/^error (connecting to|creating) .* \(.*\)$/, "bad-socket"],
  [/^protocol version mismatch /, "version-skew"],
  [/^(server exited unexpectedly|lost server)$/, "server-exited"],
];

/** The verdict on what stands on stderr; `unclear` for what the table does not have. */
export const verdict = (stderr: string): Verdict => {
  const lines = stderr.split("\n").filter((line) => line !== "");
  const [line = ""] = lines;
  if (lines.length !== 1)
    return lines.some((l) => /^server exited/.test(l)) ? "server-exited" : "unclear";
  return table.find(([pattern]) => pattern.test(line))?.[1] ?? "unclear";
};

const shown = (text: string): string =>
  text.length > 400 ? `${text.slice(0, 400)} (${text.length} characters)` : text;

/** The failure of a run whose answer cannot be believed. */
export const notBelieved = (
  request: Asked,
  reason: LookupFailed["reason"],
  detail: string,
): LookupFailed =>
  new LookupFailed({
    session: request.session,
    attempted: request.attempted,
    source: "tmux",
    reason,
    detail: shown(detail),
  });

/** What a reply without the line that was asked for means; a `no-server` is for the caller. */
export const failureOf = (request: Asked, reply: TmuxReply): LookupFailed | "no-server" => {
  const meaning = verdict(reply.stderr);
  if (meaning === "no-server") return reply.stdout === "" ? meaning : garbled(request, reply);
  const text = reply.stderr.trim();
  return notBelieved(
    request,
    meaning,
    text === "" ? `tmux ended with ${reply.exitCode} and did not say what was asked` : text,
  );
};

/** An answer in which a line has not the shape that was asked for. */
export const garbled = (request: Asked, reply: TmuxReply): LookupFailed =>
  notBelieved(
    request,
    "garbled",
    `exit ${reply.exitCode}, stdout ${JSON.stringify(reply.stdout.slice(0, 200))}, stderr ${JSON.stringify(reply.stderr.slice(0, 200))}`,
  );
