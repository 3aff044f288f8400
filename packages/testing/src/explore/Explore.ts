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
  /** Runs what the budgets want, and reports. It never throws for what it finds. */
  explore,
  /** `explore` for a test: throws the printed failure where there is one. */
  verify,
  /** Runs the world once more along the string of a failure. */
  replay,
  /** A failure as a text: what, the steps, how to run it again. */
  printFailure,
  /** One line about what was done, and the failure where there is one. */
  printReport,
  /** A place where fibers may switch and a program may crash. */
  point,
  /** One of several outcomes; any but the first costs 1. */
  choose,
  /** Witnesses that a run came here: what `sometimes` of a world asks for. */
  reached,
  /** Gives the current fiber a name in tables and messages. */
  named,
  /** Starts a program that may crash as a whole. */
  program,
  /** Runs the effect in a fiber that may be interrupted once; gives its exit. */
  interruptible,
  /** Fibers forked inside may live on at the end. */
  background,
  /** Nothing is chosen inside: for what is not under test. */
  quietly,
  /** `Effect.scoped` whose finalizers run quietly. */
  scoped,
  /** What is forked inside survives the crash of the program. */
  outside,
};
