/**
 * WorldRun: a world started, driven by a chooser and judged: the unit that a search repeats.
 *
 * The run has virtual time, seeded chance and no logger but its trace. It is judged when all that
 * can go on has done so, and then whatever is left is made to give back what it holds.
 */
import { Cause, type Clock, Effect, FiberRef, HashSet, Logger, Random, Runtime } from "effect";
import type { Choice, Chooser } from "./Choices.js";
import { during } from "./CurrentRun.js";
import { catchingEscapes } from "./Escapes.js";
import { ExploredRun } from "./ExploredRun.js";
import { type Finding, printCause, printThrown } from "./Finding.js";
import type { AnyFiber } from "./KnownFibers.js";
import { printValue } from "./PrintedValue.js";
import type { Trace } from "./Trace.js";
import type { Instance, World } from "./World.js";

/** What came of one run. */
export interface RunOutcome {
  readonly finding: Finding | null;
  readonly choices: ReadonlyArray<Choice>;
  readonly steps: number;
  readonly reached: ReadonlySet<string>;
  readonly state: string | null;
  readonly trace: Trace | null;
}

/** Logs go into the trace, and nowhere when there is none. */
const loggersOf = ({
  fibers,
  trace,
}: ExploredRun): HashSet.HashSet<Logger.Logger<unknown, void>> =>
  trace === null
    ? HashSet.empty()
    : HashSet.make(
        Logger.make(({ cause, message }) => {
          const why = Cause.isEmpty(cause) ? [] : [printCause(cause)];
          const text = [...[message].flat().map(printValue), ...why].join(" ");
          trace.note(fibers.current(), `logs: ${text}`);
        }),
      );

const inWorld = <A>(run: ExploredRun, seed: string, program: Effect.Effect<A, unknown>) =>
  program.pipe(
    Effect.locally(FiberRef.currentLoggers, loggersOf(run)),
    Effect.withRandom(Random.make(seed)),
    Effect.withClock(run.time satisfies Clock.Clock),
  );

const judge = <A>(run: ExploredRun, instance: Instance<A>, value: A): Finding | null => {
  try {
    const violation = instance.check?.(value) ?? null;
    if (violation !== null) return { kind: "violated", message: violation };
  } catch (thrown) {
    return { kind: "violated", message: printThrown(thrown) };
  }
  const leaked = run.leaked().map(({ description }) => description);
  if (leaked.length === 0) return null;
  return { kind: "leak", message: `still alive at the end: ${leaked.join("; ")}` };
};

/** What a world says of itself; when it throws instead, that is a finding. */
const asked = <A>(run: ExploredRun, what: string, body: () => A): A | null => {
  try {
    return body();
  } catch (thrown) {
    run.trouble ??= { kind: "violated", message: `${what} threw: ${printThrown(thrown)}` };
    return null;
  }
};

/** From the start of the program to the end of everything that can go on, and its verdict. */
const runInstance = <A>(run: ExploredRun, seed: string, instance: Instance<A>): Finding | null => {
  const program = inWorld(run, seed, instance.program);
  const plain = Runtime.defaultRuntime;
  const runtime = run.visible === null ? plain : run.visible.install(plain);
  const options = { scheduler: run.scheduler, immediate: false };
  const root = Runtime.runFork(runtime)(program, options);
  const finding = run.drive(root as AnyFiber);
  const exit = root.unsafePoll();
  if (finding !== null || exit === null) return finding;
  if (exit._tag === "Success") return judge(run, instance, exit.value);
  return { kind: "program failed", message: printCause(exit.cause) };
};

/** Runs a world once, from its start to the end of everything in it. */
export const runWorld = <A>(world: World<A>, chooser: Chooser, traced: boolean): RunOutcome => {
  const run = new ExploredRun(world, chooser, traced);
  const report = (message: string) => {
    const who = run.fibers.current();
    const whose = who === null ? "" : `${who.description} `;
    run.trouble ??= { kind: "escape", message: `${whose}${message}` };
  };
  return during(run, () =>
    catchingEscapes(report, () => {
      const instance = asked(run, "start", () => world.start());
      const verdict = instance && runInstance(run, world.seed ?? "troupe", instance);
      const state = (instance && asked(run, "state", () => instance.state?.())) ?? null;
      const finding = verdict ?? run.trouble;
      run.end();
      const { choices, reached, steps, trace } = run;
      return { finding, choices: choices.made, steps, reached, state, trace };
    }),
  );
};
