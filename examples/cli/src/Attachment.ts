/**
 * Attachment: what is told of a client that has ended, and what one may know of its caller.
 *
 * How it ended is not in its exit code (0 when it was detached and when the session ended, 1 when
 * the server did), so tmux and the registry are asked once more.
 */
import {
  type AttachCommand,
  LookupFailed,
  MARK_VARIABLE,
  NotFound,
  ProcessTable,
  Sessions,
  TmuxRefused,
} from "@troupe/core";
import { Effect } from "effect";
import { Caller } from "./Caller.js";
import type { ClientEnd } from "./Handover.js";
import { unseen } from "./Unseen.js";

const attempted = "attach";

/** What tells a client of its terminal and its person; no `TMUX`, and no value of a program. */
const kept =
  /^(TERM|COLORTERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|TERMINFO|TERMINFO_DIRS|LANG|LANGUAGE|LC_[A-Z]+|TZ|HOME|PATH|SHELL|USER|LOGNAME)$/;

/** The environment of a client. */
export const clientEnvironment = (
  environment: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => new Map([...environment].filter(([name]) => kept.test(name)));

/** Where the caller is, as far as it can be known. */
export const callerPlace = Effect.gen(function* () {
  const { environment } = yield* Caller;
  const { LinuxProcessTable } = yield* Effect.promise(() => import("@troupe/node"));
  const own = yield* Effect.flatMap(ProcessTable, (table) => table.look(table.ownPid)).pipe(
    Effect.provide(LinuxProcessTable.layer),
    // Without /proc the environment is what there is.
    Effect.catchTag("LookupFailed", () => Effect.succeed(null)),
  );
  return {
    tmux: environment.get("TMUX"),
    pane: environment.get("TMUX_PANE"),
    incarnation: environment.get(MARK_VARIABLE),
    processSession: own?.processSession,
  };
});

/** What became of the client: whether the session is there still says it. */
export const outcomeOf = Effect.fnUntraced(function* (command: AttachCommand, end: ClientEnd) {
  const { how, record } = command;
  const { session } = record;
  const refused = end.code !== 0 && end.stderr !== "";
  if (how === "switch" && end.code === 0) return "switched" as const;
  const now = yield* Effect.flatMap(Sessions, (sessions) => sessions.get(session));
  const failure = unseen(now, attempted);
  const stays = now.seen.state === "present" && now.incarnation === record.incarnation;
  if (!refused && how === "attach") {
    if (failure !== null) return yield* failure;
    return stays ? ("detached" as const) : ("ended" as const);
  }
  // The server ended between the look and the client, or another session has the id.
  if (
    /^(can't find session: \$|no current target|no server running|error connecting)/.test(
      end.stderr,
    )
  ) {
    if (failure !== null) return yield* failure;
    const state = now.seen.state === "present" ? now.state : "lost";
    return yield* new NotFound({ session, attempted, state });
  }
  if (end.stderr === "" || end.code === null) {
    const detail = end.stderr || `tmux ended with ${end.code} and did not say why`;
    const source = "tmux";
    return yield* new LookupFailed({ session, attempted, source, reason: "unclear", detail });
  }
  return yield* new TmuxRefused({ session, attempted, detail: end.stderr });
});
