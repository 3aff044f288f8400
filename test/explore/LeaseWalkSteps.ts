/**
 * LeaseWalkSteps: what happens in a walk, step by step: what programs ask of writers, leases and
 * sessions, what becomes of programs and clients, and time that passes.
 *
 * Each tells the walk what was answered. A walk is made of a part of them, drawn by chance.
 */
import { endReasons, type SessionHandle } from "@troupe/core";
import { Deferred, Effect, Either, Exit, Fiber, Scope } from "effect";
import type { LeaseWalk, WalkProgram, WalkWriter } from "./LeaseWalk.js";
import { asked, turnWorks, type Work } from "./LeaseWalkTurns.js";

/** What chance decides. */
export interface Dice {
  readonly one: <A>(of: ReadonlyArray<A>) => A;
  readonly is: (chance: number) => boolean;
}

/** One more program, under the next name. */
export type Starts = Effect.Effect<WalkProgram>;

interface StepOf {
  readonly walk: LeaseWalk;
  readonly dice: Dice;
  readonly starts: Starts;
  /** What its turns do. */
  readonly works: ReadonlyArray<Work>;
}

type Step = (of: StepOf) => Effect.Effect<unknown>;

const spec = (session: string) => ({ session, command: ["sleep", "100000"], cwd: "/" });

const names = ["a", "a", "b"];

const up = ({ programs }: LeaseWalk) => programs.filter(({ state }) => state === "up");

/** Of the writers that are meant most: the newest ones. */
const writerOf = ({ dice, walk }: StepOf): WalkWriter | null => {
  const there = walk.writers.filter(({ program }) => program.state === "up");
  const isAgain = dice.is(0.6) && walk.last?.program.state === "up";
  if (!isAgain && there.length > 0) walk.last = dice.one(there.slice(-3));
  return there.length === 0 ? null : walk.last;
};

const onWriter =
  (run: (writer: WalkWriter, of: StepOf) => Effect.Effect<unknown>): Step =>
  (of) => {
    const writer = writerOf(of);
    return writer === null ? Effect.void : run(writer, of);
  };

const known = (walk: LeaseWalk, program: WalkProgram, handle: SessionHandle, keeps: boolean) => {
  const found = walk.writers.find((one) => one.handle === handle);
  if (found !== undefined) return found;
  const writer: WalkWriter = {
    ...{ what: `${handle.session}${walk.writers.length + 1} of ${program.owner}`, program, handle },
    ...{ keeps, causes: new Set<string>(), clients: [] },
    ...{ isEnded: false, isStopped: false, wasAttended: false },
  };
  walk.writers.push(writer);
  return writer;
};

const heard = (walk: LeaseWalk, what: string, outcome: Either.Either<unknown, unknown>) => {
  const { left } = outcome as { left?: { _tag?: string } };
  walk.history.push(`${what}: ${Either.isRight(outcome) ? "ok" : left?._tag}`);
};

const gets: Step = ({ dice, walk }) =>
  Effect.gen(function* () {
    const program = dice.one(up(walk));
    const session = dice.one(names);
    walk.isAsked(session);
    const kind = dice.is(0.2) ? "turn" : "interactive";
    const got = yield* Effect.either(program.handles.get(session, { kind, anew: dice.is(0.4) }));
    heard(walk, `${program.owner} gets ${session}`, got);
    if (Either.isRight(got)) known(walk, program, got.right, kind === "interactive");
  });

const takes: Step = ({ dice, walk }) =>
  Effect.gen(function* () {
    const program = dice.one(up(walk));
    const session = dice.one(names);
    const force = dice.is(0.5);
    const options = force ? { force } : { waitMs: dice.one([0, 500, 3_000]) };
    const got = yield* Effect.either(program.handles.takeOver(session, options));
    heard(walk, `${program.owner} takes ${session} over${force ? " by force" : ""}`, got);
    if (Either.isRight(got)) walk.given(session, known(walk, program, got.right, true));
  });

/** One turn, or some that wait for each other. */
const runs = onWriter((writer, { dice, walk, works }) =>
  Effect.gen(function* () {
    do yield* asked(walk, writer, dice.one(works), dice.is(0.5));
    while (dice.is(0.5));
  }),
);

/** Of one that runs a turn rather than of another. */
const busy = ({ dice, walk }: StepOf): WalkWriter | null => {
  const running = walk.turns.filter(({ hasBegun, isOver }) => hasBegun && !isOver);
  const there = running.map(({ writer }) => writer).filter(({ program }) => program.state === "up");
  return there.length === 0 ? null : dice.one(there);
};

const ends = onWriter((last, { dice, walk, ...of }) =>
  Effect.gen(function* () {
    const writer = (dice.is(0.5) ? busy({ dice, walk, ...of }) : null) ?? last;
    const reason = dice.one(endReasons.filter((one) => one !== "explicit_delete" || dice.is(0.5)));
    writer.isEnded = true;
    if (reason === "explicit_delete") walk.ends(writer.handle.session, "ended");
    const ended = yield* Effect.either(writer.handle.end(reason));
    heard(walk, `${writer.what} ends by ${reason}`, ended);
  }),
);

