/**
 * WorldMain: a program that exhausts named worlds, cheapest schedules first, and prints one line of
 * JSON for each: what `npm run mutants` runs in a copy.
 *
 * Its argument is JSON: names, each with how many schedules are enough, or `null` for all. What was
 * not reached in some of them says nothing.
 */
import { Explore } from "@troupe/testing";
import { namedWorlds } from "../explore/NamedWorlds.js";

const asked: ReadonlyMap<string, number | null> = new Map(JSON.parse(process.argv.at(-1) ?? "[]"));

for (const { cost, world } of namedWorlds) {
  const most = asked.get(world.name);
  if (most === undefined) continue;
  const bound = most === null ? {} : { maxSchedules: most };
  const { failure, schedules } = Explore.explore(world, { cost, ...bound });
  const isCut = most !== null && failure?.kind === "unreached";
  console.log(JSON.stringify({ world: world.name, failure: isCut ? null : failure, schedules }));
}
