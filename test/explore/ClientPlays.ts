/**
 * ClientPlays: who is at a writer, told once of each thing, there until his peer is gone, answered
 * as he leaves, whatever he waits for; and whose end is told to whom.
 *
 * One after the other, but for one who detaches and is cut off in the middle of it: he has left, or
 * is there as before and may leave again.
 */
import type { AttachElement, SessionHandle } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Deferred, Effect, Exit, Fiber, Scope, Stream } from "effect";
import { attachmentWorld } from "./AttachmentWorld.js";
import type { NamedWorld } from "./NamedWorld.js";
import { play, type Stage, tagOf } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

const GRACE_MS = 1_000;
const SETTLE_MS = 60_000;
const SETTINGS = { orphanGraceMs: GRACE_MS, activityStaleMs: 0, interruptSettleMs: SETTLE_MS };

/** Longer than a peer that does not tell by itself is left unasked. */
const PEER_MS = 400_000;

const begun = (stage: Stage) =>
  Effect.tap(stage.program("one"), ({ sessions }) => sessions.create(spec));

const stateOf = ({ attachment }: SessionHandle) => Effect.map(attachment, ({ _tag }) => _tag);

/** A scope that is closed to leave. */
const within = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make();
    const value = yield* Scope.extend(effect, scope);
    return { value, leaves: Scope.close(scope, Exit.void) };
  });

const once = play("a peer that is attached twice, beside another of its name", (stage) =>
  Effect.gen(function* () {
    const { handles, sessions } = yield* begun(stage);
    const handle = yield* handles.get("a");
    const heard = { one: [] as number[], other: [] as number[] };
    const peer = (who: keyof typeof heard) => ({
      id: "client",
      deliver: (element: AttachElement) =>
        Effect.sync(() => {
          if (element.type === "log" && element.entry.type === "event")
            heard[who].push(element.entry.sequence);
        }),
    });
    const attach = (client: ReturnType<typeof peer>) =>
      within(handle.attach(client, { output: false }));
    const one = peer("one");
    const first = yield* attach(one);
    const second = yield* attach(one);
    const other = yield* attach(peer("other"));
    const happens = Effect.gen(function* () {
      for (const told of Object.values(heard)) told.splice(0);
      yield* sessions.addTerminal(spec);
      yield* Effect.sleep(10);
      return [heard.one, heard.other].map((told) =>
        told.length === 0 ? "nothing" : told.length === new Set(told).size ? "once" : "twice",
      );
    });
    stage.is("twice", yield* happens, ["once", "once"]);
    yield* first.leaves;
    stage.is("still by the second", yield* happens, ["once", "once"]);
    yield* second.leaves;
    stage.is("gone", yield* happens, ["nothing", "once"]);
    yield* other.leaves;
    yield* attach(one);
    stage.is("back", yield* happens, ["once", "nothing"]);
  }),
);

/** How a peer shows that it is gone, and shows it. */
const peers = Effect.gen(function* () {
  const ends = yield* Deferred.make<void>();
  let isOver = false;
  const go = Effect.sync(() => {
    isOver = true;
  });
  return [
    { how: { closed: Deferred.await(ends) }, go: Deferred.succeed(ends, undefined) },
    { how: { isClosed: () => isOver }, go },
  ];
});

const there = play(
  "a client is there until its peer is gone",
  (stage) =>
    Effect.gen(function* () {
      const { handles } = yield* begun(stage);
      for (const { go, how } of yield* peers) {
        const handle = yield* handles.get("a");
        const { leaves } = yield* within(handle.attach({ id: "client", ...how }));
        yield* Effect.sleep(2 * PEER_MS);
        stage.is("it is there", yield* stateOf(handle), "Attached");
        yield* go;
        yield* Effect.sleep(PEER_MS);
        stage.is("it is gone", yield* stateOf(handle), "Gone");
        yield* leaves;
      }
    }),
  { settings: { ...SETTINGS, idleReleaseMs: 0 } },
);

const waits = play(
  "a client that waits for an interrupt, and leaves",
  (stage) =>
    Effect.gen(function* () {
      const { handles } = yield* begun(stage);
      const handle = yield* handles.get("a");
      const runs = yield* Deferred.make<void>();
      const slow = Effect.ensuring(
        Effect.zipRight(Deferred.succeed(runs, undefined), Effect.never),
        Effect.sleep(SETTLE_MS / 2),
      );
      const turn = yield* Effect.fork(Effect.exit(handle.runTurn(() => slow)));
      yield* Deferred.await(runs);
      const first = yield* within(handle.attach({ id: "first" }));
      yield* first.leaves;
      yield* Effect.sleep(2 * GRACE_MS);
      stage.is("it is stopped", yield* stateOf(handle), "Interrupting");
      const [one] = yield* peers;
      const come = (id: string, how = {}) =>
        Effect.fork(
          tagOf(Effect.asVoid(within(handle.attach({ id, ...how }, { waitForSettle: true })))),
        );
      const stays = yield* come("stays");
      const leaves = yield* come("leaves", one?.how);
      yield* Effect.sleep(GRACE_MS);
      yield* one?.go ?? Effect.void;
      yield* Effect.sleep(10);
      const answer = yield* Fiber.poll(leaves);
      stage.is(
        "who left is answered",
        answer._tag === "Some" && answer.value,
        Exit.succeed("ClientGone"),
      );
      stage.is("who stays is not", (yield* Fiber.poll(stays))._tag, "None");
      yield* Fiber.join(turn);
      stage.is("then he is there", yield* Fiber.join(stays), "ok");
      stage.is("at it", yield* stateOf(handle), "Attached");
    }),
  { settings: SETTINGS },
);

const older = play("the end of a writer that is not the newest of its name", (stage) =>
  Effect.gen(function* () {
    const { handles } = yield* begun(stage);
    const told: Array<string> = [];
    yield* Effect.forkScoped(
      Stream.runForEach(handles.reclaimed, ({ actor }) => Effect.sync(() => void told.push(actor))),
    );
    yield* Effect.sleep(1);
    const [old, now] = [yield* handles.get("a"), yield* handles.get("a", { anew: true })];
    yield* old.end("lru_evict");
    yield* Effect.sleep(1);
    stage.is("the old one's", told, []);
    stage.is("whom who asks is given", (yield* handles.get("a")).actor, now.actor);
    yield* now.end("lru_evict");
    yield* Effect.sleep(1);
    stage.is("the newest one's", told, [now.actor]);
  }),
);

/** Who was cut off as he detached has left, or leaves when he detaches again. */
const cutOff: NamedWorld = {
  cost: 1,
  world: {
    ...attachmentWorld({
      name: "a client that detaches, and is cut off in the middle of it",
      body: (kit) =>
        Effect.gen(function* () {
          const handle = yield* kit.handles.get("a");
          const { leaves, value } = yield* within(handle.attach({ id: "client" }));
          yield* Explore.interruptible("detach", value.detach);
          yield* value.detach;
          yield* kit.log(yield* stateOf(handle));
          yield* leaves;
        }),
      check: ({ log: [state] }) => (state === "Detached" ? null : `it is ${state}`),
    }),
    granularity: "visible",
  },
};

/** The worlds. */
export const clientPlays: ReadonlyArray<NamedWorld> = [once, there, waits, older, cutOff];
