/**
 * FakeMachine: a machine on fakes that several programs share: one tmux, one home, one process
 * table, and for each program sessions, actors and an owner's name of its own.
 *
 * A program that is declared dead has crashed as far as the others can tell: its claims are there
 * to be taken over. It takes no real time: the clock of whoever builds it decides.
 */

import type { Host, Leases, SettingsShape, Turns } from "@troupe/core";
import {
  AwakeClock,
  MemoryStore,
  OutputFiles,
  ProcessTable,
  Registry,
  ServerSocket,
  SessionHandles,
  Sessions,
  Settings,
} from "@troupe/core";
import { TmuxClient, TmuxTransport } from "@troupe/tmux";
import { Context, Effect, Layer, type Scope } from "effect";
import { CountedIds } from "./CountedIds.js";
import { FakeAwakeClock } from "./FakeAwakeClock.js";
import { FakeHost, type FakeHostOptions } from "./FakeHost.js";
import { FakeOutputFiles, type FakeOutputStore } from "./FakeOutputFiles.js";
import { type FakeSnapshotStore, FakeSnapshots } from "./FakeSnapshots.js";
import { FakeTmux } from "./FakeTmux.js";
import type { FakeTmuxControl } from "./fakeTmux/Control.js";
import type { FakeTmuxOptions } from "./fakeTmux/Settings.js";

/** What is different from a machine on which everything is there. */
export interface FakeMachineOptions {
  readonly tmux?: FakeTmuxOptions | undefined;
  readonly host?: FakeHostOptions | undefined;
  /** A host of the test's own, in place of the fake one. */
  readonly hostLayer?: Layer.Layer<Host> | undefined;
  readonly settings?: Partial<SettingsShape> | undefined;
  /** Around the registry in memory of each program: what fails, or tells what it is asked. */
  readonly registry?: ((registry: Registry["Type"]) => Registry["Type"]) | undefined;
  /** The same around the way to tmux. */
  readonly transport?: ((transport: TmuxTransport["Type"]) => TmuxTransport["Type"]) | undefined;
  /** The same around what is recorded of terminals. */
  readonly output?: ((files: OutputFiles["Type"]) => OutputFiles["Type"]) | undefined;
}

/** What a program that hosts sessions has of core. */
export type HostServices = Sessions | Leases | Turns | SessionHandles;

/** The machine. */
export interface FakeMachine {
  readonly tmux: FakeTmuxControl;
  readonly processes: ProcessTable["Type"];
  readonly store: MemoryStore;
  readonly snapshots: FakeSnapshotStore;
  /** One more program on the home, closed with the scope. Two programs have different names. */
  readonly program: (owner: string) => Effect.Effect<Sessions["Type"], never, Scope.Scope>;
  /** The same with turns and the leases that they run under. */
  readonly host: (
    owner: string,
  ) => Effect.Effect<Context.Context<HostServices>, never, Scope.Scope>;
  /** Suspends the machine, for what counts the time awake. */
  readonly suspend: FakeAwakeClock["Type"]["suspend"];
}

/** What the programs of a machine keep beside the registry. */
interface KeptFiles {
  readonly snapshots: FakeSnapshotStore;
  readonly output: FakeOutputStore;
}

const portsOf = (
  options: FakeMachineOptions,
  store: MemoryStore,
  owner: string,
  fakes: Context.Context<FakeTmux | TmuxTransport | ProcessTable | ServerSocket>,
  { output, snapshots }: KeptFiles,
) => {
  const tmux = Context.get(fakes, TmuxTransport);
  const transport = Layer.succeed(TmuxTransport, options.transport?.(tmux) ?? tmux);
  return Layer.mergeAll(
    Layer.provide(TmuxClient.layer(), transport),
    Layer.succeed(ProcessTable, Context.get(fakes, ProcessTable)),
    Layer.succeed(ServerSocket, Context.get(fakes, ServerSocket)),
    Layer.map(Registry.layerMemory(store, { owner }), (context) => {
      const memory = Context.get(context, Registry);
      return Context.make(Registry, options.registry?.(memory) ?? memory);
    }),
    options.hostLayer ?? FakeHost.layer(options.host),
    Layer.map(FakeOutputFiles.layer(Context.get(fakes, FakeTmux), output), (context) => {
      const files = Context.get(context, OutputFiles);
      return Context.make(OutputFiles, options.output?.(files) ?? files);
    }),
    FakeSnapshots.layer(snapshots),
    CountedIds.layer(owner),
  );
};

/** `FakeMachine.make` gives a machine on which nobody ever ran anything. */
export const FakeMachine = {
  /** A machine on which nobody ever ran anything, until the scope closes. */
  make: (options: FakeMachineOptions = {}): Effect.Effect<FakeMachine, never, Scope.Scope> =>
    Effect.gen(function* () {
      const store = yield* MemoryStore.make;
      const files: KeptFiles = { snapshots: FakeSnapshots.make(), output: FakeOutputFiles.make() };
      const missingPrograms = [...(options.host?.missingPrograms ?? [])];
      const fakes = yield* Layer.build(FakeTmux.layer({ missingPrograms, ...options.tmux }));
      const settings = Layer.effect(
        Settings,
        Effect.map(Settings, (s) => ({ ...s, home: "home1", ...options.settings })),
      );
      const clock = yield* Layer.build(FakeAwakeClock.layer);
      const layerOf = (owner: string) =>
        SessionHandles.layerWithTurns.pipe(
          Layer.provideMerge(Sessions.layer),
          Layer.provide(portsOf(options, store, owner, fakes, files)),
          Layer.provide(Layer.succeed(AwakeClock, Context.get(clock, AwakeClock))),
          Layer.provide(settings),
        );
      return {
        tmux: Context.get(fakes, FakeTmux),
        processes: Context.get(fakes, ProcessTable),
        store,
        snapshots: files.snapshots,
        program: (owner) => Effect.map(Layer.build(layerOf(owner)), Context.get(Sessions)),
        host: (owner) => Layer.build(layerOf(owner)),
        suspend: Context.get(clock, FakeAwakeClock).suspend,
      };
    }),
};
