/**
 * WorldMain: a program that exhausts named worlds, cheapest schedules first, and prints one line of
 * JSON for each: what `npm run mutants` runs in a copy.
 */
import { Explore } from "@troupe/testing";
import { namedWorlds } from "../explore/NamedWorlds.js";

const names = process.argv.slice(process.argv.indexOf("--") + 1);

for (const { cost, world } of namedWorlds) {
  if (!names.includes(world.name)) continue;
  const { failure, schedules } = Explore.explore(world, { cost });
  console.log(JSON.stringify({ world: world.name, failure, schedules }));
}
