/**
 * lease take-over: takes the lease of a session from its holder, when he runs nothing, or by force.
 *
 * The lease is taken at the next epoch and given back as the command ends: what the old holder
 * still asks for is refused, and the next program that runs a turn gets it. A turn is waited for
 * and never cut short but by force.
 */
import { holderSeen, SessionHandles } from "@troupe/core";
import { Clock, Effect, Option } from "effect";
import type { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withLeases } from "../Connection.js";
import { durationOf } from "../Duration.js";
import { withToldHolders } from "../LeaseFailure.js";
import { LeaseTakeOverResult } from "../LeaseResult.js";
import * as Options from "../Options.js";
import { withProgress } from "../Progress.js";
import { knownLease } from "./leaseShow.js";

const command = "lease take-over";

const WAIT_MS = 30_000;

interface Wish {
  readonly force: boolean;
  readonly waitMs: number;
}

const taken = (name: string, wish: Wish) =>
  Effect.gen(function* () {
    const { lease: before, session } = yield* knownLease(name, "take over the lease");
    const handles = yield* SessionHandles;
    const begun = yield* Clock.currentTimeMillis;
    const handle = yield* handles.takeOver(session, { surface: "troupe", ...wish });
    const waitedMs = (yield* Clock.currentTimeMillis) - begun;
    const vouch = Option.getOrNull(yield* handle.vouch);
    yield* handle.end("explicit_close");
    if (vouch === null) return yield* Effect.dieMessage("a takeover without a lease");
    return { session, epoch: vouch.epoch, before, waitedMs };
  });

const wishOf = (call: Call) =>
  Effect.map(durationOf(call, Options.settleTimeout, command), (waitMs = WAIT_MS) => ({
    waitMs,
    force: call.has(Options.forceLease),
  }));

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const name = call.args[0] ?? "";
    const wish = yield* wishOf(call);
    const done = yield* withToldHolders(taken(name, wish)).pipe(
      withProgress(`waiting for who holds ${JSON.stringify(name)}`),
      (work) => withLeases(call, work),
    );
    const { before, epoch, session } = done;
    const from = before === null ? "nobody held it" : `taken from ${holderSeen(before)}`;
    return yield* outcome(
      LeaseTakeOverResult,
      done,
      `${session}  ${from}, free at epoch ${epoch}\n`,
    );
  });

/** `troupe lease take-over` */
export const leaseTakeOver: CommandSpec = {
  name: command,
  alias: null,
  summary: "takes the lease of a session from its holder",
  about:
    "Takes the lease of NAME at the next epoch and gives it back: from then on whatever its old " +
    "holder asks for is refused as LEASE_LOST, and the next program that runs a turn gets it. A " +
    "holder that runs a turn is waited for until that has ended or he is proved dead, with the " +
    "child that runs it; when that is not in time, the exit code is 7 with his name, and nothing " +
    "was changed. A process that lives and runs nothing loses it at once. With --force nobody is " +
    "waited for: the turn is interrupted, also of a holder that stands still, and what he had " +
    "under way does nothing any more. The session itself is not touched.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [Options.settleTimeout, Options.forceLease],
  examples: [
    "troupe lease take-over build",
    "troupe lease take-over build --timeout 5m",
    "troupe lease take-over build --force",
  ],
  run,
};
