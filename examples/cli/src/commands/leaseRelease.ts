/**
 * lease release: frees a session of the lease of a program that is dead, or by force of any.
 *
 * That a holder is dead is proved as for claims; a doubt leaves it. By force the lease is taken
 * over first, so that nothing which the holder still asks for comes through.
 */
import { holderSeen, Leases, SessionHandles, type SessionName } from "@troupe/core";
import { Effect } from "effect";
import type { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withLeases } from "../Connection.js";
import { withToldHolders } from "../LeaseFailure.js";
import { type LeaseInfo, LeaseReleaseResult } from "../LeaseResult.js";
import * as Options from "../Options.js";
import { withProgress } from "../Progress.js";
import { knownLease } from "./leaseShow.js";

const attempted = "release the lease";

/** Takes it from whoever holds it, and gives it back. */
const overtaken = (session: SessionName) =>
  Effect.gen(function* () {
    const handles = yield* SessionHandles;
    const handle = yield* handles.takeOver(session, { surface: "troupe", force: true });
    yield* handle.end("explicit_close");
    return true;
  });

const released = (call: Call) =>
  Effect.gen(function* () {
    const { lease: before, session } = yield* knownLease(call.args[0] ?? "", attempted);
    const leases = yield* Leases;
    if (before === null) return { session, before, released: false };
    const done = call.has(Options.forceLease) ? overtaken(session) : leases.clear(session);
    return { session, before, released: yield* done };
  });

const textOf = (session: string, before: LeaseInfo | null, isReleased: boolean): string =>
  before !== null && isReleased
    ? `${session}  released, held by ${holderSeen(before)}\n`
    : `${session}  nobody holds it\n`;

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const done = yield* withToldHolders(released(call)).pipe(withProgress(attempted), (work) =>
      withLeases(call, work),
    );
    const text = textOf(done.session, done.before, done.released);
    return yield* outcome(LeaseReleaseResult, done, text);
  });

/** `troupe lease release` */
export const leaseRelease: CommandSpec = {
  name: "lease release",
  alias: null,
  summary: "frees a session of a dead holder's lease",
  about:
    "Removes the lease of NAME when its holder is proved dead: its process, and the child that " +
    "runs its turn if it named one. A holder that lives, or may, keeps it: exit code 7, with " +
    "his name. With --force the lease is removed whoever holds it: a turn of his is " +
    "interrupted, and whatever he asks for from then on is refused as LEASE_LOST. Nobody holds " +
    "it then, and the next program that runs a turn gets it. The session itself is not touched. " +
    "No lease is success.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [Options.forceLease],
  examples: ["troupe lease release build", "troupe lease release build --force"],
  run,
};
