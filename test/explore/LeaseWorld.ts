/**
 * LeaseWorld: programs that run turns on one home, as a world for the explorer.
 *
 * The real leases, turns and writers on a registry in memory; sessions are rows that are there, and
 * what a turn does is a line of a log. Each program is a process of its own that may crash. A scene
 * judges the log and the rows in the end.
 */
import {
  type Change,
  IncarnationId,
  type Lease,
  Leases,
  MemoryStore,
  Registry,
  SessionHandles,
  SessionName,
  Sessions,
  Settings,
  Turns,
  whileCurrent,
} from "@troupe/core";
import { CountedIds, Explore, exploredRegistry, FakeAwakeClock, type World } from "@troupe/testing";
import { Context, Effect, Layer, Schedule } from "effect";
import { ChildProcesses } from "./ChildProcesses.js";
import { troubledLeases, troubledNotes } from "./LeaseTrouble.js";

/** What a program of a scene has. */
export interface Kit {
  readonly owner: string;
  readonly handles: SessionHandles["Type"];
  readonly leases: Leases["Type"];
  readonly turns: Turns["Type"];
  readonly registry: Registry["Type"];
  readonly children: ChildProcesses;
  readonly log: (line: string) => Effect.Effect<void>;
  /** A step of a turn: done under the claim of the name while the lease is current. */
  readonly step: (
    lease: Lease,
    what: string,
    /** Run when it has been let in. */
    begun?: Effect.Effect<unknown>,
  ) => Effect.Effect<void, unknown>;
}

/** How it was in the end. */
export interface LeaseEnding {
  readonly log: ReadonlyArray<string>;
  /** The leases that are left, as `session owner`. */
  readonly rows: ReadonlyArray<string>;
}

/** What is explored. */
export interface LeaseScene {
  readonly name: string;
  readonly sessions: ReadonlyArray<string>;
  readonly programs: ReadonlyArray<(kit: Kit) => Effect.Effect<unknown, unknown>>;
  /** What happens beside them, whoever of them dies. */
  readonly meanwhile?: (world: Pick<Kit, "children" | "log">) => Effect.Effect<void>;
  readonly check: (ending: LeaseEnding) => string | null;
  /** Whether any program may die, or the first alone. */
  readonly crash?: boolean | "first";
  readonly time?: boolean;
  readonly sometimes?: ReadonlyArray<string>;
  /**
   * Whether each call about leases may be slow, or fail: before it did anything, or behind it; or
   * those alone that write down what runs under one.
   */
  readonly troubled?: boolean | "notes";
  /** Whether nobody sweeps but the service itself, which does so for what it holds or doubts. */
  readonly ownSweeps?: boolean;
  /** Whether a look at a process may take a while. */
  readonly slowLooks?: boolean;
  /** What is different in a twin, from which a guard was taken. */
  readonly flawed?: (registry: Registry["Type"], store: MemoryStore) => Registry["Type"];
  readonly flawedLeases?: (leases: Leases["Type"], registry: Registry["Type"]) => Leases["Type"];
  readonly flawedKit?: (kit: Kit) => Kit;
}

const spec = { command: ["x"], cwd: "/", envNames: [], inheritEnv: false, log: true };
const begin: Change = {
  _tag: "Begin",
  spec: { ...spec, columns: 80, rows: 24 },
  server: { pid: 1, startTime: 1 },
  requestId: null,
};

/** A name. */
export const name = (session: string): SessionName => SessionName.make(session);

/** The claim of the name, for one message; a living holder is waited for. */
const claimed = (registry: Registry["Type"], session: SessionName) =>
  registry
    .claim(session, { attempted: "explored", force: false })
    .pipe(Effect.retry({ while: (e) => e._tag === "Busy", schedule: Schedule.spaced(50) }));

const moves = (...states: ReadonlyArray<"running" | "deleting" | "deleted">) =>
  states.map((to): Change => ({ _tag: "Move", to, cause: null }));

const idOf = (session: string): IncarnationId => IncarnationId.make(`incarnation-${session}`);

/** Makes the row of a session that runs. */
export const made = (registry: Registry["Type"], session: string) =>
  Effect.flatMap(claimed(registry, name(session)), (claim) =>
    registry.commit(claim, idOf(session), [begin, ...moves("running")], { release: true }),
  );

/** Ends the session, as a delete does. */
export const ended = (registry: Registry["Type"], session: string) =>
  Effect.flatMap(claimed(registry, name(session)), (claim) =>
    registry.commit(claim, idOf(session), moves("deleting", "deleted"), { release: true }),
  );

/** No row of a session is touched by a turn here. */
const noSessions = Layer.succeed(Sessions, {
  reconcile: () => Effect.dieMessage("no scene reconciles"),
} as unknown as Sessions["Type"]);

const BOUNDS = {
  turnSettleMs: 100,
  // One, so that a release that fails once is owed.
  leaseAttempts: 1,
  leaseBackoffMs: 10,
  leaseOrphanGraceMs: 0,
  leaseRecheckMs: 1_000,
};

