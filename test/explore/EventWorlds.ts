/**
 * EventWorlds: subscribe ∥ commit: a subscriber that comes at any moment is told each event once,
 * in order, and none falls between what it reads and what it waits for.
 *
 * Two programs on one store, one that writes and one that subscribes, each call of the registry a
 * scheduling point; then the same with a switch before every operation that can be seen. One more
 * subscriber may be interrupted anywhere.
 */
import {
  IncarnationId,
  type LogEntry,
  MemoryStore,
  makeSubscribe,
  Registry,
  SessionName,
} from "@troupe/core";
import { Explore, exploredRegistry, type World } from "@troupe/testing";
import { Context, Effect, Exit, Layer, Stream } from "effect";
import type { NamedWorld } from "./NamedWorld.js";

/** The registry of a home. */
export type Port = Registry["Type"];

const session = SessionName.make("a");
const incarnation = IncarnationId.make("incarnation-1");
const spec = {
  command: ["x"],
  cwd: "/",
  envNames: [],
  inheritEnv: false,
  log: true,
  columns: 80,
  rows: 24,
};
const begin = { _tag: "Begin", spec, server: { pid: 1, startTime: 1 }, requestId: null } as const;
const moveTo = (to: "running" | "deleting" | "deleted") =>
  ({ _tag: "Move", to, cause: null }) as const;

/** A session's life in three commits, of which the last writes two events. */
const write = (registry: Port) =>
  Effect.gen(function* () {
    const claim = yield* registry.claim(session, { attempted: "write", force: false });
    const commit = (...changes: Parameters<Port["commit"]>[2]) =>
      registry.commit(claim, incarnation, changes, { release: false });
    yield* commit(begin);
    yield* commit(moveTo("running"));
    yield* commit(moveTo("deleting"), moveTo("deleted"));
  });

const isLast = (entry: LogEntry) =>
  entry.type === "event" && entry.body.type === "session" && entry.body.state === "deleted";

const numberOf = (entry: LogEntry) => (entry.type === "gap" ? -1 : entry.sequence);

/** What a subscriber is told until the session is deleted; its end is the world's. */
const follow = (registry: Port) =>
  Effect.gen(function* () {
    const subscribe = yield* makeSubscribe;
    const told = Stream.takeUntil(subscribe(), isLast);
    return Array.from(yield* Stream.runCollect(told), numberOf);
  }).pipe(Effect.provideService(Registry, registry), Effect.scoped);

interface Told {
  readonly follower: string;
  readonly waiting: number;
}

/** A writer, a subscriber, and one that may leave. */
export const eventWorld = (
  options: Pick<World<Told>, "name" | "granularity" | "sometimes">,
  change: () => (registry: Port) => Port,
): World<Told> => ({
  ...options,
  start: () => {
    const changed = change();
    const program = Effect.gen(function* () {
      const store = yield* MemoryStore.make;
      const registryOf = (owner: string) =>
        Explore.quietly(
          Effect.map(Layer.build(Registry.layerMemory(store, { owner })), (context) =>
            exploredRegistry(changed(Context.get(context, Registry))),
          ),
        );
      const writer = yield* Effect.map(registryOf("writer"), write);
      const reader = yield* registryOf("reader");
      const leaver = Explore.interruptible("leaver", follow(reader)).pipe(
        Effect.tap((exit) =>
          Effect.when(Explore.reached("a subscriber left"), () => Exit.isInterrupted(exit)),
        ),
      );
      const all = [Explore.named("writer")(writer), Explore.named("follower")(follow(reader))];
      const [, told] = yield* Effect.all([...all, leaver], { concurrency: "unbounded" });
      return { follower: JSON.stringify(told), waiting: store.waiting.size };
    });
    return {
      program: Explore.scoped(program),
      check: ({ follower, waiting }) => {
        if (follower !== "[1,2,3,4]") return `the follower was told ${follower}`;
        return waiting === 0 ? null : `${waiting} still wait`;
      },
    };
  },
});

const asItIs = () => (registry: Port) => registry;

/** Where fibers switch, and to what cost. */
export const eventWorlds: ReadonlyArray<NamedWorld> = [
  ["ports", 2] as const,
  ["visible", 1] as const,
].map(([granularity, cost]) => {
  const name = `subscribe ∥ commit, ${granularity}`;
  const sometimes = ["a subscriber left"];
  return { world: eventWorld({ name, granularity, sometimes }, asItIs), cost };
});
