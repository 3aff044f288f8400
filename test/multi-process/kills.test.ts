/**
 * The kill matrix: every operation, dead by SIGKILL at every call to tmux and at every commit.
 *
 * Goal: one reconcile by another program brings tmux, rows, processes, claims, the log and files
 * together, wherever it was. Method: each operation runs once to count its boundaries; then each
 * boundary that is drawn has a home and a death of its own. TROUPE_KILLS=all draws all of them,
 * and else TROUPE_SEED says which third. The table is printed.
 */
import { describe, expect, it } from "vitest";
import { chanceOf, sample } from "./Chance.js";
import { killedOperations } from "./KilledOperations.js";
import { countBoundaries, dieAt, leftBy, type Outcome } from "./KillMatrix.js";
import { type Cell, cellsOf, printed } from "./KillTable.js";

const seed = Number(process.env.TROUPE_SEED ?? 1);
const share = process.env.TROUPE_KILLS === "all" ? 1 : 3;
const AT_ONCE = 4;
const boundMs = 600_000 / share;

/** Does it with each, a few at once. */
const eachOf = async <A>(all: ReadonlyArray<A>, act: (one: A) => Promise<void>): Promise<void> => {
  const left = [...all];
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

const operationOf = ({ operation }: Cell) => {
  const found = killedOperations.find(({ name }) => name === operation);
  if (found === undefined) throw new Error(`there is no operation ${operation}`);
  return found;
};

describe("after a death by SIGKILL", () => {
  it(
    "at any boundary of any operation, reconcile leaves session and row, or neither",
    async () => {
      const counted = new Map<string, ReadonlyArray<Cell>>();
      await eachOf(killedOperations, async (operation) => {
        counted.set(operation.name, cellsOf(operation.name, await countBoundaries(operation)));
      });
      const all = killedOperations.flatMap(({ name }) => counted.get(name) ?? []);
      const drawn = sample(chanceOf(seed), all, Math.ceil(all.length / share));
      const outcomes = new Map<Cell, Outcome>();
      await eachOf(drawn, async (cell) => {
        outcomes.set(cell, await dieAt(operationOf(cell), cell.boundary));
      });
      const table = printed(all, outcomes);
      console.log(`${table}\n${drawn.length} of ${all.length} boundaries, seed ${seed}`);
      expect([...outcomes.values()].filter((outcome) => typeof outcome !== "string")).toEqual([]);
      // Few of them may not be met: how often a program looks depends on how long things take.
      const met = [...outcomes.values()].filter((outcome) => outcome === "held").length;
      expect(met).toBeGreaterThan(0.9 * drawn.length);
    },
    boundMs,
  );

  it("of a create, what it made and its row do not agree before that reconcile", async () => {
    const [create] = killedOperations;
    if (create === undefined) return;
    const left = await leftBy(create, { of: "call", when: "after", at: 3 });
    expect(left).toBe("a row is left creating");
  });
});
