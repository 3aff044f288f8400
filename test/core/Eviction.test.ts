/**
 * Which writers go: those that are old and unused, and those that are too many, oldest use first.
 */
import { AwakeMillis, type Evictable, evictedOf, nextEviction } from "@troupe/core";
import { FastCheck } from "effect";
import { describe, expect, it } from "vitest";

const hour = 3_600_000;
const bounds = { idleReleaseMs: 6 * hour, liveWriters: null };

interface Writer extends Evictable {
  readonly name: string;
}

const writer = (name: string, usedAt: number, more: Partial<Writer> = {}): Writer => ({
  name,
  openedAt: AwakeMillis(0),
  usedAt: AwakeMillis(usedAt),
  isIdle: true,
  ...more,
});

const gone = (
  writers: ReadonlyArray<Writer>,
  now: number,
  more: { readonly liveWriters?: number } = {},
) =>
  evictedOf(writers, AwakeMillis(now), { ...bounds, ...more }).map(
    ({ reason, writer: { name } }) => `${name} ${reason}`,
  );

describe("a writer", () => {
  it("goes when it is unused for more than 6 h, and older than that", () => {
    expect(gone([writer("a", 0)], 6 * hour)).toEqual([]);
    expect(gone([writer("a", 0)], 6 * hour + 1)).toEqual(["a idle_timeout"]);
    const young = writer("a", 0, { openedAt: AwakeMillis(1) });
    expect(gone([young], 6 * hour + 1)).toEqual([]);
    expect(gone([writer("a", 0, { isIdle: false })], 60 * hour)).toEqual([]);
    const off = { ...bounds, idleReleaseMs: 0 };
    expect(evictedOf([writer("a", 0)], AwakeMillis(60 * hour), off)).toEqual([]);
  });

  it("goes where too many are there, those unused longest first, down to the bound", () => {
    const five = [5, 3, 1, 4, 2].map((at) => writer(`w${at}`, at));
    expect(gone(five, 10, { liveWriters: 3 })).toEqual(["w1 lru_evict", "w2 lru_evict"]);
    const busy = five.map((each) => ({ ...each, isIdle: each.name !== "w1" }));
    expect(gone(busy, 10, { liveWriters: 3 })).toEqual(["w2 lru_evict", "w3 lru_evict"]);
    for (const none of [0, -1, 1.5, Number.NaN]) {
      expect(gone(five, 10, { liveWriters: none })).toEqual([]);
    }
  });
});

const writers = FastCheck.array(
  FastCheck.record({
    name: FastCheck.string({ maxLength: 1 }),
    openedAt: FastCheck.integer({ min: 0, max: 20 * hour }).map((at) => AwakeMillis(at)),
    usedAt: FastCheck.integer({ min: 0, max: 20 * hour }).map((at) => AwakeMillis(at)),
    isIdle: FastCheck.boolean(),
  }),
  { maxLength: 8 },
);

describe("whatever writers there are,", () => {
  it("none that is in use goes, and never more than what is over the bound or too old", () => {
    FastCheck.assert(
      FastCheck.property(writers, FastCheck.integer({ min: 1, max: 5 }), (all, liveWriters) => {
        const evicted = evictedOf(all, AwakeMillis(20 * hour), { ...bounds, liveWriters });
        const many = evicted.filter(({ reason }) => reason === "lru_evict").length;
        const isFair = evicted.every(({ writer: each }) => each.isIdle);
        return isFair && (many === 0 || all.length - evicted.length >= liveWriters);
      }),
      { seed: 3 },
    );
  });

  it("none is over before the moment that is told as the next", () => {
    FastCheck.assert(
      FastCheck.property(writers, FastCheck.integer({ min: 0, max: 40 * hour }), (all, now) => {
        const next = nextEviction(all, bounds);
        const isOver = evictedOf(all, AwakeMillis(now), bounds).length > 0;
        return next === null ? all.length === 0 : !isOver || now >= next;
      }),
      { seed: 4 },
    );
  });
});
