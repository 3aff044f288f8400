/**
 * FakeHome: sessions on a fake tmux, a registry in memory and a virtual clock, for one test.
 *
 * Nothing in it takes real time. `pass` runs a call while time passes as far as the call needs it;
 * `durable` is everything that outlives a program: what the end of a test compares.
 */
import {
  type Host,
  MemoryStore,
  Registry,
  type SessionRecord,
  Sessions,
  Settings,
  type SettingsShape,
} from "@troupe/core";
import {
  CountedIds,
  FakeHost,
  type FakeHostOptions,
  FakeTmux,
  type FakeTmuxControl,
  type FakeTmuxOptions,
} from "@troupe/testing";
import { TmuxClient } from "@troupe/tmux";
import { Context, Effect, Fiber, Layer, type Scope, TestClock } from "effect";

/** What a test may say of its home. */
export interface FakeHomeOptions {
  readonly tmux?: FakeTmuxOptions | undefined;
  readonly host?: FakeHostOptions | undefined;
  /** A host of the test's own, in place of the fake one. */
  readonly hostLayer?: Layer.Layer<Host> | undefined;
  readonly settings?: Partial<SettingsShape> | undefined;
}

/** Where one test plays. */
export interface FakeHome {
  readonly sessions: Sessions["Type"];
  readonly tmux: FakeTmuxControl;
  readonly store: MemoryStore;
  /** Another program on the same home and the same tmux, with this owner's name. */
  readonly program: (owner: string) => Effect.Effect<Sessions["Type"], never, Scope.Scope>;
  /** Names of the sessions that tmux has. */
  readonly inTmux: Effect.Effect<ReadonlyArray<string>>;
  /** The rows, newest generation last, as `name/generation state`. */
  readonly rows: Effect.Effect<ReadonlyArray<string>>;
  readonly record: (session: string) => Effect.Effect<SessionRecord>;
}

/** Runs the call, and lets as much time pass as it can need. */
export const pass = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(call);
    yield* TestClock.adjust("1 minute");
    return yield* Fiber.join(fiber);
  });

/** A session that lives for ever. */
export const sleep = { command: ["sleep", "100000"], cwd: "/" } as const;

/** A home on which troupe never ran. */
export const fakeHome = (
  options: FakeHomeOptions = {},
): Effect.Effect<FakeHome, never, Scope.Scope> =>
  Effect.gen(function* () {
    const store = yield* MemoryStore.make;
    const machine = yield* Layer.build(FakeTmux.layer(options.tmux));
    const tmux = Context.get(machine, FakeTmux);
    const program = (owner: string) => {
      const ports = Layer.mergeAll(
        TmuxClient.layer(),
        Registry.layerMemory(store, { owner }),
        options.hostLayer ?? FakeHost.layer(options.host),
        CountedIds.layer(owner),
        Layer.effect(
          Settings,
          Effect.map(Settings, (s) => ({ ...s, home: "home1", ...options.settings })),
        ),
      );
      const layer = Sessions.layer.pipe(
        Layer.provide(ports),
        Layer.provide(Layer.succeedContext(machine)),
      );
      return Effect.map(Layer.build(layer), Context.get(Sessions));
    };
    const records = () => [...store.records.values()];
    return {
      sessions: yield* program("program"),
      tmux,
      store,
      program,
      inTmux: Effect.map(
        Effect.orDie(tmux.client(["list-sessions", "-F", "#{session_name}"])),
        ({ stdout }) => stdout.split("\n").filter((line) => line !== ""),
      ),
      rows: Effect.sync(() =>
        records().map(({ generation, session, state }) => `${session}/${generation} ${state}`),
      ),
      record: (session) =>
        Effect.sync(() => {
          const found = records().findLast((record) => record.session === session);
          if (found === undefined) throw new Error(`there is no row of ${session}`);
          return found;
        }),
    };
  });
