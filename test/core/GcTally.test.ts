/**
 * GcTally: what is told of a gc: each thing once, behind it, of those that are known by then.
 */
import { describe, expect, it } from "@effect/vitest";
import type { GcProgress } from "@troupe/core";
import { Effect } from "effect";
import { GcTally } from "../../packages/core/src/GcTally.js";
import { withEnded } from "./EndedHome.js";
import { pass } from "./FakeHome.js";

const counted = () => {
  const told: Array<string> = [];
  const onProgress = ({ done, total }: GcProgress) =>
    Effect.sync(() => void told.push(`${done}/${total}`));
  return { told, onProgress };
};

describe("a tally", () => {
  it.effect("grows by what is due, and tells each behind what was done with it", () =>
    Effect.gen(function* () {
      const { onProgress, told } = counted();
      const tally = new GcTally(onProgress);
      const does = (name: string) => Effect.sync(() => void told.push(name));
      yield* tally.each(["a", "b"], does, false);
      yield* tally.each(["c"], does, true);
      expect(told).toEqual(["a", "1/2", "b", "2/2", "c", "3/3"]);
    }),
  );

  it.effect("does eight at once of what is independent, and else one", () =>
    Effect.gen(function* () {
      const tally = new GcTally(undefined);
      const most = Effect.fnUntraced(function* (independent: boolean) {
        let now = 0;
        let most = 0;
        const does = () =>
          Effect.acquireUseRelease(
            Effect.sync(() => {
              now += 1;
              most = Math.max(most, now);
            }),
            () => Effect.yieldNow(),
            () => Effect.sync(() => void now--),
          );
        yield* tally.each(Array.from({ length: 20 }), does, independent);
        return most;
      });
      expect([yield* most(true), yield* most(false)]).toEqual([8, 1]);
    }),
  );
});

describe("a gc", () => {
  it.scoped("tells of every name, what is left of it last, and of nothing in a dry run", () =>
    Effect.gen(function* () {
      const home = yield* withEnded(["a", "b"]);
      const { onProgress, told } = counted();
      yield* pass(home.sessions.gc({ olderThanMs: 0, dryRun: true, onProgress }));
      expect(told).toEqual([]);
      yield* home.tmux.exitProgram("runs", 0);
      yield* pass(home.sessions.gc({ olderThanMs: 0, exitedMs: 0, onProgress }));
      // One is repaired and deleted, three are forgotten, and so are their names.
      expect(told).toEqual(["1/1", "2/2", "3/5", "4/5", "5/5", "6/8", "7/8", "8/8"]);
    }),
  );
});
