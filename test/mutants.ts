/**
 * `npm run mutants`: each mutant in a copy of the sources, held against the worlds and tests that
 * must kill it; its shortest counterexample is printed. A survivor makes it end badly.
 *
 * All killers are held against the sources as they are, worlds up to the last schedule that killed
 * something: one that fails there proves nothing, nor do the mutants that name it.
 * `--only NAME` for one mutant, `--part 1/2` for every second one; `--diff FILE` holds an edit of
 * one's own against every world instead. Two processes at most at once.
 */
import { parseArgs } from "node:util";
import { top, withCopy, withEdits } from "./mutants/Copy.js";
import { hunted } from "./mutants/Hunt.js";
import type { Killer, Mutant } from "./mutants/Mutant.js";
import { mutants } from "./mutants/Mutants.js";
import { askTests, askWorlds, type Verdict } from "./mutants/Verdict.js";
import { forgetBundles } from "./mutants/WorldBundle.js";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== "--"),
  options: {
    part: { type: "string", default: "1/1" },
    only: { type: "string" },
    diff: { type: "string" },
  },
});
const [part = 1, parts = 1] = values.part.split("/").map(Number);

const startedAt = performance.now();
const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1);

/** Does all of it, each begun in order, with what is free of these: as many at once. */
const eachWith = async <A>(
  places: ReadonlyArray<A>,
  work: ReadonlyArray<(place: A) => Promise<void>>,
): Promise<void> => {
  const queue = [...work];
  const worker = async (place: A): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next(place);
  };
  await Promise.all(places.map(worker));
};

/** How many schedules of each world are enough; all of those that are not named. */
type Enough = ReadonlyMap<string, number | null>;

const verdictsOn = async (
  directory: string,
  killers: ReadonlyArray<Killer>,
  enough: Enough = new Map(),
): Promise<ReadonlyArray<Verdict>> => {
  const worlds = killers.flatMap((killer) => ("world" in killer ? [killer.world] : []));
  const tests = killers.flatMap((killer) => ("test" in killer ? [killer] : []));
  const asked = new Map(worlds.map((name) => [name, enough.get(name) ?? null]));
  return [...(await askWorlds(directory, asked)), ...(await askTests(directory, tests))];
};

/** For each world the last of the schedules in which it killed a mutant. */
const lastOf = (verdicts: ReadonlyArray<Verdict>): Enough => {
  const last = new Map<string, number | null>();
  for (const { killer, schedule } of verdicts) {
    const before = last.get(killer) ?? (last.has(killer) ? null : 0);
    last.set(killer, schedule === null || before === null ? null : Math.max(before, schedule));
  }
  return last;
};

const indented = (text: string): string => text.replace(/^/gm, "    ");

const nameOf = (killer: Killer): string => ("world" in killer ? killer.world : killer.test);

/** Holds the killers against the sources as they are; those that do not hold prove nothing. */
const unproven = async (
  directory: string,
  chosen: ReadonlyArray<Mutant>,
  enough: Enough,
): Promise<ReadonlySet<string>> => {
  const all = new Map(
    chosen.flatMap(({ killedBy }) => killedBy.map((killer) => [nameOf(killer), killer])),
  );
  const halves = [0, 1].map((half) => [...all.values()].filter((_, at) => at % 2 === half));
  const bad = new Set<string>();
  await eachWith(
    halves,
    halves.map((killers) => async () => {
      for (const { found, killer, trouble } of await verdictsOn(directory, killers, enough)) {
        if (found === null && trouble === null) continue;
        bad.add(killer);
        console.log(`NO PROOF  ${killer}\n${indented(found ?? trouble ?? "")}`);
      }
    }),
  );
  console.log(`${all.size} worlds and tests, ${bad.size} of which fail without any edit\n`);
  return bad;
};

const isKilled = (verdicts: ReadonlyArray<Verdict>): boolean =>
  verdicts.every(({ found }) => found !== null);

/** One mutant in this copy: what its killers say. */
const tried = async (copy: string, mutant: Mutant): Promise<ReadonlyArray<Verdict>> => {
  const since = performance.now();
  const verdicts = await withEdits(copy, mutant, () => verdictsOn(copy, mutant.killedBy));
  const killed = isKilled(verdicts);
  const lines = verdicts.map(({ found, killer, trouble }) => {
    if (found !== null) return `  by "${killer}":\n${indented(found)}`;
    return `  not by "${killer}"${trouble === null ? "" : `:\n${indented(trouble)}`}`;
  });
  const head = `${killed ? "killed  " : "SURVIVED"}  ${mutant.name}  ${seconds(since)} s`;
  console.log([head, `  ${mutant.removes}`, ...lines, ""].join("\n"));
  return verdicts;
};

const chosen = mutants.filter(({ name }, at) =>
  values.only === undefined ? at % parts === part - 1 : name === values.only,
);

/** All of it, on the sources as they are now; whether all is well. */
const run = async (from: string): Promise<boolean> => {
  const said = new Map<Mutant, ReadonlyArray<Verdict>>();
  await withCopy(from, (one) =>
    withCopy(from, (other) =>
      eachWith(
        [one, other],
        chosen.map((mutant) => async (copy) => void said.set(mutant, await tried(copy, mutant))),
      ),
    ),
  );
  const bad = await unproven(from, chosen, lastOf([...said.values()].flat()));
  const sound = chosen.filter(({ killedBy }) => !killedBy.some((k) => bad.has(nameOf(k))));
  const killed = sound.filter((mutant) => isKilled(said.get(mutant) ?? [])).length;
  const survived = sound.length - killed;
  const unsound = chosen.length - sound.length;
  const counts = `${killed} killed, ${survived} survived, ${unsound} without proof`;
  console.log(`${chosen.length} mutants: ${counts}, in ${seconds(startedAt)} s`);
  return survived === 0 && unsound === 0 && chosen.length > 0;
};

const isWell = values.diff === undefined ? withCopy(top, run) : hunted(values.diff);
process.exitCode = (await isWell) ? 0 : 1;
await forgetBundles();
