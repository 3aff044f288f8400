/**
 * Eviction: which writers of a program are let go because nobody used them, and why.
 *
 * A time without use beyond the bound, for one that is older than that, and more writers than may
 * be there: then those that were used longest ago, down to the bound. What is in use is never among
 * them, and whoever does it looks at that again. Pure.
 */
import type { AwakeMillis } from "./AwakeClock.js";
import type { EndReason } from "./EndReason.js";

/** A writer, as far as it matters. */
export interface Evictable {
  readonly openedAt: AwakeMillis;
  readonly usedAt: AwakeMillis;
  /** Whether nothing that is known speaks against it. */
  readonly isIdle: boolean;
}

/** The bounds. */
export interface EvictionBounds {
  /** 0: never. */
  readonly idleReleaseMs: number;
  /** `null`, and what is no whole number from 1 on: any number. */
  readonly liveWriters: number | null;
}

/** A writer that is to go. */
export interface Evicted<A> {
  readonly writer: A;
  readonly reason: Extract<EndReason, "idle_timeout" | "lru_evict">;
}

const isBound = (given: number | null): given is number =>
  given !== null && Number.isSafeInteger(given) && given > 0;

/** How many of so many writers are too many. */
export const tooMany = (
  count: number,
  { liveWriters }: Pick<EvictionBounds, "liveWriters">,
): number => (isBound(liveWriters) ? Math.max(0, count - liveWriters) : 0);

/** Those that go now, the one that was used longest ago first. */
export const evictedOf = <A extends Evictable>(
  writers: ReadonlyArray<A>,
  now: AwakeMillis,
  { idleReleaseMs, liveWriters }: EvictionBounds,
): ReadonlyArray<Evicted<A>> => {
  const idle = writers.filter(({ isIdle }) => isIdle).sort((a, b) => a.usedAt - b.usedAt);
  const isOver = ({ openedAt, usedAt }: Evictable) =>
    idleReleaseMs > 0 && now - usedAt > idleReleaseMs && now - openedAt > idleReleaseMs;
  const old = idle.filter(isOver);
  const most = tooMany(writers.length - old.length, { liveWriters });
  const others = idle.filter((writer) => !isOver(writer)).slice(0, most);
  return [
    ...old.map((writer) => ({ writer, reason: "idle_timeout" as const })),
    ...others.map((writer) => ({ writer, reason: "lru_evict" as const })),
  ];
};

/** When the first of them may be over at the earliest; `null` when none ever is. */
export const nextEviction = (
  writers: ReadonlyArray<Evictable>,
  { idleReleaseMs }: EvictionBounds,
): number | null => {
  if (idleReleaseMs <= 0 || writers.length === 0) return null;
  const uses = writers.map(({ openedAt, usedAt }) => Math.max(openedAt, usedAt));
  return Math.min(...uses) + idleReleaseMs + 1;
};
