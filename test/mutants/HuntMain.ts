/**
 * HuntMain: a program that goes through every second world, or as its two arguments say, until one
 * of them fails, and prints that one as a line of JSON.
 *
 * In rounds: some schedules of each, then more of each, then all that there are. Where an edit is
 * noticed at all it mostly is in the first schedules of some world, and those of all are soon done.
 * What is drawn comes first and whole: no schedule of it is like another.
 */
import { Explore } from "@troupe/testing";
import { namedWorlds } from "../explore/NamedWorlds.js";

const [part = 0, parts = 1] = process.argv.slice(2).map(Number);

/** How many schedules of a world are explored in a round; behind the last are all of them. */
const rounds: ReadonlyArray<number | null> = [4, 30, null];

const mine = namedWorlds
  .filter((_, at) => at % parts === part)
  .sort((a, b) => Number(b.isDrawn ?? false) - Number(a.isDrawn ?? false));

const firstFailure = () => {
  for (const [round, some] of rounds.entries()) {
    for (const { cost, isDrawn, world } of mine) {
      if (isDrawn && round > 0) continue;
      const most = isDrawn ? null : some;
      const bound = most === null ? {} : { maxSchedules: most };
      const since = performance.now();
      const { failure, schedules } = Explore.explore(world, { cost, ...bound });
      // What was not reached in some of them says nothing.
      if (failure === null || (most !== null && failure.kind === "unreached")) continue;
      return { world: world.name, failure, schedules, ms: performance.now() - since };
    }
  }
  return null;
};

console.log(JSON.stringify(firstFailure()));
