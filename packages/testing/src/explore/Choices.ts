/**
 * Choices: every decision of one run, in order: how many options there were and which was taken.
 *
 * Options stand in two groups. The first `order` options are fibers in the order in which
 * production would run them: taking the i-th delays i others and costs i. The others are events (a
 * fault, a crash, an interruption, time that passes) and cost 1 each. Option 0 is always what
 * production would do. A run is repeated exactly by making the same choices again.
 */

/** What is to be decided. `candidates` are the fibers behind the first options, for priorities. */
export interface Question {
  readonly at: number;
  readonly n: number;
  readonly order: number;
  readonly label: string;
  readonly candidates: ReadonlyArray<object>;
}

/** A decision. Together, the decisions of a run are its schedule. */
export interface Choice {
  readonly n: number;
  readonly order: number;
  readonly chosen: number;
  readonly cost: number;
  readonly label: string;
}

/** Answers a question with an option; must be a function of what it was asked so far. */
export type Chooser = (question: Question) => number;

/** What an option costs. */
export const costOf = (order: number, option: number): number => (option < order ? option : 1);

const nobody: ReadonlyArray<object> = [];

/** The choices of a run that is under way. */
export class Choices {
  readonly made: Array<Choice> = [];

  constructor(private readonly chooser: Chooser) {}

  /** Decides among `order` options in production order and `events` others. */
  ask(label: string, order: number, events: number, candidates = nobody): number {
    const n = order + events;
    if (n <= 1) return 0;
    const chosen = this.chooser({ at: this.made.length, n, order, label, candidates });
    this.made.push({ n, order, chosen, cost: costOf(order, chosen), label });
    return chosen;
  }
}

/** What a schedule costs: the sum of its choices. */
export const totalCost = (choices: ReadonlyArray<Choice>): number =>
  choices.reduce((sum, { cost }) => sum + cost, 0);
