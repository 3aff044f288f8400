/**
 * Escapes: what is out of the explorer's hands: Effect's default scheduler, and real timers.
 *
 * `Effect.runFork`, a managed runtime and some bridges use that scheduler although their caller
 * does not, and fibers of `Effect.runSync` sleep on the real clock. While a run is under way every
 * use is reported, and nothing new runs. Promises that are not Effect's cannot be seen: who waits
 * for one is blocked.
 */
import { Scheduler } from "effect";

const real = { setTimeout, clearTimeout };

/** What a caller does with a timer goes on working; this one never fires. */
const endedTimer = (): NodeJS.Timeout => {
  const timer = real.setTimeout(() => undefined, 0);
  real.clearTimeout(timer);
  return timer;
};

/** Reports each use during the body: of what, and where it came from. */
export const catchingEscapes = <A>(report: (what: string) => void, body: () => A): A => {
  const scheduler = Scheduler.defaultScheduler;
  const { scheduleTask, shouldYield } = scheduler;
  const onScheduler = () => report(`ran on the default scheduler${whereFrom()}`);
  scheduler.scheduleTask = onScheduler;
  scheduler.shouldYield = () => {
    onScheduler();
    return false;
  };
  const timers = { setTimeout, setInterval, setImmediate };
  const onTimer = (name: string) => () => {
    report(`asked for real time by ${name}${whereFrom()}`);
    return endedTimer();
  };
  Object.assign(globalThis, {
    setTimeout: onTimer("setTimeout"),
    setImmediate: onTimer("setImmediate"),
    // `Effect.never` has one, which nobody would clear when its fiber is forgotten.
    setInterval: endedTimer,
  });
  try {
    return body();
  } finally {
    scheduler.scheduleTask = scheduleTask;
    scheduler.shouldYield = shouldYield;
    Object.assign(globalThis, timers);
  }
};

/** Of this package, and of what has no place at all. */
const notOwn = /node_modules|node:|<anonymous>|[\\/]explore[\\/][A-Z]\w+\.[jt]s/;
const frames = 100;

/** The first frames of the caller's own code, when there are any. */
const whereFrom = (): string => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = frames;
  const stack = (new Error().stack ?? "").split("\n").slice(1);
  Error.stackTraceLimit = limit;
  const own = stack.filter((frame) => !notOwn.test(frame)).slice(0, 2);
  return own.length === 0 ? "" : `, ${own.map((frame) => frame.trim()).join(" ")}`;
};
