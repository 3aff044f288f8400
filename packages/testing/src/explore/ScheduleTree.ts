/**
 * ScheduleTree: every schedule of a world, once each, in the order of what it costs.
 *
 * A schedule of cost b is one of less cost with one more deviation behind its last, so only those
 * of less cost are remembered, as their deviations and the number of options at each decision.
 * Nothing of a run is kept: each schedule starts the world anew.
 */
import { type Choice, costOf, totalCost } from "./Choices.js";
import { type Deviation, deviationsOf, follow } from "./Deviations.js";
import type { Finding } from "./Finding.js";
import type { Search } from "./Search.js";

interface Node {
  readonly deviations: ReadonlyArray<Deviation>;
  /** The first decision that a child may take otherwise. */
  readonly from: number;
  /** For each decision, its options and how many of them are in order. */
  readonly shape: Uint16Array;
}

const nodeOf = (choices: ReadonlyArray<Choice>): Node => {
  const deviations = deviationsOf(choices);
  const shape = Uint16Array.from(choices.flatMap(({ n, order }) => [n, order]));
  return { deviations, from: (deviations.at(-1)?.at ?? -1) + 1, shape };
};

/** The options of a decision that cost exactly this much. */
const optionsOf = (n: number, order: number, cost: number): ReadonlyArray<number> => {
  const delayed = cost < order ? [cost] : [];
  const events = cost === 1 ? Array.from({ length: n - order }, (_, event) => order + event) : [];
  return [...delayed, ...events];
};

const strays = ({ shape }: Node, at: number, choices: ReadonlyArray<Choice>): Finding | null => {
  for (let i = 0; i <= at; i++) {
    const [n, order] = [shape[2 * i], shape[2 * i + 1]];
    if (choices[i]?.n === n && choices[i]?.order === order) continue;
    const message = `decision ${i} had ${n} options, and ${choices[i]?.n} in a run like it`;
    return { kind: "not deterministic", message };
  }
  return null;
};

/** Mutable; one for each exploration, asked for one cost after the other. */
export class ScheduleTree {
  private readonly nodes: Array<Array<Node>> = [];
  private dearest = 0;

  /** `most`: the greatest cost that will be asked for. */
  constructor(private readonly most: number) {}

  /** Whether no schedule costs more than this: then the world is exhausted altogether. */
  completeAt(cost: number): boolean {
    return this.dearest <= cost;
  }

  /** Every schedule of exactly this cost; those of less must have been through. */
  *ofCost(cost: number): Search {
    if (cost === 0) this.keep((yield follow([])).choices);
    for (let less = 0; less < cost; less++) {
      for (const node of this.nodes[less] ?? []) {
        for (let at = node.from; 2 * at < node.shape.length; at++) {
          const [n = 0, order = 0] = [node.shape[2 * at], node.shape[2 * at + 1]];
          for (const chosen of optionsOf(n, order, cost - less)) {
            const { choices } = yield follow([...node.deviations, { at, chosen, of: n }]);
            const finding = strays(node, at, choices);
            if (finding !== null) return finding;
            this.keep(choices);
          }
        }
      }
    }
    return null;
  }

  private keep(choices: ReadonlyArray<Choice>): void {
    const node = nodeOf(choices);
    const cost = totalCost(choices);
    for (const { n, order } of choices.slice(node.from)) {
      const most = Math.max(costOf(order, order - 1), n > order ? 1 : 0);
      if (most > 0) this.dearest = Math.max(this.dearest, cost + most);
    }
    if (cost >= this.most || node.shape.length === 2 * node.from) return;
    for (let c = this.nodes.length; c <= cost; c++) this.nodes.push([]);
    this.nodes[cost]?.push(node);
  }
}
