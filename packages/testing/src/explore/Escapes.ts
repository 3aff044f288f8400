/**
 * Escapes: fibers that run on Effect's default scheduler during an exploration.
 *
 * `Effect.runFork`, a managed runtime and some bridges use that scheduler although their caller
 * does not; what they run is out of the explorer's hands. While a run is under way the scheduler
 * reports every use and runs nothing new.
 */
import { Scheduler } from "effect";

/** Reports each use of the default scheduler during the body, with where it came from. */
export const catchingEscapes = <A>(report: (where: string) => void, body: () => A): A => {
  const scheduler = Scheduler.defaultScheduler;
  const { scheduleTask, shouldYield } = scheduler;
  scheduler.scheduleTask = () => report(whereFrom());
  scheduler.shouldYield = () => {
    report(whereFrom());
    return false;
  };
  try {
    return body();
  } finally {
    scheduler.scheduleTask = scheduleTask;
    scheduler.shouldYield = shouldYield;
  }
};

/** The first frames of the caller's own code. */
const whereFrom = (): string => {
  const frames = (new Error().stack ?? "").split("\n").slice(1);
  const own = frames.filter((frame) => !/node_modules|node:|Escapes\./.test(frame));
  return own
    .slice(0, 2)
    .map((frame) => frame.trim())
    .join(" ");
};
