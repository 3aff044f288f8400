/**
 * LeaseHome: programs with leases on one home in memory, on the test's clock, and nothing else.
 *
 * Sessions are rows that were brought there by hand. A program is killed by declaring its owner
 * dead: its fibers are gone with its scope, and its rows stay. `rows` is what outlives it.
 */
import {
  ActorId,
  AwakeClock,
  type Change,
  IncarnationId,
  Leases,
  type LeaseView,
  type LeaseWriter,
  LookupFailed,
  MemoryStore,
  type ProcessEntry,
  ProcessTable,
  Registry,
  SessionName,
  Settings,
  type SettingsShape,
} from "@troupe/core";
import { CountedIds, FakeAwakeClock } from "@troupe/testing";
import { Context, Effect, identity, Layer, type Scope } from "effect";

/** Around the registry of a program: what fails, or waits. */
export type Around = (registry: Registry["Type"]) => Registry["Type"];

/** How a program differs. */
export interface LeaseProgramOptions {
  readonly settings?: Partial<SettingsShape>;
  readonly around?: Around;
  readonly component?: string;
}

/** One program. */
export interface LeaseProgram {
  readonly leases: Leases["Type"];
  readonly registry: Registry["Type"];
}

/** One home. */
export interface LeaseHome {
  readonly store: MemoryStore;
  /** The processes that can be looked at, by pid; `null` cannot be. */
  readonly processes: Map<number, ProcessEntry | null>;
  readonly suspend: FakeAwakeClock["Type"]["suspend"];
  readonly awake: AwakeClock["Type"];
  readonly ports: Context.Context<AwakeClock | ProcessTable>;
  readonly program: (
    owner: string,
    options?: LeaseProgramOptions,
  ) => Effect.Effect<LeaseProgram, never, Scope.Scope>;
  /** The leases as they are, as `session actor epoch`. */
  readonly rows: () => ReadonlyArray<string>;
}

/** A process that lives. */
export const living = (pid: number): ProcessEntry => ({
  id: { pid, startTime: pid, bootId: "boot" },
  parent: 1,
  program: "node",
  tmuxServer: false,
  processSession: 1,
  catchesTerm: false,
});

const tableOf = (processes: LeaseHome["processes"]): ProcessTable["Type"] => ({
  bootId: Effect.succeed("boot"),
  ownPid: 1,
  look: (pid) => {
    const found = processes.get(pid);
    if (found !== null) return Effect.succeed(found ?? null);
    const where = { session: null, attempted: "look", detail: "hidden" };
    return new LookupFailed({ ...where, source: "processes", reason: "permission" });
  },
  snapshot: Effect.succeed([]),
  marked: () => Effect.succeed([]),
  signal: () => Effect.void,
});

const spec = { command: ["x"], cwd: "/", envNames: [], inheritEnv: false, log: true };
const begin: Change = {
  _tag: "Begin",
  spec: { ...spec, columns: 80, rows: 24 },
  server: { pid: 1, startTime: 1 },
  requestId: null,
};
const moves = (...states: ReadonlyArray<"running" | "deleting" | "deleted">) =>
  states.map((to): Change => ({ _tag: "Move", to, cause: null }));

/** A session's name. */
export const name = (session: string): SessionName => SessionName.make(session);

/** A writer that nobody is at. */
export const writer = (
  session: string,
  actor: string,
  more: Partial<LeaseWriter> = {},
): LeaseWriter => ({
  session: name(session),
  actor: ActorId.make(actor),
  surface: "test",
  attended: () => false,
  taken: Effect.void,
  ...more,
});

/** Brings a session there, as a message would; its generation is counted. */
export const begun = (registry: Registry["Type"], session: string, number = 1) =>
  Effect.gen(function* () {
    const claim = yield* registry.claim(name(session), { attempted: "test", force: false });
    const incarnation = IncarnationId.make(`${session}-000000${number}`);
    const changes = [begin, ...moves("running")];
    yield* registry.commit(claim, incarnation, changes, { release: true });
    return incarnation;
  }).pipe(Effect.orDie);

/** Ends it, as a delete would. */
export const ended = (registry: Registry["Type"], session: string) =>
  Effect.gen(function* () {
    const known = yield* Effect.flatten(registry.get(name(session)));
    const claim = yield* registry.claim(name(session), { attempted: "test", force: false });
    const changes = moves("deleting", "deleted");
    yield* registry.commit(claim, known.incarnation, changes, { release: true });
  }).pipe(Effect.orDie);

/** What a table of leases says, in words. */
export const short = ({ actor, epoch, session }: Pick<LeaseView, "actor" | "epoch" | "session">) =>
  `${session} ${actor} ${epoch}`;

/** A home with these sessions. */
export const leaseHome = (
  ...sessions: ReadonlyArray<string>
): Effect.Effect<LeaseHome, never, Scope.Scope> =>
  Effect.gen(function* () {
    const store = yield* MemoryStore.make;
    const processes: LeaseHome["processes"] = new Map();
    const clock = yield* Layer.build(FakeAwakeClock.layer);
    const table = Context.make(ProcessTable, tableOf(processes));
    const ports = Context.merge(Context.pick(AwakeClock)(clock), table);
    const setUp = yield* Layer.build(Registry.layerMemory(store, { owner: "before" }));
    for (const session of sessions) yield* begun(Context.get(setUp, Registry), session);
    return {
      store,
      processes,
      ports,
      awake: Context.get(clock, AwakeClock),
      suspend: Context.get(clock, FakeAwakeClock).suspend,
      program: (owner, { around = identity, component = "sessions", settings = {} } = {}) =>
        Effect.gen(function* () {
          const memory = yield* Layer.build(Registry.layerMemory(store, { owner }));
          const registry = around(Context.get(memory, Registry));
          const built = yield* Leases.layerFor(component).pipe(
            Layer.provide(Layer.succeed(Registry, registry)),
            Layer.provide(CountedIds.layer(`lease-${owner}`)),
            Layer.provide(Layer.succeedContext(ports)),
            Layer.provide(
              Layer.effect(
                Settings,
                Effect.map(Settings, (s) => ({ ...s, ...settings })),
              ),
            ),
            Layer.build,
          );
          return { registry, leases: Context.get(built, Leases) };
        }),
      rows: () => [...store.leases.values()].map(short),
    };
  });
