/**
 * LeaseDeferral: a lease whose writer has ended while a turn of it may still write.
 *
 * It stays held, and refuses everybody, until there is proof that the turn can write no more: its
 * end is told, or the very processes that ran it are gone. Time is no proof: after a while it is
 * looked at again, and said once in the log. Awake time, so that a machine that slept lost nothing.
 * One fiber for each, of the service; behind the end of the program others find the proof.
 */
import { Deferred, Effect, Exit } from "effect";
import type { AwakeClock } from "./AwakeClock.js";
import { AwakeMillis } from "./AwakeClock.js";
import type { HeldLease } from "./HeldLeases.js";
import type { Settlement } from "./Lease.js";
import { aloneWith, type Releasing, releaseDue } from "./LeaseRelease.js";
import type { Unsettled } from "./Leases.js";
import type { ProcessTable } from "./ProcessTable.js";
import { stillThere } from "./TurnChild.js";

/** What is deferred, and for what. */
export interface Deferral {
  readonly held: HeldLease;
  readonly unsettled: Unsettled;
  /** Done with the first settlement of this turn that is told. */
  readonly told: Deferred.Deferred<Settlement>;
}

/** What it is waited with. */
export interface DeferralPorts extends Releasing {
  readonly awake: AwakeClock["Type"];
  readonly processes: ProcessTable["Type"];
  readonly recheckMs: number;
}

/** Proof that the children are gone; nothing while one lives, or cannot be looked at. */
const childrenGone = (
  ports: DeferralPorts,
  { unsettled }: Deferral,
): Effect.Effect<Settlement | null> =>
  Effect.gen(function* () {
    const { children, turn } = unsettled;
    const last = children.at(-1);
    if (last === undefined) return null;
    const left = yield* stillThere(ports, children);
    // Another may have been named during the look.
    if (left.length > 0 || unsettled.children !== children) return null;
    return { _tag: "ChildExited", turn, pid: last.pid };
  });

const recheck = ({ awake, recheckMs }: DeferralPorts): Effect.Effect<void> =>
  Effect.flatMap(awake.now, (now) => awake.sleepUntil(AwakeMillis(now + recheckMs)));

/** Waits for the proof, however long that takes. */
const settlementOf = (ports: DeferralPorts, deferral: Deferral): Effect.Effect<Settlement> =>
  Effect.gen(function* () {
    const { held, told, unsettled } = deferral;
    for (let looks = 0; ; looks++) {
      const isTold = Effect.as(Deferred.await(told), true);
      if (yield* Effect.raceFirst(isTold, Effect.as(recheck(ports), false))) {
        return yield* Deferred.await(told);
      }
      held.step({ _tag: "Overdue" });
      const gone = yield* childrenGone(ports, deferral);
      if (gone !== null) return gone;
      const text = `the lease of ${held.writer.session} waits for turn ${unsettled.turn}, which runs on`;
      if (looks === 0) yield* Effect.logWarning(text);
    }
  });

/** Waits for the proof and gives the lease back, again at each look until that succeeds. */
export const runDeferral = (ports: DeferralPorts, deferral: Deferral): Effect.Effect<void> =>
  Effect.gen(function* () {
    const settlement = yield* settlementOf(ports, deferral);
    const { held } = deferral;
    for (;;) {
      const settled = Effect.suspend(() =>
        held.step({ _tag: "Settled", settlement }) === "release"
          ? releaseDue(ports, held)
          : Effect.void,
      );
      const released = yield* Effect.exit(aloneWith(ports.locks, held)(settled));
      if (Exit.isSuccess(released)) return;
      yield* Effect.logWarning(
        `a lease of ${held.writer.session} was not released`,
        released.cause,
      );
      yield* recheck(ports);
    }
  });
