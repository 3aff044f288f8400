/**
 * list: every session of this home, with what tmux says of it now.
 *
 * One query and one listing, however many sessions. When tmux cannot be asked the rows are told
 * all the same, and the failure beside them: a row is never left out because of it. A home that
 * does not exist is an empty list and stays absent.
 */
import { RegistryCorrupt, type SessionList, SessionState, Sessions } from "@troupe/core";
import { Effect, Schema } from "effect";
import { Caller } from "../Caller.js";
import type { CommandFailure, Usage } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { mistyped } from "../Near.js";
import * as Options from "../Options.js";
import { withProgress } from "../Progress.js";
import { ListResult } from "../Results.js";
import { sessionRow, sessionTable } from "../SessionText.js";
import type { Paper } from "../Table.js";
import { unseen } from "../Unseen.js";

const command = "list";
const isState = Schema.is(SessionState);

/** The states that were asked for; empty when all are right. */
const statesOf = (call: Call): Effect.Effect<ReadonlySet<SessionState>, Usage> => {
  const words = call.all(Options.state);
  const word = words.find((one) => !isState(one));
  if (word === undefined) return Effect.succeed(new Set(words.filter(isState)));
  const known = SessionState.literals;
  const reason = `--state wants one of ${known.join(", ")}`;
  return Effect.flatMap(mistyped({ command, reason, word, known }), Effect.fail);
};

/** Why the list is not the whole truth, when it is not. */
const failureOf = ({ sessions, unasked, unreadable }: SessionList): CommandFailure | null => {
  if (unasked !== null) return unasked;
  const [corrupt] = unreadable;
  if (corrupt !== undefined) return new RegistryCorrupt({ ...corrupt, attempted: command });
  return sessions.map((view) => unseen(view, command)).find((failure) => failure !== null) ?? null;
};

const textOf = ({ sessions, unreadable }: typeof ListResult.Type, paper: Paper): string => {
  const lost = unreadable.map(({ detail, session }) => `unreadable: ${session}: ${detail}\n`);
  return (sessions.length === 0 ? "no sessions\n" : sessionTable(sessions, paper)) + lost.join("");
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const states = yield* statesOf(call);
    const { paper } = yield* Caller;
    const all = call.has(Options.allStates) || states.has("deleted") || states.has("failed");
    const listed = yield* Effect.flatMap(Sessions, (sessions) =>
      sessions.list({ all, early: true }),
    ).pipe(withProgress("asking tmux"), (work) => withSessions(call, work));
    const wanted = listed.sessions.filter(({ state }) => states.size === 0 || states.has(state));
    const result = { sessions: wanted.map(sessionRow), unreadable: listed.unreadable };
    return yield* outcome(ListResult, result, () => textOf(result, paper), failureOf(listed));
  });

/** `troupe list` */
export const list: CommandSpec = {
  name: command,
  alias: "ls",
  summary: "the sessions of this home",
  about:
    "Lists every session but those that are deleted or failed. STATE is what the registry knows, " +
    "SEEN what tmux says just now: present, absent or unknown; PROGRAM is what tmux shows of a " +
    "session that is present, and else what was recorded. When tmux could not be asked, the rows " +
    "are shown with SEEN unknown and the exit code is 5. Changes nothing and makes nothing.",
  args: { usage: "", least: 0, most: 0, tail: false },
  options: [Options.allStates, Options.state],
  examples: ["troupe list", "troupe list --state lost --state exited --json"],
  run,
};
