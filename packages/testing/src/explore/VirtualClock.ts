/**
 * VirtualClock: time under the control of a test that runs on Effect's own scheduler.
 *
 * Everything below the layer sleeps on it. `advance` wakes what ends within the time, one sleep
 * after the other, and lets the fibers that were woken go on before the next. Not for code that
 * waits for the real world, and not needed inside an exploration, which has virtual time already.
 */
import { Context, Duration, Effect, Layer } from "effect";
import { VirtualTime } from "./VirtualTime.js";

/** Turns that everybody gets between two wakes; each hop from one fiber to another takes one. */
const turns = 100;

const settle = Effect.repeatN(Effect.yieldNow(), turns);

/** Lets this much time pass, waking whoever sleeps, in order, and letting them go on. */
export const advanceOf = (time: VirtualTime) => (duration: Duration.DurationInput) =>
  Effect.gen(function* () {
    const end = time.unsafeCurrentTimeMillis() + Duration.toMillis(duration);
    yield* settle;
    while (time.next !== null && time.next <= end) {
      time.wakeNext();
      yield* settle;
    }
    time.moveTo(end);
  });

/** The clock's controls. */
export class VirtualClock extends Context.Tag("@troupe/testing/VirtualClock")<
  VirtualClock,
  {
    /** Lets this much time pass, waking whoever sleeps, in order. */
    readonly advance: (duration: Duration.DurationInput) => Effect.Effect<void>;
    /** When the next sleep ends, in milliseconds since the layer was built; `null` if none does. */
    readonly next: Effect.Effect<number | null>;
  }
>() {
  /** A clock that begins at 0, for all that is built or run under the layer. */
  static readonly layer: Layer.Layer<VirtualClock> = Layer.unwrapEffect(
    Effect.sync(() => {
      const time = new VirtualTime();
      const next = Effect.sync(() => time.next);
      return Layer.merge(
        Layer.setClock(time),
        Layer.succeed(VirtualClock, { advance: advanceOf(time), next }),
      );
    }),
  );
}
