/**
 * LeasePlays: who gets a lease, how long he is waited for, who takes it over and what becomes of
 * the one that had it, with every option of it, one after the other.
 *
 * What is lent is worth nothing behind a takeover, and never for another name.
 */
import { ActorId, type LeaseVouch, SessionName, vouchFor } from "@troupe/core";
import { Deferred, Effect, Exit, Fiber, Option, Scope } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { type PlayedProgram, play, type Stage, tagOf } from "./PlayWorld.js";

const spec = (session: string) => ({ session, command: ["sleep", "100000"], cwd: "/" });
const a = SessionName.make("a");
const b = SessionName.make("b");

/** Two programs, and the sessions `a` and `b`. */
const begun = (stage: Stage) =>
  Effect.gen(function* () {
    const [one, two] = [yield* stage.program("one"), yield* stage.program("two")];
    yield* one.sessions.create(spec("a"));
    yield* one.sessions.create(spec("b"));
    return { one, two };
  });

/** A turn of a writer of `a` that lasts so long. */
const works = ({ handles }: PlayedProgram, ms: number) =>
  Effect.gen(function* () {
    const handle = yield* handles.get("a");
    const begins = yield* Deferred.make<void>();
    const work = Effect.zipRight(Deferred.succeed(begins, undefined), Effect.sleep(ms));
    const turn = yield* Effect.fork(Effect.exit(handle.runTurn(() => work)));
    yield* Deferred.await(begins);
    return { handle, turn };
  });

/** How long it took, and how it ended. */
const timed = <A>(effect: Effect.Effect<A, unknown>) =>
  Effect.gen(function* () {
    const from = yield* Effect.clockWith((clock) => clock.currentTimeMillis);
    const exit = yield* Effect.exit(effect);
    const to = yield* Effect.clockWith((clock) => clock.currentTimeMillis);
    return { ms: to - from, exit };
  });

const failureOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.match(exit, {
    onSuccess: () => "ok",
    onFailure: (cause) =>
      cause._tag === "Fail" && cause.error instanceof Error ? cause.error.name : cause._tag,
  });

const waiting = play("a takeover that waits for a turn, too short and long enough", (stage) =>
  Effect.gen(function* () {
    const { one, two } = yield* begun(stage);
    const { handle, turn } = yield* works(one, 1_000);
    stage.is("at once", yield* tagOf(two.handles.takeOver("a")), "LeaseHeld");
    const short = yield* timed(two.handles.takeOver("a", { waitMs: 300 }));
    stage.is("too short", [failureOf(short.exit), short.ms], ["LeaseHeld", 300]);
    stage.is("the old one", yield* handle.state, "open");
    const long = yield* timed(two.handles.takeOver("a", { waitMs: 5_000, surface: "taker" }));
    stage.is("long enough", failureOf(long.exit), "ok");
    stage.is("it waited for the turn", long.ms >= 600 && long.ms < 1_000, true);
    stage.is("the turn", failureOf(yield* Fiber.join(turn)), "ok");
    const now = Option.getOrNull(yield* two.leases.current(a));
    stage.is("whose it is", [now?.surface, now?.holder], ["taker", "self"]);
    stage.is("a turn of the old one", yield* tagOf(handle.runTurn(() => Effect.void)), "LeaseLost");
    stage.is("the old one behind it", yield* handle.state, "lost");
  }),
);

