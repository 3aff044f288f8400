/**
 * NodeAwakeClock: core's `AwakeClock` from the monotonic clock of the kernel.
 *
 * `process.hrtime` is CLOCK_MONOTONIC on Linux, which a suspend stops. It is a clock that goes on
 * through a suspend on macOS (`mach_continuous_time`), and nowhere does it know of a SIGSTOP. So
 * the time is looked at once a second, and a gap of more than that is not counted as awake. The
 * layer owns the fiber that looks.
 */
import { AwakeClock, AwakeMillis } from "@troupe/core";
import { Duration, Effect, Layer, Schedule } from "effect";
import { AwakeCount } from "./AwakeCount.js";

const tickMs = 1_000;

/** What a busy machine may be late by, and the most that a suspend can add beyond the tick. */
const slackMs = 500;

const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Time awake of this process, from the moment that the layer is made. */
export const NodeAwakeClock: { readonly layer: Layer.Layer<AwakeClock> } = {
  /** The port; it counts until its scope closes. */
  layer: Layer.scoped(
    AwakeClock,
    Effect.gen(function* () {
      const count = new AwakeCount(monotonicMs(), tickMs + slackMs);
      const look = Effect.sync(() => AwakeMillis(count.look(monotonicMs())));
      const looks = Effect.repeat(look, Schedule.spaced(Duration.millis(tickMs)));
      yield* Effect.forkScoped(Effect.interruptible(looks));
      return AwakeClock.reading(look);
    }),
  ),
};
