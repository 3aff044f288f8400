/**
 * WorldRun: a world started, driven by a chooser and judged: the unit that a search repeats.
 *
 * The run has virtual time, seeded chance and no logger but its trace. It is judged when all that
 * can go on has done so, and then whatever is left is made to give back what it holds.
 */
import { type Clock, Effect, FiberRef, HashSet, Logger, Random, Runtime } from "effect";
import type { Choice, Chooser } from "./Choices.js";
import { during } from "./CurrentRun.js";
import { catchingEscapes } from "./Escapes.js";
import { ExploredRun } from "./ExploredRun.js";
import { type Finding, printCause, printThrown } from "./Finding.js";
import type { AnyFiber } from "./KnownFibers.js";
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
        Logger.make(({ message }) => {
          trace.note(fibers.current(), `logs: ${[message].flat().map(String).join(" ")}`);
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

/** Runs a world once, from its start to the end of everything in it. */
export const runWorld = <A>(world: World<A>, chooser: Chooser, traced: boolean): RunOutcome => {
  const run = new ExploredRun(world, chooser, traced);
  const report = (where: string) => {
    run.escape ??= where;
  };
  return during(run, () =>
    catchingEscapes(report, () => {
      const instance = world.start();
      const program = inWorld(run, world.seed ?? "troupe", instance.program);
      const plain = Runtime.defaultRuntime;
      const runtime = run.visible === null ? plain : run.visible.install(plain);
      const options = { scheduler: run.scheduler, immediate: false };
      const root = Runtime.runFork(runtime)(program, options);
      let finding = run.drive(root as AnyFiber);
      const exit = root.unsafePoll();
      if (finding === null && exit !== null) {
        finding =
          exit._tag === "Success"
            ? judge(run, instance, exit.value)
            : { kind: "program failed", message: printCause(exit.cause) };
      }
      const state = instance.state?.() ?? null;
      run.end();
      const { choices, reached, steps, trace } = run;
      return { finding, choices: choices.made, steps, reached, state, trace };
    }),
  );
};