const forced = play("a takeover by force, of a turn that runs, and of one that is lent", (stage) =>
  Effect.gen(function* () {
    const { one, two } = yield* begun(stage);
    const handle = yield* one.handles.get("a", { surface: "first" });
    const lent = yield* Deferred.make<LeaseVouch>();
    const turn = yield* Effect.fork(
      Effect.exit(
        handle.runTurn((_, lease) =>
          Effect.gen(function* () {
            if (lease._tag === "Owned") {
              const vouch = Option.getOrThrow(vouchFor(lease, a));
              stage.is("a vouch for another name", Option.isNone(vouchFor(lease, b)), true);
              yield* Deferred.succeed(lent, vouch);
            }
            yield* Effect.sleep(1_000);
            return yield* one.sessions.under(lease).send("x");
          }),
        ),
      ),
    );
    const vouch = yield* Deferred.await(lent);
    const borrowed = yield* two.leases.borrow(vouch, a);
    const other = yield* tagOf(two.leases.borrow(vouch, b));
    stage.is("borrowed for another name", other, "LeaseLost");
    yield* two.handles.get("b").pipe(Effect.flatMap((h) => h.runTurn(() => Effect.void)));
    const held = yield* tagOf(two.leases.borrow(vouch, b));
    stage.is("borrowed for one that another has", held, "LeaseHeld");
    stage.is("while it is lent", yield* tagOf(two.leases.guarded(borrowed)), "ok []");
    const child = yield* two.handles.get("a", { lease: borrowed, anew: true });
    stage.is("a turn under it", yield* tagOf(child.runTurn(() => Effect.void)), "ok");
    const third = yield* stage.program("three");
    const taken = yield* timed(third.handles.takeOver("a", { force: true }));
    stage.is("at once", [failureOf(taken.exit), taken.ms], ["ok", 0]);
    stage.is("behind it", yield* tagOf(two.leases.guarded(borrowed)), "LeaseLost");
    stage.is("borrowed again", yield* tagOf(two.leases.borrow(vouch, a)), "LeaseLost");
    stage.is("a turn of the child", yield* tagOf(child.runTurn(() => Effect.void)), "LeaseLost");
    stage.is("a step of the old turn", failureOf(yield* Fiber.join(turn)), "LeaseLost");
    const told = stage.store.events.map(({ body }) => ("holder" in body ? body.type : null));
    stage.is("it is told", told.includes("lease"), true);
    stage.is("the old one's end", yield* tagOf(handle.end("explicit_close")), "ok");
    const now = Option.getOrNull(yield* third.leases.current(a));
    stage.is("whose it is", [now?.holder, now?.activity], ["self", "idle"]);
  }),
);

const never = { surface: "explored", attended: () => false, taken: Effect.void };

const writer = (session: SessionName, actor: string) => ({
  ...never,
  session,
  actor: ActorId.make(actor),
});

const acquired = play("leases that scopes acquire, share, move and give back", (stage) =>
  Effect.gen(function* () {
    const { one, two } = yield* begun(stage);
    const [first, second] = [yield* Scope.make(), yield* Scope.make()];
    const held = () => [...stage.store.leases.values()].map(({ session }) => session as string);
    const lease = yield* Scope.extend(one.leases.acquire(writer(a, "x")), first);
    const same = yield* Scope.extend(one.leases.acquire(writer(a, "x")), second);
    stage.is("twice", [same.epoch, same.lease], [lease.epoch, lease.lease]);
    yield* Scope.close(first, Exit.void);
    stage.is("one has left", held(), ["a"]);
    const other = yield* tagOf(two.leases.claim(writer(a, "y")));
    stage.is("another program's", other, "LeaseHeld");
    const moved = yield* one.leases.reanchor(same, b);
    stage.is("moved", [held(), moved.session], [["b"], "b"]);
    stage.is("the newest of it", one.leases.latest(same).session, "b");
    stage.is("the old name", yield* tagOf(one.leases.guarded(same)), "LeaseLost");
    stage.is("moved by its old name", yield* tagOf(one.leases.reanchor(same, a)), "LeaseLost");
    const nobody = SessionName.make("nobody");
    stage.is("moved to nobody", yield* tagOf(one.leases.reanchor(moved, nobody)), "NotFound");
    stage.is("it stays where it was", held(), ["b"]);
    yield* Scope.close(second, Exit.void);
    stage.is("all have left", held(), []);
    const third = yield* Scope.make();
    const kept = yield* one.leases.claim(writer(a, "x"));
    yield* Scope.extend(one.leases.acquire(writer(a, "x")), third);
    yield* Scope.close(third, Exit.void);
    stage.is("one that its writer had before", held(), ["a"]);
    yield* one.leases.release(kept);
    yield* one.leases.release(kept);
    stage.is("given back", held(), []);
    const next = yield* two.leases.claim(writer(a, "y"));
    stage.is("its epoch grows", next.epoch > kept.epoch, true);
    yield* one.leases.release(kept);
    stage.is("given back too late", held(), ["a"]);
  }),
);

