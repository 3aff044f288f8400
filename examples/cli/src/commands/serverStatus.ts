/**
 * server status: the tmux server of this home, and whose sessions it has.
 *
 * It asks tmux once and changes nothing. No server is an answer and no failure; one that cannot be
 * asked, or that lives out of reach, is a failure and no answer.
 */
import { Sessions } from "@troupe/core";
import { unitsOf } from "@troupe/node";
import { Clock, Effect } from "effect";
import { ageText } from "../Age.js";
import type { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { thisMachine } from "../doctor/Machine.js";
import { ServerStatusResult } from "../GcResult.js";
import { locationOf } from "../Location.js";
import { withProgress } from "../Progress.js";
import { plainPaper, table } from "../Table.js";

const textOf = ({ detail, server, socket }: typeof ServerStatusResult.Type, now: number) => {
  const rows =
    server === null
      ? [["server", "none"]]
      : [
          ["server", `tmux ${server.version}, pid ${server.pid}`],
          ["started", `${ageText(server.startedAt, now)} ago`],
          ["sessions", server.sessions.join(", ") || "-"],
          ["foreign", server.foreign.join(", ") || "-"],
          ["unit", server.unit ?? "-"],
        ];
  const all = [...rows, ["socket", socket], ...(detail === null ? [] : [["tmux says", detail]])];
  return table(
    all.map((words) => words.map((text) => ({ text }))),
    plainPaper,
  );
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const { home, socket } = yield* locationOf(call);
    const { socketOf } = yield* Effect.promise(() => import("@troupe/node"));
    const { detail, server } = yield* Effect.flatMap(Sessions, (it) => it.serverStatus).pipe(
      withProgress("asking tmux"),
      (work) => withSessions(call, work),
    );
    const text = server === null ? null : thisMachine.text(`/proc/${server.pid}/cgroup`);
    const unit = unitsOf(text ?? "")[0] ?? null;
    const result = {
      socket: socket ?? socketOf(home),
      server: server === null ? null : { ...server, unit },
      detail,
    };
    return yield* outcome(
      ServerStatusResult,
      result,
      textOf(result, yield* Clock.currentTimeMillis),
    );
  });

/** `troupe server status` */
export const serverStatus: CommandSpec = {
  name: "server status",
  alias: null,
  summary: "the tmux server of this home",
  about:
    "Tells the pid of the tmux server of this home, its version, since when it runs, its socket, " +
    "its sessions of this home and of others, and the systemd unit that it lives in. " +
    "result.server is null when there is no server, which is no failure; one that could not be " +
    "asked, or that lives and does not answer at the socket, is exit code 5. Changes nothing " +
    "and makes nothing.",
  args: { usage: "", least: 0, most: 0, tail: false },
  options: [],
  examples: ["troupe server status", "troupe server status --json | jq .result.server.pid"],
  run,
};
