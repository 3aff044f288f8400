/**
 * How many messages a second actors answer: one actor that one caller asks, or a hundred at once,
 * and ten thousand actors at once; the mailboxes alone, without registry and tmux.
 *
 * The peers answer the same question, a number that is there already: entities of @effect/cluster
 * through their test client (no network, no storage), nact's `query`, and an actor of xstate, which
 * answers nobody: its state is read behind each event. Actors exist before they are measured; the
 * mailboxes make and forget theirs with each burst. What counts is whether one actor is fast enough
 * that nobody needs another way around it.
 */
import { ClusterSchema, Entity, ShardingConfig } from "@effect/cluster";
import { Rpc } from "@effect/rpc";
import { makeMailboxes } from "@troupe/core";
import { Effect, Schema, type Scope } from "effect";
import { dispatch, query, spawnStateless, start, stop } from "nact";
import { createActor, fromTransition } from "xstate";
import { atLeast, compare, type Goal, heading, perSecond, type Way } from "./Rounds.js";

const rounds = Number(process.env.BENCH_ROUNDS ?? 12);

/** Asks the actor of this number once. */
type Ask = (actor: number) => Effect.Effect<unknown>;

const mailboxes: Effect.Effect<Ask, never, Scope.Scope> = Effect.map(makeMailboxes(128), (all) => {
  const work = Effect.succeed(1);
  return (actor) => Effect.orDie(all.ask(`n${actor}`, "bench", work));
});

const entities: Effect.Effect<Ask, never, Scope.Scope> = Effect.gen(function* () {
  const get = Rpc.make("Get", { success: Schema.Number }).annotate(ClusterSchema.Persisted, false);
  const entity = Entity.make("Bench", [get]);
  const layer = entity.toLayer({ Get: () => Effect.succeed(1) });
  const clientOf = yield* Entity.makeTestClient(entity, layer);
  const clients = new Map<number, Effect.Effect.Success<ReturnType<typeof clientOf>>>();
  return (actor: number) => {
    const known = clients.get(actor);
    if (known !== undefined) return Effect.orDie(known.Get());
    return Effect.flatMap(clientOf(`n${actor}`), (client) => {
      clients.set(actor, client);
      return Effect.orDie(client.Get());
    });
  };
}).pipe(Effect.provide(ShardingConfig.layer()));

const nact: Effect.Effect<Ask, never, Scope.Scope> = Effect.gen(function* () {
  const system = start();
  yield* Effect.addFinalizer(() => Effect.sync(() => stop(system)));
  const answering = () =>
    spawnStateless(system, ({ sender }: { sender: Parameters<typeof dispatch>[0] }) =>
      dispatch(sender, 1),
    );
  const actors = new Map<number, ReturnType<typeof answering>>();
  return (actor) => {
    const known = actors.get(actor) ?? answering();
    actors.set(actor, known);
    return Effect.promise(() => query(known, (sender) => ({ sender }), 60_000));
  };
});

const xstate: Effect.Effect<Ask> = Effect.sync(() => {
  const counting = () => createActor(fromTransition((count: number) => count + 1, 0)).start();
  const actors = new Map<number, ReturnType<typeof counting>>();
  return (actor) =>
    Effect.sync(() => {
      const known = actors.get(actor) ?? counting();
      actors.set(actor, known);
      known.send({ type: "count" });
      return known.getSnapshot().context;
    });
});

const oneCaller = (messages: number) => (ask: Ask) =>
  perSecond(messages, Effect.repeatN(ask(0), messages - 1));

const hundredCallers = (messages: number) => (ask: Ask) => {
  const callers = Array.from({ length: 100 }, () => Effect.repeatN(ask(0), messages / 100 - 1));
  return perSecond(messages, Effect.all(callers, { concurrency: "unbounded", discard: true }));
};

const everyActor = (actors: number) => (ask: Ask) => {
  const asked = Array.from({ length: actors }, (_, actor) => ask(actor));
  return perSecond(actors, Effect.all(asked, { concurrency: "unbounded", discard: true }));
};

const bench = Effect.gen(function* () {
  const peers: ReadonlyArray<readonly [string, Ask]> = [
    ["@effect/cluster", yield* entities],
    ["nact", yield* nact],
    ["xstate", yield* xstate],
    ["mailboxes", yield* mailboxes],
  ];
  const row = (what: string, measure: (ask: Ask) => Effect.Effect<number>, goal?: Goal) =>
    compare(
      what,
      rounds,
      peers.map(([name, ask]): Way => {
        const way = { name, once: measure(ask) };
        return name === "mailboxes" && goal !== undefined ? { ...way, goal } : way;
      }),
    );
  heading("messages a second");
  const enough: Goal = { of: "measure", atLeast: 100_000 };
  yield* row("one actor, one caller", oneCaller(20_000), enough);
  yield* row("one actor, a hundred callers", hundredCallers(20_000), enough);
  yield* row("ten thousand actors", everyActor(10_000), atLeast(1));
});

await Effect.runPromise(Effect.scoped(bench));
