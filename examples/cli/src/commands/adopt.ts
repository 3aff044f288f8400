/**
 * adopt: takes a session under management that troupe did not make.
 *
 * What runs in it is not touched. It is asked for by name and never happens by itself.
 */
import { Sessions } from "@troupe/core";
import { Effect } from "effect";
import { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { withNear } from "../Near.js";
import { withProgress } from "../Progress.js";
import { SessionDetails } from "../Results.js";
import { sessionDetails, sessionTable } from "../SessionText.js";

/** What could be adopted. */
const strangers = Effect.flatMap(Sessions, (sessions) =>
  Effect.map(sessions.serverStatus, ({ server }) => server?.foreign ?? []),
);

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const { paper } = yield* Caller;
    const session = call.args[0] ?? "";
    const view = yield* Effect.flatMap(Sessions, (sessions) => sessions.adopt(session)).pipe(
      withNear(strangers),
      withProgress(`adopting ${JSON.stringify(session)}`),
      (work) => withSessions(call, work),
    );
    const details = sessionDetails(view);
    return yield* outcome(SessionDetails, details, sessionTable([details], paper));
  });

/** `troupe adopt` */
export const adopt: CommandSpec = {
  name: "adopt",
  alias: null,
  summary: "takes a session of somebody else under management",
  about:
    "Marks the session of this name in the tmux server of the home as troupe's own and records " +
    "it; its panes become terminals, and what runs in them is not touched. A session that " +
    "carries the mark of another home is refused with exit code 4, and so is one that is " +
    "troupe's already.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [],
  examples: ["troupe adopt scratch"],
  run,
};
