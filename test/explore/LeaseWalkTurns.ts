/**
 * LeaseWalkTurns: what turns of a walk do, each kind of body, and what is noted of it.
 *
 * What a turn does to its session or its lease is told to the walk before, so that what becomes of
 * others by that is no surprise; what it was refused is held against whose the lease is.
 */
import { type Lease, SessionName, type TurnHandle } from "@troupe/core";
import { Deferred, Effect, Either } from "effect";
import { type LeaseWalk, OwnFailure, type WalkTurn, type WalkWriter } from "./LeaseWalk.js";

/** What a turn does. */
export interface Work {
  readonly what: string;
  readonly run: (
    walk: LeaseWalk,
    turn: WalkTurn,
    lease: Lease,
    handle: TurnHandle,
  ) => Effect.Effect<unknown, { readonly _tag: string }>;
}

const deleted = (walk: LeaseWalk, { what, writer }: WalkTurn, lease: Lease) =>
  Effect.suspend(() => {
    walk.ends(lease.session, what);
    return writer.program.sessions.under(lease).delete({ graceMs: 0 });
  });

const other = (session: string) => SessionName.make(session === "a" ? "b" : "a");

/** Moves the lease that the turn runs under; one that is refused stays. */
const moved = (walk: LeaseWalk, { writer }: WalkTurn, lease: Lease) =>
  Effect.gen(function* () {
    if (lease._tag === "Borrowed") return;
    const now = writer.program.leases.latest(lease);
    const to = other(now.session);
    const went = yield* Effect.either(writer.program.leases.reanchor(now, to));
    if (Either.isLeft(went)) return;
    walk.givenUp(now.session);
    walk.given(to, writer);
  });

/** Whether what is done under the lease comes through tells whose it is. */
const acts = (walk: LeaseWalk, { what, writer }: WalkTurn, lease: Lease) =>
  Effect.gen(function* () {
    const now = writer.program.leases.latest(lease);
    const sent = yield* Effect.either(writer.program.sessions.under(now).send("x"));
    const row = [...walk.machine.store.leases.values()].find((one) => one.session === now.session);
    if (Either.isRight(sent) && row?.actor !== writer.handle.actor) {
      walk.wrong(`${what} did something under the lease of ${row?.actor}`);
    }
    if (Either.isLeft(sent) && sent.left._tag === "LeaseLost" && writer.causes.size === 0) {
      if (!writer.isEnded) walk.wrong(`${what} was refused, and lost its lease to nobody`);
    }
  });

/** Waits for the gate. */
const waits = ({ gate }: WalkTurn) => Deferred.await(gate);

/** All that turns do. */
export const turnWorks: ReadonlyArray<Work> = [
  { what: "works", run: () => Effect.sleep(50) },
  { what: "works long", run: () => Effect.sleep(2_000) },
  { what: "acts", run: (walk, turn, lease) => acts(walk, turn, lease) },
  { what: "fails", run: () => Effect.fail(new OwnFailure()) },
  { what: "waits", run: (_, turn) => waits(turn) },
  { what: "waits whatever happens", run: (_, turn) => Effect.uninterruptible(waits(turn)) },
  {
    what: "waits, and then acts",
    run: (walk, turn, lease) =>
      Effect.uninterruptible(Effect.zipRight(waits(turn), acts(walk, turn, lease))),
  },
  { what: "goes elsewhere", run: (walk, turn, lease) => moved(walk, turn, lease) },
  {
    what: "goes elsewhere and back",
    run: (walk, turn, lease) => Effect.zipRight(moved(walk, turn, lease), moved(walk, turn, lease)),
  },
  {
    what: "deletes its session",
    run: (walk, turn, lease) => Effect.zipRight(deleted(walk, turn, lease), Effect.sleep(3_000)),
  },
  {
    what: "deletes its session twice",
    run: (walk, turn, lease) =>
      Effect.gen(function* () {
        yield* deleted(walk, turn, lease);
        yield* Effect.either(deleted(walk, turn, lease));
        yield* Effect.sleep(3_000);
      }),
  },
  {
    what: "deletes its session, and its writer with it",
    run: (walk, turn, lease) =>
      Effect.gen(function* () {
        yield* deleted(walk, turn, lease);
        yield* Effect.either(turn.writer.handle.end("explicit_delete"));
        yield* Effect.sleep(3_000);
      }),
  },
  {
    what: "names a child",
    run: (walk, _, __, handle) =>
      Effect.gen(function* () {
        const pid = yield* walk.machine.tmux.spawn({ parent: 1, program: "child" });
        const entry = yield* Effect.orDie(walk.machine.processes.look(pid));
        if (entry === null) return;
        walk.children.push(entry.id);
        yield* Effect.either(handle.child(entry.id));
      }),
  },
];

/** Asks for a turn; gives it when it has begun to run or to wait. */
export const asked = (walk: LeaseWalk, writer: WalkWriter, work: Work, waitForSettle: boolean) =>
  Effect.gen(function* () {
    const what = `turn ${walk.turns.length + 1} of ${writer.what} that ${work.what}`;
    walk.history.push(what);
    const gate = yield* Deferred.make<void>();
    const turn: WalkTurn = {
      ...{ what, writer, gate, fiber: null },
      ...{ hasBegun: false, isWhole: false, isOver: false, isLeft: false },
    };
    walk.turns.push(turn);
    const body = (handle: TurnHandle, lease: Lease) =>
      Effect.suspend(() => {
        walk.begins(turn);
        return work.run(walk, turn, lease, handle);
      }).pipe(
        Effect.tap(() => {
          turn.isWhole = true;
          return Effect.void;
        }),
      );
    turn.fiber = yield* writer.handle.runTurn(body, { waitForSettle }).pipe(
      Effect.onExit((exit) => Effect.sync(() => walk.told(turn, exit))),
      Effect.exit,
      Effect.asVoid,
      Effect.forkDaemon,
    );
    yield* Effect.sleep(10);
    return turn;
  });
