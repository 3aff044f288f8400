/**
 * Exploration: one world run under one search after another, until a run fails or a bound is met.
 *
 * First every schedule by cost, then walks. What fails is shrunk and run once more, traced; the
 * runs before that keep nothing but counts, so an exploration of any length has a level heap.
 */
import { Clock } from "effect";
import { follow } from "./Deviations.js";
import type { Finding } from "./Finding.js";
import { type BudgetReport, type Failure, failureOf, type Report } from "./Report.js";
import { ScheduleTree } from "./ScheduleTree.js";
import type { Search } from "./Search.js";
import { shrink } from "./Shrinking.js";
import { priorityWalks, uniformWalks } from "./Walks.js";
import type { World } from "./World.js";
import { type RunOutcome, runWorld } from "./WorldRun.js";

/** How much is run. What is left out is not run, but for `cost`, which is 2. */
export interface Budgets {
  /** Every schedule of at most this total cost is run; `Infinity` is all there are. */
  readonly cost?: number;
  readonly uniformWalks?: number;
  readonly priorityWalks?: number;
  /** How often priorities change in a priority walk; 3 unless it says otherwise. */
  readonly changes?: number;
  readonly seed?: number;
  /** More runs than this end the exploration, and the report says so. 100 000 by default. */
  readonly maxSchedules?: number;
}

const real = Clock.make();
const secondsNow = (): number => Number(real.unsafeCurrentTimeNanos()) / 1e9;

/** Mutable; one for each call of `Explore.explore`. */
export class Exploration<A> {
  private schedules = 0;
  private steps = 0;
  private uniform = 0;
  private priority = 0;
  private complete = false;
  private stoppedBy: string | null = null;
  private failure: Failure | null = null;
  private readonly reached = new Set<string>();
  private readonly states = new Set<string>();
  private readonly budgets: Array<BudgetReport> = [];

  constructor(
    private readonly world: World<A>,
    private readonly wanted: Budgets,
  ) {
    const { changes, cost, maxSchedules, priorityWalks, uniformWalks } = wanted;
    const counts = { cost, changes, maxSchedules, uniformWalks, priorityWalks };
    for (const [name, count = 1] of Object.entries(counts)) {
      const least = name === "maxSchedules" ? 1 : 0;
      if (count >= least && (Number.isInteger(count) || count === Number.POSITIVE_INFINITY))
        continue;
      throw new RangeError(`${name} must be a whole number from ${least}, not ${count}`);
    }
  }

  /** Does all that the budgets want, and tells. */
  run(): Report {
    const startedAt = secondsNow();
    const { changes = 3, cost = 2, seed = 1 } = this.wanted;
    this.exhaust(cost);
    const uniform = uniformWalks(seed, this.wanted.uniformWalks ?? 0);
    this.uniform = this.through(uniform).schedules;
    const priority = priorityWalks(seed, this.wanted.priorityWalks ?? 0, changes);
    this.priority = this.through(priority).schedules;
    if (this.failure === null) this.failure = this.unreached();
    return {
      world: this.world.name,
      schedules: this.schedules,
      budgets: this.budgets,
      uniformWalks: this.uniform,
      priorityWalks: this.priority,
      complete: this.complete,
      states: this.states.size === 0 ? null : this.states.size,
      reached: [...this.reached],
      steps: this.steps,
      seconds: secondsNow() - startedAt,
      stoppedBy: this.stoppedBy,
      failure: this.failure,
    };
  }

  private exhaust(most: number): void {
    const tree = new ScheduleTree(most);
    for (let cost = 0; cost <= most && !this.stopped && !this.complete; cost++) {
      this.budgets.push({ cost, ...this.through(tree.ofCost(cost)) });
      this.complete = !this.stopped && tree.completeAt(cost);
    }
  }

  private get stopped(): boolean {
    return this.failure !== null || this.stoppedBy !== null;
  }

  /** Runs what a search wants, and says how much that was and whether it came to its end. */
  private through(search: Search): { readonly schedules: number; readonly exhausted: boolean } {
    const before = this.schedules;
    const { maxSchedules = 100_000 } = this.wanted;
    let next = search.next(nothing);
    while (next.done !== true && !this.stopped) {
      if (this.schedules >= maxSchedules) {
        this.stoppedBy = `maxSchedules (${maxSchedules})`;
        break;
      }
      const outcome = runWorld(this.world, next.value, false);
      this.count(outcome);
      if (outcome.finding !== null) this.failure = this.explain(outcome);
      next = search.next(outcome);
    }
    if (next.done === true && next.value !== null) this.failure ??= ofWorld(next.value);
    return { schedules: this.schedules - before, exhausted: !this.stopped };
  }

  private count(outcome: RunOutcome): void {
    this.schedules++;
    this.steps += outcome.steps;
    for (const label of outcome.reached) this.reached.add(label);
    if (outcome.state !== null) this.states.add(outcome.state);
  }

  private explain(failing: RunOutcome): Failure {
    const least = shrink(failing, (deviations) => runWorld(this.world, follow(deviations), false));
    const choices = least.choices.map(({ chosen }) => chosen);
    const shown = runWorld(this.world, ({ at }) => choices[at] ?? 0, true);
    if (shown.finding !== null) return failureOf(shown.finding, shown);
    const message = `${failing.finding?.message}, but not when it was run again`;
    return failureOf({ kind: "not deterministic", message }, shown);
  }

  private unreached(): Failure | null {
    const missing = (this.world.sometimes ?? []).filter((label) => !this.reached.has(label));
    if (missing.length === 0) return null;
    return ofWorld({ kind: "unreached", message: `never reached: ${missing.join(", ")}` });
  }
}

const ofWorld = (finding: Finding): Failure => ({ ...finding, replay: null, cost: 0, table: "" });

/** A search takes no notice of what its first `next` is given. */
const nothing: RunOutcome = {
  finding: null,
  choices: [],
  steps: 0,
  reached: new Set(),
  state: null,
  trace: null,
};
