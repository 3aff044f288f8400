/**
 * FakeTour: the tour where there is no tmux: the same steps on a fake machine.
 *
 * The sessions and the tmux client are the real ones; tmux, the registry and the processes are in
 * memory, and the program that dies in the middle is a second one in this process that is declared
 * dead and never heard of again.
 */
import { Sessions } from "@troupe/core";
import { FakeMachine, FakeTmux } from "@troupe/testing";
import { Effect, Scope } from "effect";
import { untilDeleting } from "./CutOffDelete.js";
import type { Fact } from "./Proof.js";
import { type Say, tour } from "./Tour.js";

const agent = FakeTmux.program((run) => {
  run.write("ready\n");
  run.onSignal("TERM", () => run.write("saving my work\n"));
});

/** Another program, which does not end in any way that it could notice. */
const crashing = (machine: FakeMachine) => ({
  how: "is gone",
  agent: ["agent"],
  cutOff: Effect.gen(function* () {
    // Never closed: a program that crashes closes nothing.
    const scope = yield* Scope.make();
    const other = yield* Scope.extend(machine.program("crashed"), scope);
    yield* Effect.forkIn(Effect.exit(other.delete("agent", { graceMs: 3_600_000 })), scope);
    yield* untilDeleting("agent");
    yield* machine.store.declare("crashed", "dead");
    return "program crashed";
  }),
});

/** Walks the tour; what must hold of its end. */
export const fakeTour = (say: Say) =>
  Effect.scoped(
    Effect.gen(function* () {
      const machine = yield* FakeMachine.make({ tmux: { programs: { agent } } });
      const sessions = yield* machine.program("tour");
      const walked = tour(say, crashing(machine));
      const { fact } = yield* Effect.provideService(walked, Sessions, sessions);
      const left = (yield* machine.processes.snapshot).map((entry) => entry.program);
      const none: Fact = {
        holds: left.length === 0,
        text: left.length === 0 ? "no process is left" : `these live on: ${left.join(", ")}`,
      };
      const facts: ReadonlyArray<Fact> = [fact, none];
      return facts;
    }),
  );
