/**
 * lease show: who may run turns in a session, and whether he lives.
 *
 * A session that nobody leased is an answer; a name that is none is not found.
 */
import { Leases, parseSessionName, Sessions } from "@troupe/core";
import { Clock, Effect, Option } from "effect";
import { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withLeases } from "../Connection.js";
import { type LeaseInfo, LeaseShowResult, leaseInfo } from "../LeaseResult.js";
import { leaseText } from "../LeaseText.js";

/** The lease of the name; `null` where nobody holds one. Of a name that is none, `NotFound`. */
export const knownLease = (name: string, attempted: string) =>
  Effect.gen(function* () {
    const session = yield* parseSessionName(name, attempted);
    const leases = yield* Leases;
    const found = Option.getOrNull(yield* leases.current(session));
    if (found === null) yield* Effect.flatMap(Sessions, (sessions) => sessions.get(session));
    const lease: LeaseInfo | null = found === null ? null : leaseInfo(found);
    return { session, lease };
  });

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const { paper } = yield* Caller;
    const known = yield* withLeases(call, knownLease(call.args[0] ?? "", "show the lease"));
    const now = yield* Clock.currentTimeMillis;
    const { lease, session } = known;
    const text = lease === null ? `nobody holds ${session}\n` : leaseText(lease, paper, now);
    return yield* outcome(LeaseShowResult, known, text);
  });

/** `troupe lease show` */
export const leaseShow: CommandSpec = {
  name: "lease show",
  alias: null,
  summary: "who may run turns in a session",
  about:
    "Shows who holds the lease of NAME: the process and whether it lives (alive, dead, or " +
    "unknown, which counts as alive), what for, since when, and the turn that it said it runs. A " +
    "lease is claimed by programs that run turns in a session; create, send, delete and every " +
    "other command need none. Nobody is an answer, and exits with 0. Changes nothing.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [],
  examples: ["troupe lease show build", "troupe lease show build --json | jq .result.lease.pid"],
  run,
};
