/**
 * AdoptList: asking a session that troupe did not make what it is, marking it as ours, and taking
 * the marks off again.
 *
 * It is marked only while no mark of any home is on it, checked inside tmux in the list that acts,
 * bound to fence, server and id. The mark that counts is set last, so a list that breaks off leaves
 * a stranger. Nothing that runs is changed. The paths and words are told a line each, and count
 * only when there are as many lines as were asked for.
 */
import {
  type AdoptSession,
  type DisownSession,
  type LookupFailed,
  MARK_VARIABLE,
  type Refusal,
  type SeenSession,
  type ServerId,
  type Stranger,
  sameServer,
} from "@troupe/core";
import { Either } from "effect";
import {
  both,
  fencePasses,
  joined,
  print,
  quote,
  sequence,
  serverIs,
  when,
} from "./TmuxCommand.js";
import { type Asked, failureOf, garbled, isClean, linesOf } from "./TmuxFailure.js";
import type { TmuxReply } from "./TmuxTransport.js";

const FACTS = "A #{pid} #{start_time} #{session_id} #{window_width} #{window_height}";

/** The argv that asks for the session's first pane. */
export const strangerList = (session: SeenSession): ReadonlyArray<string> => {
  const target = session.terminals[0]?.paneId ?? `${session.sessionId}:`;
  return joined(
    ...[FACTS, "P #{pane_start_path}", "C #{pane_start_command}"].map((text) => [
      ...["display-message", "-p", "-t", target, text],
    ]),
  );
};

/** What the session says; `null` when it, or its server, is positively not there any more. */
export const readStranger = (
  asked: Asked,
  session: SeenSession,
  server: ServerId,
  reply: TmuxReply,
): Either.Either<Stranger | null, LookupFailed> => {
  const [facts = "", path = "", command = "", ...rest] = linesOf(reply);
  const match = /^A ([0-9]+) ([0-9]+) (\$[0-9]+) ([0-9]+) ([0-9]+)$/.exec(facts);
  if (match === null) {
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? Either.right(null) : Either.left(failure);
  }
  const [pid = 0, startTime = 0] = match.slice(1, 3).map(Number);
  const same = sameServer({ pid, startTime }, server) && match[3] === session.sessionId;
  if (!same) return Either.right(null);
  const whole = path.startsWith("P ") && command.startsWith("C ") && rest.length === 0;
  if (!whole || !isClean(reply)) return Either.left(garbled(asked, reply));
  const [columns = 0, rows = 0] = match.slice(4).map(Number);
  return Either.right({ columns, rows, cwd: path.slice(2), command: command.slice(2) });
};

const ADOPTED = "ADOPTED";

const UNMARKED = `#{==:${["inc", "home", "gen", "spec"].map((m) => `#{@troupe-${m}}`).join("")},}`;

const marks = (request: AdoptSession): ReadonlyArray<string> => {
  const { mark, panes, sessionId, spec } = request;
  const set = (name: string, value: string | number) =>
    `set-option -t ${sessionId} @troupe-${name} ${value}`;
  return [
    ...panes.flatMap(({ paneId, terminal }) => [
      `set-option -w -t ${paneId} @troupe-term ${terminal}`,
      `set-option -p -t ${paneId} @troupe-owner ${mark.incarnation}`,
      `set-option -p -t ${paneId} @troupe-pane ${terminal}`,
      `set-option -w -t ${paneId} remain-on-exit on`,
    ]),
    // What is started in it from now on bears the mark, as in a session that troupe made.
    `set-environment -t ${sessionId} TROUPE_SESSION ${quote(request.session)}`,
    `set-environment -t ${sessionId} ${MARK_VARIABLE} ${mark.incarnation}`,
    `set-option -t ${sessionId} destroy-unattached off`,
    set("spec", Buffer.from(JSON.stringify(spec), "utf8").toString("base64")),
    set("gen", mark.generation),
    set("home", mark.home),
    set("inc", mark.incarnation),
  ];
};

/** The list, for `source-file -`. */
export const adoptList = (request: AdoptSession): string => {
  const { server, sessionId } = request;
  const fence = fencePasses(request);
  const same = both(serverIs(server), both(`#{==:#{session_id},${sessionId}}`, UNMARKED));
  const adopt = sequence(...marks(request), print(ADOPTED));
  return `${when(both(fence, same), adopt, print(`REFUSED ${fence}`), sessionId)}\n`;
};

/** What the answer says: done, refused, or could not be found out. */
const readDone = <Tag extends string>(
  asked: Asked,
  [word, tag]: readonly [string, Tag],
  detail: string,
  reply: TmuxReply,
): Either.Either<{ readonly _tag: Tag } | Refusal, LookupFailed> => {
  const lines = linesOf(reply);
  if (isClean(reply) && lines.length === 1) {
    if (lines[0] === word) return Either.right({ _tag: tag });
    if (lines[0] === "REFUSED 0") return Either.right({ _tag: "Stale" });
    if (lines[0] === "REFUSED 1") return Either.right({ _tag: "Elsewhere", detail });
  }
  const failure = failureOf(asked, reply);
  return failure === "no-server"
    ? Either.right({ _tag: "Elsewhere", detail: reply.stderr.trim() })
    : Either.left(failure);
};

/** What the answer to a marking says. */
export const readAdopted = ({ session }: AdoptSession, reply: TmuxReply) => {
  const detail = "it is not there any more, or carries a mark";
  return readDone({ session, attempted: "adopt" }, [ADOPTED, "Adopted"], detail, reply);
};

const DISOWNED = "DISOWNED";

/** The list that takes the marks off, for `source-file -`. The one that counts goes first. */
export const disownList = (request: DisownSession): string => {
  const { incarnation, panes, server, sessionId } = request;
  const fence = fencePasses(request);
  const ours = both(`#{==:#{session_id},${sessionId}}`, `#{==:#{@troupe-inc},${incarnation}}`);
  const disown = sequence(
    ...["inc", "home", "gen", "spec"].map((m) => `set-option -u -t ${sessionId} @troupe-${m}`),
    ...["TROUPE_SESSION", MARK_VARIABLE].map((v) => `set-environment -u -t ${sessionId} ${v}`),
    `set-option -u -t ${sessionId} destroy-unattached`,
    ...panes.flatMap((paneId) => [
      `set-option -w -u -t ${paneId} @troupe-term`,
      `set-option -w -u -t ${paneId} remain-on-exit`,
      ...["owner", "pane"].map((m) => `set-option -p -u -t ${paneId} @troupe-${m}`),
    ]),
    print(DISOWNED),
  );
  const same = both(serverIs(server), ours);
  return `${when(both(fence, same), disown, print(`REFUSED ${fence}`), sessionId)}\n`;
};

/** What the answer to that says. */
export const readDisowned = ({ session }: DisownSession, reply: TmuxReply) => {
  const detail = "it is not there any more, or does not carry this mark";
  return readDone({ session, attempted: "adopt" }, [DISOWNED, "Disowned"], detail, reply);
};
