/**
 * TurnRun: one turn, from the door to its last write.
 *
 * Door, seat, lease, body, proof that it ended: in this order, each given back in the other. Only
 * waiting for the seat and the body itself can be interrupted. A turn that names a child process is
 * over when that is gone, whoever waits for it; until then the seat is taken, and counted.
 */
import { Cause, Deferred, Effect, Exit, Fiber, FiberId, type Scope } from "effect";
import type { AwakeClock } from "./AwakeClock.js";
import type { Ids } from "./Ids.js";
import { type Lease, TurnId } from "./Lease.js";
import { InterruptSettling, TurnInterrupted } from "./LeaseError.js";
import { leaseLost } from "./LeaseRows.js";
import type { Leases } from "./Leases.js";
import type { ProcessTable } from "./ProcessTable.js";
import type { Registry } from "./Registry.js";
import { Closing } from "./SessionError.js";
import type { SettingsShape } from "./Settings.js";
import { admitted } from "./TurnAdmission.js";
import { childGone } from "./TurnChild.js";
import type { TurnGate } from "./TurnGate.js";
import { handleOf, type TurnBody } from "./TurnHandle.js";
import { insideTurn, stopTurn } from "./TurnInterrupt.js";
import type { Dropped, RunningTurn, TurnSeat } from "./TurnSeat.js";
import type { TurnOptions, TurnRefused } from "./Turns.js";
import { untilLost } from "./TurnWatch.js";

/** What turns are run with; the scope is the service's. */
export interface TurnServices {
  readonly awake: AwakeClock["Type"];
  readonly gate: TurnGate;
  readonly leases: Leases["Type"];
  readonly registry: Registry["Type"];
  readonly processes: ProcessTable["Type"];
  readonly ids: Ids["Type"];
  readonly settings: Pick<SettingsShape, "turnSettleMs">;
  readonly scope: Scope.Scope;
}

/** A turn that was let in, with what is to be given back behind it. */
interface Admitted {
  readonly seat: TurnSeat;
  readonly lease: Lease;
  readonly turn: RunningTurn;
  readonly out: Effect.Effect<void>;
}

const attempted = "run a turn";

/** What the caller of an interrupted turn gets: what its cause means to him. */
const interruptedAs = ({ lease, seat, turn }: Admitted): TurnRefused | null => {
  const { session } = seat.writer;
  switch (turn.cause) {
    case null:
      return null;
    case "lease_lost":
    case "lease_takeover":
      return leaseLost([], lease, attempted);
    case "closing":
      return new Closing({ session, attempted });
    default:
      return new TurnInterrupted({ session, attempted, turn: turn.id, by: turn.cause });
  }
};

/** What becomes of the lease behind a turn; an end that is under way does that itself. */
const leaseBehind = ({ leases }: TurnServices, { lease, seat }: Admitted): Effect.Effect<void> => {
  if (lease._tag === "Borrowed" || seat.closing !== null || seat.isLost) return Effect.void;
  const done =
    seat.kind === "interactive"
      ? Effect.catchTag(leases.guarded(lease, { turn: null, child: null }), "LeaseLost", () =>
          Effect.sync(() => {
            seat.isLost = true;
          }),
        )
      : Effect.tap(leases.release(lease), () =>
          Effect.sync(() => {
            seat.lease = null;
          }),
        );
  return Effect.catchAllCause(done, (cause) =>
    Effect.logWarning(`behind a turn of ${lease.session} its lease was not written`, cause),
  );
};

/** Nothing of the turn can write any more: its lease, its seat and its place at the door go. */
const over = (services: TurnServices, admitted: Admitted): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { out, seat, turn } = admitted;
    yield* leaseBehind(services, admitted);
    seat.running = null;
    yield* Deferred.succeed(turn.settled, undefined);
    yield* services.leases.settle({ _tag: "TurnEnded", turn: turn.id });
    seat.leave();
    yield* out;
  });

/** Waits for the body, ends it with its caller, and then for the proof that it is over. */
const runBody = <A, E, R>(
  services: TurnServices,
  admitted: Admitted,
  body: TurnBody<A, E, R>,
  restore: <B, F, S>(effect: Effect.Effect<B, F, S>) => Effect.Effect<B, F, S>,
): Effect.Effect<A, E | TurnRefused, R> =>
  Effect.gen(function* () {
    const { lease, seat, turn } = admitted;
    seat.running = turn;
    const handle = handleOf(services, seat, turn, lease);
    const work = Effect.suspend(() => body(handle, lease));
    const fiber = yield* Effect.fork(insideTurn(turn.id)(restore(work)));
    turn.fiber = fiber;
    // Whoever interrupted it before there was a fiber has said so.
    if (turn.cause !== null) yield* Fiber.interruptFork(fiber);
    const lost = Effect.zipRight(
      untilLost(services.registry, lease),
      Effect.suspend(() => {
        seat.isLost = true;
        return stopTurn(services, seat, turn.id, "lease_lost");
      }),
    );
    const watch = yield* Effect.fork(Effect.interruptible(lost));
    const waited = yield* Effect.exit(restore(Fiber.await(fiber)));
    if (Exit.isFailure(waited)) yield* Fiber.interrupt(fiber);
    const exit = yield* Fiber.await(fiber);
    yield* Fiber.interrupt(watch);
    if (turn.child === null) yield* over(services, admitted);
    else {
      const end = Effect.zipRight(
        Effect.interruptible(childGone(services, turn)),
        over(services, admitted),
      );
      // Where the service closes first, nobody waits any more; a bug in the end is the caller's.
      const ending = yield* Effect.forkIn(end, services.scope);
      const ended = yield* Effect.exit(restore(Fiber.await(ending)));
      const behind = Exit.flatten(ended);
      if (Exit.isFailure(behind) && !Cause.isInterruptedOnly(behind.cause)) {
        return yield* Effect.failCause(behind.cause);
      }
    }
    const why = interruptedAs(admitted);
    if (why !== null && Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)) {
      return yield* why;
    }
    return yield* exit;
  });

/** Refuses what would come behind an interrupt that settles, unless it waits for that. */
const refuseSettling = (
  { running, writer }: TurnSeat,
  options: TurnOptions | undefined,
): Effect.Effect<void, InterruptSettling> => {
  const waits = options?.waitForSettle === true;
  if (waits || running === null || running.settlesBy === null) return Effect.void;
  const { id, settlesBy } = running;
  return new InterruptSettling({ session: writer.session, attempted, turn: id, settlesBy });
};

/** Runs the body as a turn of the writer. */
export const runTurn = <A, E, R>(
  services: TurnServices,
  seat: TurnSeat,
  body: TurnBody<A, E, R>,
  options?: TurnOptions,
): Effect.Effect<A, E | TurnRefused, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      yield* refuseSettling(seat, options);
      const out = yield* services.gate.enter(seat.writer.session);
      const dropped: () => Dropped | null = yield* Effect.onError(restore(seat.enter), () => out);
      const id = TurnId.make(yield* services.ids.incarnation);
      const away = Effect.zipRight(
        Effect.sync(() => seat.leave()),
        out,
      );
      const lease = yield* Effect.onError(admitted(services.leases, seat, id, dropped), () => away);
      const turn: RunningTurn = {
        id,
        lastActivity: yield* services.awake.now,
        fiber: null,
        cause: null,
        settlesBy: null,
        child: null,
        settled: Deferred.unsafeMake(FiberId.none),
      };
      return yield* runBody(services, { seat, lease, turn, out }, body, restore);
    }),
  );
