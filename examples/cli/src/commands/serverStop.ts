/**
 * server stop: ends the tmux server of this home, when it has no session.
 *
 * tmux itself checks that in the list that ends it, so a session that is made at the same moment
 * is never lost. That the server is there no more is looked at before this says so.
 */
import { Busy, Sessions } from "@troupe/core";
import { Effect } from "effect";
import type { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { ServerStopResult } from "../GcResult.js";
import { withProgress } from "../Progress.js";

const attempted = "stop the server";

/** Whose sessions keep it; `null` where they cannot be looked up, or have gone meanwhile. */
const holders = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const { server } = yield* Effect.orElseSucceed(sessions.serverStatus, () => ({ server: null }));
  const names = [...(server?.sessions ?? []), ...(server?.foreign ?? [])];
  return names.length === 0 ? null : names.join(", ");
});

const stop = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const server = yield* sessions.stopServer;
  if (server !== "kept") return server;
  return yield* new Busy({ session: null, attempted, holder: yield* holders, reason: "sessions" });
});

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const server = yield* stop.pipe(withProgress("stopping the server"), (work) =>
      withSessions(call, work),
    );
    const text = server === "stopped" ? "stopped\n" : "no server\n";
    return yield* outcome(ServerStopResult, { server }, text);
  });

/** `troupe server stop` */
export const serverStop: CommandSpec = {
  name: "server stop",
  alias: null,
  summary: "ends the tmux server when it is empty",
  about:
    "Ends the tmux server of this home when it has no session, neither of this home nor of " +
    "others; with one, the exit code is 7 and nothing was done. Done means that its process is " +
    "gone; when that could not be shown, the exit code is 6. No server is success.",
  args: { usage: "", least: 0, most: 0, tail: false },
  options: [],
  examples: ["troupe server stop"],
  run,
};
