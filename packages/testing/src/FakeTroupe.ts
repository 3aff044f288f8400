/**
 * FakeTroupe: everything wired on fakes, in place of `Troupe.layer` in a host program's own tests.
 *
 * The real sessions and the real tmux client, on a fake tmux, a registry in memory, a host on which
 * everything is there, and identifiers that are counted. It takes no real time: the test's clock
 * decides, `TestClock` or `VirtualClock`. Each layer is a machine of its own.
 */
import { Context, Effect, Layer } from "effect";
import { FakeMachine, type FakeMachineOptions, type HostServices } from "./FakeMachine.js";
import { FakeTmux } from "./FakeTmux.js";

/** `Sessions`, leases and turns on fakes, and the fake's other side. */
export const FakeTroupe = {
  /** In place of `Troupe.layer`; each is a machine of its own. */
  layer: (options: FakeMachineOptions = {}): Layer.Layer<HostServices | FakeTmux> =>
    Layer.scopedContext(
      Effect.gen(function* () {
        const machine = yield* FakeMachine.make(options);
        const host = yield* machine.host("program");
        return Context.add(host, FakeTmux, machine.tmux);
      }),
    ),
};
