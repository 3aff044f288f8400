/**
 * AttachmentWorld: clients that come to writers of one program and go, as a world for the explorer.
 *
 * The real writers, leases and turns on a registry in memory; sessions are rows, and a look for
 * tmux clients is a call that takes its turn. Bounds are small, and time passes when nothing else
 * can go on, or as a choice. A scene judges its log and what is left in the end.
 */
import {
  type Change,
  IncarnationId,
  Leases,
  LookupFailed,
  MemoryStore,
  Registry,
  type SessionHandle,
  SessionHandles,
  SessionName,
  Sessions,
  Settings,
  Turns,
} from "@troupe/core";
import { CountedIds, Explore, exploredRegistry, FakeAwakeClock, type World } from "@troupe/testing";
import { Context, Effect, Layer, Schedule, type Scope, Stream } from "effect";
import { ownProcess } from "./OwnProcess.js";

/** Grace, and what else is bounded, in milliseconds of the world's time. */
export const GRACE_MS = 100;

/** What a scene has. */
export interface Kit {
  readonly handles: SessionHandles["Type"];
  readonly log: (line: string) => Effect.Effect<void>;
  /** Deletes the session `a`, as another program does. */
  readonly deleted: Effect.Effect<void, unknown>;
}

/** How it was in the end. */
export interface AttachmentEnding {
  readonly log: ReadonlyArray<string>;
  /** The leases that are left, as `session`. */
  readonly leases: ReadonlyArray<string>;
  /** The sessions that have not ended. */
  readonly sessions: ReadonlyArray<string>;
}

/** What is explored. */
export interface AttachmentScene {
  readonly name: string;
  readonly body: (kit: Kit) => Effect.Effect<unknown, unknown>;
  readonly check: (ending: AttachmentEnding) => string | null;
  readonly time?: boolean;
  readonly sometimes?: ReadonlyArray<string>;
  /** Whether a look for tmux clients may fail. */
  readonly blind?: boolean;
  /** A writer without one of its guards. */
  readonly flawed?: (handle: SessionHandle, scope: Scope.Scope) => SessionHandle;
}

const spec = { command: ["x"], cwd: "/", envNames: [], inheritEnv: false, log: true };
const begin: Change = {
  _tag: "Begin",
  spec: { ...spec, columns: 80, rows: 24 },
  server: { pid: 1, startTime: 1 },
  requestId: null,
};
const moves = (...states: ReadonlyArray<"running" | "deleting" | "deleted">) =>
  states.map((to): Change => ({ _tag: "Move", to, cause: null }));
const session = SessionName.make("a");
const incarnation = IncarnationId.make("incarnation-a");

const claimed = (registry: Registry["Type"]) =>
  registry
    .claim(session, { attempted: "explored", force: false })
    .pipe(Effect.retry({ while: (e) => e._tag === "Busy", schedule: Schedule.spaced(50) }));

const changed = (registry: Registry["Type"], changes: ReadonlyArray<Change>) =>
  Effect.flatMap(claimed(registry), (claim) =>
    registry.commit(claim, incarnation, changes, { release: true }),
  );

const blindness = new LookupFailed({
  session: "a",
  attempted: "look for clients",
  source: "tmux",
  reason: "timeout",
  detail: "chosen",
});

/** Of sessions only the looks are asked here; nobody shows one. */
const sessionsOf = (blind: boolean) =>
  Layer.succeed(Sessions, {
    reconcile: () => Effect.dieMessage("no scene reconciles"),
    events: () => Stream.never,
    output: () => Stream.never,
    clients: () =>
      Effect.flatMap(
        Effect.zipRight(
          Explore.point("list the clients"),
          blind
            ? Explore.choose("tmux", ["answers", "does not"] as const)
            : Effect.succeed("answers"),
        ),
        (what) => (what === "answers" ? Effect.succeed([]) : blindness),
      ),
  } as unknown as Sessions["Type"]);

const BOUNDS = {
  orphanGraceMs: GRACE_MS,
  activityStaleMs: 0,
  interruptSettleMs: 200,
  turnSettleMs: 50,
  leaseBackoffMs: 10,
  idleReleaseMs: 0,
};

const kitOf = (scene: AttachmentScene, store: MemoryStore, log: Array<string>) =>
  Effect.gen(function* () {
    const memory = Context.get(
      yield* Layer.build(Registry.layerMemory(store, { owner: "one" })),
      Registry,
    );
    const registry = exploredRegistry(memory);
    const settings = Layer.effect(
      Settings,
      // A twin has a reaper of its own.
      Effect.map(Settings, (s) => ({ ...s, ...BOUNDS, ...(scene.flawed && { orphanGraceMs: 0 }) })),
    );
    const built = yield* SessionHandles.layer.pipe(
      Layer.provide(Turns.layer),
      Layer.provide(Leases.layer),
      Layer.provide(sessionsOf(scene.blind === true)),
      Layer.provide(Layer.succeed(Registry, registry)),
      Layer.provide(CountedIds.layer("writer")),
      Layer.provide(Layer.merge(ownProcess, FakeAwakeClock.layer)),
      Layer.provide(settings),
      Layer.build,
    );
    const other = exploredRegistry(
      Context.get(yield* Layer.build(Registry.layerMemory(store, { owner: "other" })), Registry),
    );
    const real = Context.get(built, SessionHandles);
    const scope = yield* Effect.scope;
    const get: SessionHandles["Type"]["get"] = (name, options) =>
      Effect.map(real.get(name, options), (handle) => scene.flawed?.(handle, scope) ?? handle);
    const kit: Kit = {
      handles: { ...real, get },
      log: (line) => Effect.sync(() => void log.push(line)),
      deleted: Effect.asVoid(changed(other, moves("deleting", "deleted"))),
    };
    return kit;
  });

/** The world of a scene. */
export const attachmentWorld = (scene: AttachmentScene): World<AttachmentEnding> => ({
  name: scene.name,
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
      yield* changed(setUp, [begin, ...moves("running")]);
      const play = Effect.flatMap(Explore.quietly(kitOf(scene, store, log)), scene.body);
      const { ending } = yield* Explore.program("program", Explore.scoped(play));
      yield* ending;
      const leases = [...store.leases.values()].map((lease) => lease.session as string);
      const sessions = [...store.records.values()]
        .filter(({ state }) => state === "running")
        .map((record) => record.session as string);
      return { log: [...log], leases, sessions };
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: scene.check, state: () => log.join(", ") };
  },
});
