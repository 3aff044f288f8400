/**
 * FakeTmux: tmux in memory: a `TmuxTransport` that answers exit code, stdout and stderr to the
 * byte as tmux does, with the programs of its panes in a fake `ProcessTable`.
 *
 * Time is Effect's `Clock`: nothing happens by itself, and what is due happens before the next
 * look. Whatever it does not model is a defect that names it. A seeded differential run compares it
 * with the real tmux.
 */
import { ProcessTable, ServerSocket } from "@troupe/core";
import { TmuxTransport } from "@troupe/tmux";
import { Clock, Context, Effect, Layer } from "effect";
import { type FakeTmuxControl, makeControl } from "./fakeTmux/Control.js";
import { Delivery, type RunHooks } from "./fakeTmux/Delivery.js";
import { fakeProcessTable, type TableTrouble } from "./fakeTmux/FakeProcessTable.js";
import { fakeServerSocket } from "./fakeTmux/FakeServerSocket.js";
import { Machine } from "./fakeTmux/Machine.js";
import { ModelTime } from "./fakeTmux/ModelTime.js";
import type { Program } from "./fakeTmux/Program.js";
import { type FakeTmuxOptions, settingsOf } from "./fakeTmux/Settings.js";

const make = (options: FakeTmuxOptions & RunHooks) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis;
    const scope = yield* Effect.scope;
    const time = new ModelTime(now);
    const machine = new Machine(settingsOf(options), time.of(now));
    const delivery = new Delivery(machine, time, options, scope);
    const trouble: TableTrouble = { reason: null };
    return Context.make(TmuxTransport, {
      socket: machine.settings.socket,
      program: "tmux",
      run: delivery.run,
    }).pipe(
      Context.add(ProcessTable, fakeProcessTable(machine, time, trouble)),
      Context.add(ServerSocket, fakeServerSocket(machine)),
      Context.add(FakeTmux, makeControl(machine, delivery, time, trouble)),
    );
  });

/**
 * What a test does to the fake beside asking it.
 *
 * @example
 * const fake = FakeTmux.layer({ programs: { agent: FakeTmux.program((run) => run.write("> ")) } })
 * const test = Effect.gen(function* () {
 *   const tmux = yield* FakeTmux
 *   yield* tmux.inject({ fault: Fault.effectWithoutReply, matches: (r) => r.attempted === "kill" })
 * }).pipe(Effect.provide(fake))
 */
export class FakeTmux extends Context.Tag("@troupe/testing/FakeTmux")<FakeTmux, FakeTmuxControl>() {
  /** A machine of its own with tmux on it; nobody has started a server yet. */
  static readonly layer = (
    options: FakeTmuxOptions & RunHooks = {},
  ): Layer.Layer<FakeTmux | TmuxTransport | ProcessTable | ServerSocket> =>
    Layer.scopedContext(make(options));

  /** A program for `programs`. */
  static readonly program = (program: Program): Program => program;
}
