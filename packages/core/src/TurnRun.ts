/**
 * TurnRun: one turn, from the door to its last write.
 *
 * Door, seat, lease, body, proof that it ended: in this order, each given back in the other. Only
 * waiting for the seat and the body itself can be interrupted. A turn that names a child process is
 * over when that is gone, whoever waits for it; until then the seat is taken, and counted.
 */
import { Cause, Deferred, Effect, Exit, Fiber, FiberId, Option, type Scope } from "effect";
import type { AwakeClock } from "./AwakeClock.js";
import type { Ids } from "./Ids.js";
import { TurnId } from "./Lease.js";
import { InterruptSettling, TurnInterrupted } from "./LeaseError.js";
import type { Leases } from "./Leases.js";
import type { ProcessTable } from "./ProcessTable.js";
import type { Registry } from "./Registry.js";
import { Closing } from "./SessionError.js";
import type { SettingsShape } from "./Settings.js";
import { admitted } from "./TurnAdmission.js";
import { childrenGone } from "./TurnChild.js";
import type { TurnGate } from "./TurnGate.js";
import { handleOf, type TurnBody } from "./TurnHandle.js";
import { type InsideTurn, insideTurn } from "./TurnInside.js";
import { stopTurn } from "./TurnInterrupt.js";
import { leaseBehind } from "./TurnLease.js";
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
interface Admitted extends InsideTurn {
  readonly seat: TurnSeat;
  readonly out: Effect.Effect<void>;
}

const attempted = "run a turn";

/** What the caller of an interrupted turn gets: what its cause means to him. */
const interruptedAs = (
  { leases }: TurnServices,
  { lease, seat, turn }: Admitted,
): Effect.Effect<TurnRefused | null> => {
  const { session } = seat.writer;
  switch (turn.cause) {
    case null:
      return Effect.succeed(null);
    case "lease_lost":
    case "lease_takeover":
      return leases.lost(lease, attempted);
    case "closing":
      return Effect.succeed(new Closing({ session, attempted }));
    default: {
      const told = { session, attempted, turn: turn.id, by: turn.cause };
      return Effect.succeed(new TurnInterrupted(told));
    }
  }
};

/** Nothing of the turn can write any more: its lease, its seat and its place at the door go. */
const over = (services: TurnServices, admitted: Admitted): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { out, seat, turn } = admitted;
    yield* leaseBehind(services, seat, admitted);
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
    const handle = handleOf(services, seat, turn, lease);
    const work = Effect.suspend(() => {
      turn.fiber = Option.getOrNull(Fiber.getCurrentFiber());
      // Who was interrupted before there was anything to interrupt does not begin.
      return turn.cause === null ? restore(body(handle, lease)) : Effect.interrupt;
    });
    const fiber = yield* Effect.fork(insideTurn(admitted)(work));
    const lost = Effect.zipRight(
      untilLost(services, admitted),
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
    if (turn.children.length === 0) {
      turn.isOver = true;
      yield* over(services, admitted);
    } else {
      const end = Effect.zipRight(
        Effect.interruptible(childrenGone(services, turn)),
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
    if (Exit.isSuccess(exit) || !Cause.isInterruptedOnly(exit.cause)) return yield* exit;
    const why = yield* interruptedAs(services, admitted);
    return yield* why ?? exit;
  });

/**
 * Refuses what would come behind an interrupt that settles, unless it waits for that, or the time
 * for that is over: then it is a turn that runs on, as any other.
 */
const refuseSettling = (
  { awake }: TurnServices,
  { running, writer }: TurnSeat,
  options: TurnOptions | undefined,
): Effect.Effect<void, InterruptSettling> =>
  Effect.flatMap(awake.now, (now) => {
    const waits = options?.waitForSettle === true;
    const settlesBy = running?.settlesBy ?? null;
    if (waits || running === null || settlesBy === null || now >= settlesBy) return Effect.void;
    return new InterruptSettling({
      session: writer.session,
      attempted,
      turn: running.id,
      settlesBy,
    });
  });

/** Nobody waits for himself: a turn whose own fiber asks for the next one would, for ever. */
const refuseItself = ({ running, writer }: TurnSeat): Effect.Effect<void> => {
  const own = running?.fiber ?? null;
  return own !== null && own === Option.getOrNull(Fiber.getCurrentFiber())
    ? Effect.dieMessage(`a turn of ${writer.session} waits for a turn behind itself`)
    : Effect.void;
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
      yield* Effect.suspend(() => refuseItself(seat));
      yield* refuseSettling(services, seat, options);
      const out = yield* services.gate.enter(seat.writer.session);
      const dropped: () => Dropped | null = yield* Effect.onError(restore(seat.enter), () => out);
      const away = Effect.zipRight(
        Effect.sync(() => seat.leave()),
        out,
      );
      const startedAt = yield* services.awake.now;
      const turn: RunningTurn = {
        id: TurnId.make(yield* services.ids.incarnation),
        startedAt,
        lastActivity: startedAt,
        fiber: null,
        cause: null,
        settlesBy: null,
        children: [],
        isOver: false,
        settled: Deferred.unsafeMake(FiberId.none),
      };
      const lease = yield* Effect.onError(
        admitted(services.leases, seat, turn, dropped),
        () => away,
      );
      return yield* runBody(services, { seat, lease, turn, out, deletes: 0 }, body, restore);
    }),
  );