const stops = onWriter((writer, { walk }) =>
  Effect.suspend(() => {
    writer.isStopped = true;
    walk.history.push(`${writer.what} is stopped`);
    return writer.handle.interrupt("user_stop");
  }),
);

const comes = onWriter((writer, { walk }) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make();
    writer.wasAttended = true;
    const id = `client${walk.history.length}`;
    const came = yield* Effect.either(Scope.extend(writer.handle.attach({ id }), scope));
    heard(walk, `a client comes to ${writer.what}`, came);
    if (Either.isRight(came)) writer.clients.push(Scope.close(scope, Exit.void));
  }),
);

const goes = onWriter((writer, { walk }) =>
  Effect.suspend(() => {
    walk.history.push(`a client leaves ${writer.what}`);
    return writer.clients.pop() ?? Effect.void;
  }),
);

/** Time in which nothing is due, a grace passes, or a sweep comes. */
const passes: Step = ({ dice, walk }) =>
  Effect.suspend(() => {
    const ms = dice.one([20, 400, 1_500, 12_000]);
    walk.history.push(`${ms} ms`);
    return Effect.sleep(ms);
  });

const opens: Step = ({ dice, walk }) =>
  Effect.suspend(() => {
    const held = walk.turns.filter(({ hasBegun, isOver }) => hasBegun && !isOver);
    if (held.length === 0) return Effect.void;
    const turn = dice.one(held);
    walk.history.push(`${turn.what} goes on`);
    return Effect.zipRight(Deferred.succeed(turn.gate, undefined), Effect.sleep(10));
  });

const leaves: Step = ({ dice, walk }) =>
  Effect.gen(function* () {
    const there = walk.turns.filter(({ isOver }) => !isOver);
    if (there.length === 0) return;
    const turn = dice.one(there);
    turn.isLeft = true;
    walk.history.push(`who asked for ${turn.what} leaves`);
    if (turn.fiber !== null) yield* Fiber.interruptFork(turn.fiber);
    yield* Effect.sleep(10);
  });

const deletes: Step = ({ dice, walk }) =>
  Effect.gen(function* () {
    const session = dice.one(names);
    walk.ends(session, "deleted");
    const gone = yield* Effect.either(dice.one(up(walk)).sessions.delete(session, { graceMs: 0 }));
    heard(walk, `${session} is deleted`, gone);
  });

const creates: Step = ({ dice, walk }) =>
  Effect.gen(function* () {
    const gone = ["a", "b"].filter((session) => !walk.alive.has(session));
    const replace = gone.length === 0;
    if (replace && dice.is(0.7)) return;
    const session = dice.one(replace ? names : gone);
    if (replace) walk.ends(session, "replaced");
    const { sessions } = dice.one(up(walk));
    const made = yield* Effect.either(sessions.create({ ...spec(session), replace }));
    heard(walk, `${session} is made${replace ? " anew" : ""}`, made);
    if (Either.isRight(made)) walk.alive.add(session);
  });

const dies: Step = ({ dice, starts, walk }) =>
  Effect.gen(function* () {
    const program = dice.one(up(walk));
    walk.history.push(`${program.owner} dies`);
    yield* program.crash;
    walk.programs.push(yield* starts);
  });

const closes: Step = ({ dice, starts, walk }) =>
  Effect.gen(function* () {
    const program = dice.one(up(walk));
    walk.history.push(`${program.owner} closes`);
    program.state = "closed";
    yield* Scope.close(program.scope, Exit.void);
    walk.programs.push(yield* starts);
  });

const sweeps: Step = ({ dice, walk }) =>
  Effect.gen(function* () {
    const swept = yield* Effect.either(dice.one(up(walk)).leases.sweep);
    heard(walk, "a sweep", swept);
  });

const childEnds: Step = ({ walk }) => walk.childEnds;

/** Steps, and how often they are drawn at most. */
const steps: ReadonlyArray<readonly [step: Step, often: number]> = [
  ...([
    [gets, 3],
    [takes, 2],
    [runs, 8],
    [opens, 3],
    [ends, 3],
    [stops, 1],
    [leaves, 1],
  ] as const),
  ...([
    [comes, 1],
    [goes, 1],
    [passes, 3],
    [deletes, 1],
    [creates, 2],
    [childEnds, 1],
  ] as const),
  ...([
    [sweeps, 1],
    [dies, 1],
    [closes, 1],
  ] as const),
];

/** What one walk is made of: a part of all that there is, so that it goes further into that. */
export const walkOf = ({
  is,
  one,
}: Dice): Omit<StepOf, "walk" | "starts" | "dice"> & { readonly steps: ReadonlyArray<Step> } => ({
  works: [one(turnWorks), one(turnWorks), ...turnWorks.filter(() => is(0.15))],
  steps: [
    ...[gets, runs, runs],
    ...steps.flatMap(([step, often]) => (is(0.5) ? Array.from({ length: often }, () => step) : [])),
  ],
});
