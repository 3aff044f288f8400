/**
 * FakeTroupe: everything wired on fakes, in place of `Troupe.layer` in a host program's own tests.
 *
 * The real sessions and the real tmux client, on a fake tmux, a registry in memory, a host on which
 * everything is there, and identifiers that are counted. It takes no real time: the test's clock
 * decides, `TestClock` or `VirtualClock`. Each layer is a machine of its own.
 */
import { Sessions } from "@troupe/core";
import { Context, Effect, Layer } from "effect";
import { FakeMachine, type FakeMachineOptions } from "./FakeMachine.js";
import { FakeTmux } from "./FakeTmux.js";

/** `Sessions` on fakes, and the fake's other side. */
export const FakeTroupe = {
  layer: (options: FakeMachineOptions = {}): Layer.Layer<Sessions | FakeTmux> =>
    Layer.scopedContext(
      Effect.gen(function* () {
        const machine = yield* FakeMachine.make(options);
        const sessions = yield* machine.program("program");
        return Context.add(Context.make(Sessions, sessions), FakeTmux, machine.tmux);
      }),
    ),
};
