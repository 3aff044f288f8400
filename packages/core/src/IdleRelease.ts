/**
 * IdleRelease: writers that nobody uses are let go: their leases, readers and timers with them.
 *
 * Their sessions stay. One fiber sleeps until the first of them may be over; where too many are
 * there, those used longest ago go a moment behind the one that was too many, and its caller does
 * not wait for that; where too many are in use, they are looked at until they are not. What is in
 * use is not let go, nor what is not too many any more: it is looked at before, and in the very
 * step.
 */
import { Effect, type Scope } from "effect";
import { type AwakeClock, AwakeMillis } from "./AwakeClock.js";
import type { EndReason } from "./EndReason.js";
import {
  type Evictable,
  type Evicted,
  type EvictionBounds,
  evictedOf,
  nextEviction,
  tooMany,
} from "./Eviction.js";
import type { ActorId } from "./Lease.js";
import { forkOwned } from "./OwnedFiber.js";

/** A writer that can be let go. */
export interface IdleWriter extends Evictable {
  readonly actor: ActorId;
  /**
   * Looks whether it is idle, and ends it if it is, and if it is due in that step; whether it does.
   * The end is not waited for.
   */
  readonly evict: (reason: EndReason, isDue: () => boolean) => Effect.Effect<boolean>;
}

/** What is looked after, and by which bounds. */
export interface Releasing {
  readonly awake: AwakeClock["Type"];
  readonly bounds: EvictionBounds & { readonly idleLookMs: number; readonly evictDelayMs: number };
  readonly writers: () => ReadonlyArray<IdleWriter>;
  readonly scope: Scope.Scope;
}

/** One that was not used since is as old in the step as it was before. */
const evictAll = (evicted: ReadonlyArray<Evicted<IdleWriter>>): Effect.Effect<void> =>
  Effect.forEach(evicted, ({ reason, writer }) => writer.evict(reason, () => true), {
    discard: true,
  });

/** Lets go those that are over. A writer that is made meanwhile is not over before it wakes. */
const releaseOld = ({ awake, bounds, writers }: Releasing): Effect.Effect<void> =>
  Effect.gen(function* () {
    const now = yield* awake.now;
    const due = nextEviction(writers(), bounds) ?? now + bounds.idleReleaseMs + 1;
    // One that was in use at its time is looked at again, and not at once.
    yield* awake.sleepUntil(AwakeMillis(Math.max(due, now + bounds.idleLookMs)));
    yield* evictAll(evictedOf(writers(), yield* awake.now, { ...bounds, liveWriters: null }));
  }).pipe(Effect.forever);

/** Lets go those that are too many: one behind the other, and another for each that is in use. */
const releaseMost = ({ awake, bounds, writers }: Releasing): Effect.Effect<void> =>
  Effect.gen(function* () {
    const now = yield* awake.now;
    const inUse = new Set<ActorId>();
    const isDue = () => tooMany(writers().length, bounds) > 0;
    for (;;) {
      // Others come and end while one is looked at: each is chosen among those that are there then.
      const there = writers().map((writer) =>
        inUse.has(writer.actor) ? { ...writer, isIdle: false } : writer,
      );
      const [first] = evictedOf(there, now, { ...bounds, idleReleaseMs: 0 });
      if (first === undefined) return;
      const { reason, writer } = first;
      if (!(yield* writer.evict(reason, isDue))) inUse.add(writer.actor);
    }
  });

/** The same a moment later, and again as long as there are too many that are in use. */
const releaseMany = (releasing: Releasing, isTooMany: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { awake, bounds } = releasing;
    let waitMs = bounds.evictDelayMs;
    while (isTooMany()) {
      yield* awake.sleepUntil(AwakeMillis((yield* awake.now) + waitMs));
      yield* releaseMost(releasing);
      waitMs = Math.max(1, bounds.idleLookMs);
    }
  });

/** Begins to look after the writers; gives what is to be run behind each new one. */
export const idleRelease = (releasing: Releasing): Effect.Effect<Effect.Effect<void>> => {
  const { bounds, scope, writers } = releasing;
  const start = (effect: Effect.Effect<void>) => Effect.asVoid(forkOwned(scope, effect));
  let isUnderWay = false;
  const isTooMany = () => tooMany(writers().length, bounds) > 0;
  const opened = Effect.suspend(() => {
    if (isUnderWay || !isTooMany()) return Effect.void;
    isUnderWay = true;
    const over = Effect.sync(() => {
      isUnderWay = false;
    });
    return start(Effect.ensuring(releaseMany(releasing, isTooMany), over));
  });
  const begun = bounds.idleReleaseMs > 0 ? start(releaseOld(releasing)) : Effect.void;
  return Effect.as(begun, opened);
};