/** A program that lives for some sweeps of its own accord. */
const waits = (body: LeaseScene["programs"][number]) => (kit: Kit) =>
  Effect.zipRight(Effect.exit(body(kit)), Effect.sleep(2_500));

/** A program that sweeps now and then, also when it holds nothing, and lives to do it again. */
const swept = (body: LeaseScene["programs"][number]) => (kit: Kit) =>
  Effect.gen(function* () {
    const sweep = Effect.zipRight(Effect.sleep(1_000), Effect.exit(kit.leases.sweep));
    yield* Effect.forkScoped(Effect.forever(sweep));
    yield* Effect.exit(body(kit));
    yield* Effect.sleep(2_500);
  });

const registryOf = ({ troubled }: LeaseScene, registry: Registry["Type"]): Registry["Type"] => {
  if (troubled === "notes") return troubledNotes(registry);
  return troubled === true ? troubledLeases(registry) : registry;
};

const kitOf = (
  scene: LeaseScene,
  store: MemoryStore,
  owner: string,
  { children, log }: Pick<Kit, "children" | "log">,
) =>
  Effect.gen(function* () {
    const memory = Context.get(
      yield* Layer.build(Registry.layerMemory(store, { owner })),
      Registry,
    );
    const met = registryOf(scene, memory);
    const registry = exploredRegistry(scene.flawed?.(met, store) ?? met);
    const settings = Layer.effect(
      Settings,
      Effect.map(Settings, (s) => ({
        ...s,
        ...BOUNDS,
        ...(scene.ownSweeps === true ? { leaseSweepMs: 1_000 } : {}),
      })),
    );
    const leases = Layer.map(Leases.layer, (context) => {
      const real = Context.get(context, Leases);
      return Context.make(Leases, scene.flawedLeases?.(real, registry) ?? real);
    });
    const built = yield* SessionHandles.layer.pipe(
      Layer.provideMerge(Turns.layer),
      Layer.provideMerge(leases),
      Layer.provide(noSessions),
      Layer.provide(Layer.succeed(Registry, registry)),
      Layer.provide(CountedIds.layer(`lease-${owner}`)),
      Layer.provide(Layer.merge(children.table, FakeAwakeClock.layer)),
      Layer.provide(settings),
      Layer.build,
    );
    const kit: Kit = {
      owner,
      registry,
      handles: Context.get(built, SessionHandles),
      leases: Context.get(built, Leases),
      turns: Context.get(built, Turns),
      children,
      log,
      step: (lease, what, begun = Effect.void) =>
        Effect.gen(function* () {
          const claim = yield* claimed(registry, lease.session);
          const done = Effect.all([begun, stepTime(lease), log(what)], { discard: true });
          const exit = yield* Effect.exit(whileCurrent(lease, "step", done));
          yield* registry.release(claim, { fenceDue: false });
          yield* exit;
        }).pipe(Effect.uninterruptible, Effect.provideService(Registry, registry)),
    };
    return scene.flawedKit?.(kit) ?? kit;
  });

/** How long a step takes: one of an older epoch longer. */
export const stepTime = (lease: Lease): Effect.Effect<void> => Effect.sleep(60 / lease.epoch);

/** The world of a scene. */
export const leaseWorld = (scene: LeaseScene): World<LeaseEnding> => ({
  name: scene.name,
  ...(scene.crash === undefined ? {} : { crash: scene.crash === true }),
  ...(scene.time === undefined ? {} : { time: scene.time }),
  ...(scene.sometimes === undefined ? {} : { sometimes: scene.sometimes }),
  start: () => {
    const log: Array<string> = [];
    const program = Effect.gen(function* () {
      const store = yield* MemoryStore.make;
      const setUp = Context.get(
        yield* Layer.build(Registry.layerMemory(store, { owner: "before" })),
        Registry,
      );
      for (const session of scene.sessions) yield* made(setUp, session);
      const note = (line: string) => Effect.sync(() => void log.push(line));
      const world = { children: new ChildProcesses(store, scene.slowLooks), log: note };
      const programs = yield* Effect.forEach(scene.programs, (body, index) => {
        const owner = `program${index + 1}`;
        const crashed = Effect.sync(() => void log.push(`crash ${owner}`));
        const played =
          scene.troubled === true ? (scene.ownSweeps === true ? waits : swept)(body) : body;
        return Explore.program(
          owner,
          Explore.scoped(
            Effect.flatMap(Explore.quietly(kitOf(scene, store, owner, world)), played),
          ),
          {
            ...(scene.crash === "first" ? { mayCrash: index === 0 } : {}),
            onCrash: Effect.zipRight(store.declare(owner, "dead"), crashed),
          },
        );
      });
      if (scene.meanwhile !== undefined) yield* Effect.fork(scene.meanwhile(world));
      for (const { ending } of programs) yield* ending;
      const rows = [...store.leases.values()].map(({ owner, session }) => `${session} ${owner}`);
      return { log: [...log], rows };
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: scene.check, state: () => log.join(", ") };
  },
});