const cleared = play("leases that are cleared, and all of them", (stage) =>
  Effect.gen(function* () {
    const { one, two } = yield* begun(stage);
    stage.is("none", yield* one.leases.clear(a), false);
    yield* two.leases.claim(writer(b, "y"));
    yield* Effect.sleep(10);
    yield* one.leases.claim(writer(a, "x"));
    const all = Effect.map(one.leases.all, (views) =>
      views.map(({ holder, session }) => `${session} ${holder}`),
    );
    stage.is("all, oldest first", yield* all, ["b alive", "a self"]);
    stage.is("its own", yield* tagOf(one.leases.clear(a)), "LeaseHeld");
    stage.is("of one that lives", yield* tagOf(one.leases.clear(b)), "LeaseHeld");
    yield* stage.store.declare("two", "unknown");
    stage.is("of one that may live", yield* tagOf(one.leases.clear(b)), "LeaseHeld");
    stage.is("swept while it may live", (yield* one.leases.sweep).dead, 0);
    yield* stage.store.declare("two", "dead");
    stage.is("of one that is dead", yield* one.leases.clear(b), true);
    stage.is("what is left", yield* all, ["a self"]);
  }),
);

const full = play(
  "a bound of leases, and who takes no further room",
  (stage) =>
    Effect.gen(function* () {
      const { one, two } = yield* begun(stage);
      const handle = yield* one.handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      yield* Effect.sleep(50);
      const refused = yield* Effect.flip(two.leases.claim(writer(b, "y")));
      const told =
        refused._tag === "CapacityReached"
          ? [refused.active, refused.max, refused.oldestMs, refused.holders.length]
          : refused._tag;
      stage.is("another name", told, [1, 1, 50, 1]);
      stage.is("the same again", yield* tagOf(handle.runTurn(() => Effect.void)), "ok");
      const held = yield* tagOf(two.leases.claim(writer(a, "y")));
      stage.is("who holds it is told first", held, "LeaseHeld");
      const taken = yield* Effect.exit(two.handles.takeOver("a"));
      stage.is("taken over", failureOf(taken), "ok");
      if (Exit.isSuccess(taken)) yield* taken.value.end("explicit_close");
      stage.is(
        "when there is room",
        failureOf(yield* Effect.exit(two.leases.claim(writer(b, "y")))),
        "ok",
      );
    }),
  { settings: { leaseCapacity: 1 } },
);

const siblings = play("a lease that a sibling takes, unless a client is at it", (stage) =>
  Effect.gen(function* () {
    const { one } = yield* begun(stage);
    const handle = yield* one.handles.get("a");
    yield* handle.runTurn(() => Effect.void);
    const scope = yield* Scope.make();
    yield* Scope.extend(handle.attend, scope);
    const other = yield* one.handles.get("a", { anew: true });
    const turn = tagOf(other.runTurn(() => Effect.void));
    stage.is("while somebody is at it", yield* turn, "LeaseHeld");
    stage.is("it goes on", yield* tagOf(handle.runTurn(() => Effect.void)), "ok");
    yield* Scope.close(scope, Exit.void);
    stage.is("when he has gone", yield* turn, "ok");
    stage.is("the one that had it", yield* handle.state, "lost");
    const same = yield* one.handles.get("a");
    stage.is("who asks for the name gets", same.actor, other.actor);
    const short = yield* one.handles.get("b", { kind: "turn" });
    yield* short.runTurn(() => Effect.void);
    stage.is("one for a turn alone", Option.isNone(yield* one.leases.current(b)), true);
    yield* other.end("explicit_close");
    stage.is("one that ends", Option.isNone(yield* one.leases.current(a)), true);
    stage.is("another", (yield* one.handles.get("a")).actor !== other.actor, true);
  }),
);

/** The worlds. */
export const leasePlays: ReadonlyArray<NamedWorld> = [
  waiting,
  forced,
  acquired,
  cleared,
  full,
  siblings,
];
