/**
 * Explore: runs real Effect code under every order of its fibers, and under faults, crashes and
 * interruptions, up to a total cost; then under seeded chance.
 *
 * A world is a program over fakes with a check of its ending. Everything happens in synchronous
 * calls, with virtual time. A failure comes with the shortest schedule that was found, as a table
 * of steps and as a string that repeats it. Not for code that waits for the real world.
 */
import { type Budgets, Exploration } from "./Exploration.js";
import {
  background,
  choose,
  interruptible,
  named,
  outside,
  point,
  quietly,
  reached,
  scoped,
} from "./Points.js";
import { program } from "./Program.js";
import { replay } from "./Replay.js";
import { printFailure, printReport, type Report } from "./Report.js";
import type { World } from "./World.js";

/**
 * Runs what the budgets want and reports; it never throws for what it finds, only for budgets that
 * would run nothing.
 *
 * @example
 * const world: World<number> = {
 *   name: "two withdrawals",
 *   start: () => {
 *     let balance = 1;
 *     const withdraw = Effect.gen(function* () {
 *       yield* Explore.point("read");
 *       const seen = balance;
 *       yield* Explore.point("write");
 *       balance = seen - 1;
 *     });
 *     const program = Effect.all([withdraw, withdraw], { concurrency: 2 });
 *     return { program, check: () => (balance === -1 ? null : `the balance is ${balance}`) };
 *   },
 * };
 * const report = Explore.explore(world, { cost: 2 });
 */
const explore = <A>(world: World<A>, budgets: Budgets = {}): Report =>
  new Exploration(world, budgets).run();

/** `explore` for a test: throws an `Error` with the printed failure when there is one. */
const verify = <A>(world: World<A>, budgets: Budgets = {}): Report => {
  const report = explore(world, budgets);
  if (report.failure !== null) throw new Error(printFailure(world.name, report.failure));
  return report;
};

/** The explorer, and the tools for what it explores. */
export const Explore = {
  explore,
  verify,
  replay,
  printFailure,
  printReport,
  point,
  choose,
  reached,
  named,
  program,
  interruptible,
  background,
  quietly,
  scoped,
  outside,
};
