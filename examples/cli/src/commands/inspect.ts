/**
 * inspect: everything that is known of one session.
 *
 * Names of environment values and never values. When tmux cannot be asked, what the registry knows
 * is told all the same, and the failure beside it.
 */
import { type KeptSnapshot, Leases, Sessions } from "@troupe/core";
import { Effect, Option } from "effect";
import { ageText } from "../Age.js";
import { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withLeases } from "../Connection.js";
import { leaseInfo } from "../LeaseResult.js";
import { withProgress } from "../Progress.js";
import { InspectResult } from "../Results.js";
import { sessionDetails, sessionText } from "../SessionText.js";
import { plainPaper, table } from "../Table.js";
import { unseen } from "../Unseen.js";

/** The session, who leased it, and what was kept of the name; `null` where nobody could tell. */
const known = (session: string) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    const view = yield* sessions.get(session);
    const kept = yield* sessions
      .snapshots(session)
      .pipe(
        Effect.catchTag("LookupFailed", (failure) =>
          Effect.as(Effect.logWarning("snapshots could not be looked up", failure.message), null),
        ),
      );
    const leases = yield* Leases;
    const held = Option.getOrNull(yield* leases.current(view.session));
    return { view, kept, lease: held === null ? null : leaseInfo(held) };
  });

const heads = ["SNAPSHOT", "GENERATION", "AGE", "PLACE"];

/** A place is told whole: it is there to be opened. */
const snapshotText = (kept: ReadonlyArray<KeptSnapshot> | null, now: number): string => {
  if (kept === null || kept.length === 0) return "";
  const rows = kept.map(({ at, generation, place, terminal }) => [
    ...[terminal, String(generation), ageText(at, now), place],
  ]);
  const cells = [heads, ...rows].map((words) => words.map((text) => ({ text })));
  return `\n${table(cells, plainPaper)}`;
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const { paper } = yield* Caller;
    const session = call.args[0] ?? "";
    const { kept, lease, view } = yield* known(session).pipe(withProgress("asking tmux"), (work) =>
      withLeases(call, work),
    );
    const details = sessionDetails(view);
    const text = sessionText(details, lease, paper) + snapshotText(kept, details.seen.at);
    const result = { ...details, lease, snapshots: kept };
    return yield* outcome(InspectResult, result, text, unseen(view, "inspect"));
  });

/** `troupe inspect` */
export const inspect: CommandSpec = {
  name: "inspect",
  alias: null,
  summary: "everything known of one session",
  about:
    "Shows state and what tmux says just now, the program and how it ended, terminals with their " +
    "pids, snapshots of deleted ones, names of environment values (never values), generation, incarnation, claim and lease. A " +
    "session that ended is shown too. Changes nothing.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [],
  examples: ["troupe inspect build", "troupe inspect build --json | jq .result.state"],
  run,
};
