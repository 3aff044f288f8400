/**
 * LeaseWalkWorlds: long walks of leases, turns and writers, each drawn from its number: what one
 * or two programs do, one thing after the other, and what becomes of them.
 *
 * In the end every turn is let go on, every writer ended and every program closed: then no lease,
 * no client, no turn and no fiber is left, and every session lives that nobody asked to end.
 */
import { Explore, FakeMachine } from "@troupe/testing";
import { Deferred, Effect, Exit, Scope } from "effect";
import { PCGRandom } from "effect/Utils";
import { LeaseWalk, type WalkProgram } from "./LeaseWalk.js";
import { type Dice, type Starts, walkOf } from "./LeaseWalkSteps.js";
import type { NamedWorld } from "./NamedWorld.js";
import { programOn } from "./PlayWorld.js";

const SETTINGS = {
  orphanGraceMs: 1_000,
  activityStaleMs: 0,
  interruptSettleMs: 500,
  turnSettleMs: 300,
  leaseSweepMs: 10_000,
  leaseRecheckMs: 10_000,
  idleReleaseMs: 0,
};

/** Longer than anything takes that is answered at all. */
const LONG_MS = 120_000;

const diceOf = (seed: number): Dice & { readonly upTo: (most: number) => number } => {
  const random = new PCGRandom(seed);
  return {
    one: <A>(of: ReadonlyArray<A>) => of[random.integer(of.length)] as A,
    is: (chance) => random.number() < chance,
    upTo: (most) => random.integer(most),
  };
};

/** Whose registry answers no more. */
interface Life {
  isOver: boolean;
  readonly unwinds: Deferred.Deferred<void>;
}

/** A machine whose programs can die at once. */
const mortal = Effect.gen(function* () {
  let next: Life = { isOver: false, unwinds: yield* Deferred.make<void>() };
  const machine = yield* FakeMachine.make({
    settings: SETTINGS,
    registry: (registry) => {
      const life = next;
      const gone = Effect.zipRight(Deferred.await(life.unwinds), Effect.dieMessage("it is dead"));
      const calls = Object.entries(registry).map(([name, call]) => {
        const answered = (effect: Effect.Effect<unknown>) =>
          Effect.suspend(() => (life.isOver ? gone : effect));
        if (Effect.isEffect(call)) return [name, answered(call as Effect.Effect<unknown>)];
        if (typeof call !== "function") return [name, call];
        const given = call as (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>;
        return [name, (...args: ReadonlyArray<unknown>) => answered(given(...args))];
      });
      return Object.fromEntries(calls);
    },
  });
  let count = 0;
  const starts: Starts = Effect.gen(function* () {
    const life: Life = { isOver: false, unwinds: yield* Deferred.make<void>() };
    next = life;
    count += 1;
    const owner = `program${count}`;
    const scope = yield* Scope.make();
    const kit = yield* Scope.extend(programOn(machine, owner), scope);
    const program: WalkProgram = {
      ...kit,
      ...{ owner, scope, state: "up" },
      crash: Effect.suspend(() => {
        life.isOver = true;
        program.state = "crashed";
        return machine.store.declare(owner, "dead");
      }),
      unwind: Effect.asVoid(Deferred.succeed(life.unwinds, undefined)),
    };
    return program;
  });
  return { machine, starts };
});

/** Everything comes to its end; what is left then. */
const finished = (walk: LeaseWalk) =>
  Effect.gen(function* () {
    walk.history.push("the end");
    const { store, tmux } = walk.machine;
    for (const { gate } of walk.turns) yield* Deferred.succeed(gate, undefined);
    // One turn behind the other may name a child.
    for (const _ of walk.turns) {
      yield* Effect.sleep(LONG_MS);
      while (walk.children.length > 0) yield* walk.childEnds;
    }
    yield* Effect.sleep(LONG_MS);
    const late = walk.turns.find(({ isOver, writer }) => !isOver && writer.program.state === "up");
    if (late !== undefined) walk.wrong(`${late.what} does not end`);
    yield* walk.look;
    for (const writer of walk.writers) {
      if (writer.program.state !== "up") continue;
      for (const leave of writer.clients) yield* leave;
      writer.isEnded = true;
      yield* Effect.exit(writer.handle.end("explicit_close"));
      const { _tag } = yield* writer.handle.attachment;
      if (_tag !== "Gone") walk.wrong(`${writer.what} is ${_tag} behind its end`);
    }
    yield* Effect.sleep(LONG_MS);
    const up = walk.programs.filter(({ state }) => state === "up");
    // What a program left to a turn that ran on behind it goes with its process.
    for (const { owner, state } of walk.programs) {
      if (state === "closed") yield* store.declare(owner, "dead");
    }
    for (const { leases, owner, turns } of up) {
      yield* Effect.exit(leases.sweep);
      const { running } = yield* turns.activity;
      if (running > 0) walk.wrong(`${running} turns of ${owner} are counted`);
    }
    const left = [...store.leases.values()].map(({ owner, session }) => `${session} ${owner}`);
    if (left.length > 0) walk.wrong(`leases are left: ${left.join(", ")}`);
    for (const { scope } of up) yield* Scope.close(scope, Exit.void);
    for (const { scope, state, unwind } of walk.programs) {
      if (state === "crashed") yield* Effect.zipRight(unwind, Scope.close(scope, Exit.void));
    }
    for (const { fiber } of walk.turns) if (fiber !== null) yield* fiber.await;
    if (store.waiting.size > 0) walk.wrong(`${store.waiting.size} wait for events`);
    for (const session of walk.alive) {
      const has = yield* Effect.orDie(tmux.client(["has-session", "-t", `=${session}`]));
      if (has.exitCode !== 0) walk.wrong(`tmux has no ${session}`);
    }
  });

/** Every so many of them is short, and its fibers go on in every order. */
const EVERY = 50;
const SHORT = 6;

const isShort = (seed: number): boolean => seed % EVERY === 0;

const drawn = (seed: number): NamedWorld => ({
  cost: isShort(seed) ? 1 : 0,
  world: {
    name: `a walk of leases, drawn ${seed}`,
    start: () => {
      const program = Effect.gen(function* () {
        const dice = diceOf(seed);
        const { machine, starts } = yield* mortal;
        const walk = new LeaseWalk(machine);
        walk.programs.push(yield* starts);
        if (dice.is(0.6)) walk.programs.push(yield* starts);
        for (const session of ["a", "b"]) {
          const [program] = walk.programs;
          yield* Effect.orDie(
            program?.sessions.create({ session, command: ["sleep", "100000"], cwd: "/" }) ??
              Effect.void,
          );
          walk.alive.add(session);
        }
        const { steps, works } = walkOf(dice);
        const length = isShort(seed) ? SHORT : 10 + dice.upTo(16);
        for (let at = 0; at < length && walk.odd === null; at++) {
          const step = dice.one(steps)({ walk, dice, starts, works });
          const ran = yield* Effect.timeoutOption(step, LONG_MS);
          if (ran._tag === "None") walk.wrong("a step is not answered");
          yield* walk.look;
        }
        yield* finished(walk);
        return walk.odd;
      }).pipe(Explore.scoped, Effect.withTracerEnabled(false));
      return { program, check: (odd) => (typeof odd === "string" ? odd : null) };
    },
  },
});

/** The worlds of the first so many numbers. */
export const leaseWalks = (count: number): ReadonlyArray<NamedWorld> =>
  Array.from({ length: count }, (_, index) => drawn(index + 1));
