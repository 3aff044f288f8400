/**
 * FollowPlays: who follows or waits for a terminal hears of its end, whichever it is: of the
 * terminal, its session, its server, or the program that he follows in, and at once.
 *
 * And what is told of what there is not: what was asked for, and whether anything of it is known.
 */
import { NotFound, type OutputElement, type RecorderState, type SessionView } from "@troupe/core";
import { Effect, Exit, Fiber, Option, Scope, Stream } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { type PlayedProgram, play, type Stage, tagOf } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

/** How the output that is followed ends: as its last element says, or as it fails. */
const followed = ({ sessions }: PlayedProgram) =>
  Stream.runLast(sessions.output("a")).pipe(
    Effect.map(Option.getOrNull),
    Effect.map((last: OutputElement | null) => (last?.type === "end" ? last.reason : "nothing")),
    Effect.catchAll(({ _tag }) => Effect.succeed(_tag)),
  );

const waited = ({ sessions }: PlayedProgram) => tagOf(sessions.wait("a", { text: "never" }));

/** What ends the session, or somebody's hold on it, and within which time that is told. */
interface End {
  readonly what: string;
  readonly run: (stage: Stage, owner: PlayedProgram) => Effect.Effect<unknown, unknown>;
  readonly output: string;
  readonly wait: string;
}

const ends: ReadonlyArray<End> = [
  {
    what: "its server dies",
    run: ({ tmux }) => tmux.crash,
    output: "lost",
    wait: "NotFound",
  },
  {
    what: "a user removes it",
    run: ({ tmux }) => tmux.client(["kill-session", "-t", "=a"]),
    output: "lost",
    wait: "NotFound",
  },
  {
    what: "it is deleted",
    run: (_, { sessions }) => sessions.delete("a", { graceMs: 0 }),
    output: "deleted",
    wait: "NotFound",
  },
  {
    what: "a delete of it is cut off behind its kill",
    run: ({ store, tmux }) =>
      Effect.zipRight(
        tmux.client(["kill-session", "-t", "=a"]),
        Effect.sync(() => {
          for (const [id, record] of store.records)
            store.records.set(id, { ...record, state: "deleting" });
        }),
      ),
    output: "deleted",
    wait: "NotFound",
  },
];

/** Longer than two looks are apart. */
const SOON_MS = 5_000;

const soon = <A>(fiber: Fiber.Fiber<A>) =>
  Effect.map(Effect.timeoutOption(Effect.disconnect(Fiber.join(fiber)), SOON_MS), Option.getOrNull);

/** In the program that made it, or in another one. */
const ending = ({ output, run, wait, what }: End, elsewhere: boolean): NamedWorld =>
  play(`who follows and waits${elsewhere ? ", in another program" : ""}, and ${what}`, (stage) =>
    Effect.gen(function* () {
      const owner = yield* stage.program("one");
      const follower = elsewhere ? yield* stage.program("two") : owner;
      yield* owner.sessions.create(spec);
      const follows = yield* Effect.fork(followed(follower));
      const waits = yield* Effect.fork(waited(follower));
      yield* Effect.sleep(SOON_MS);
      stage.is("while it lives", [yield* soon(follows), yield* soon(waits)], [null, null]);
      yield* run(stage, owner);
      stage.is("who follows", yield* soon(follows), output);
      stage.is("who waits", yield* soon(waits), wait);
    }),
  );

/** How the program of the first terminal ended, as tmux shows it. */
const codesOf = (seen: SessionView["seen"] | undefined) =>
  seen?.state === "present" ? seen.terminals[0]?.exit : null;

/** A moment: nobody looks in it. */
const MOMENT_MS = 10;

/** Nothing has ended but the program that he follows in, so no look tells him. */
const closing = (elsewhere: boolean): NamedWorld =>
  play(
    `who follows and waits in a program that ends${elsewhere ? ", of another's" : ""}`,
    (stage) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make();
        const own = yield* Scope.extend(stage.program("one"), scope);
        const owner = elsewhere ? yield* stage.program("two") : own;
        yield* owner.sessions.create(spec);
        const follows = yield* Effect.fork(followed(own));
        const waits = yield* Effect.fork(waited(own));
        yield* Effect.sleep(SOON_MS);
        yield* Scope.close(scope, Exit.void);
        yield* Effect.sleep(MOMENT_MS);
        const polled = [yield* Fiber.poll(follows), yield* Fiber.poll(waits)];
        stage.is(
          "both hear of it",
          polled.map(Option.map((exit) => (exit._tag === "Success" ? exit.value : exit._tag))),
          polled.map(() => Option.some("Closing")),
        );
      }),
  );

/** Who is told how a program ended, and of what. */
const askers: ReadonlyArray<
  readonly [string, (program: PlayedProgram) => Effect.Effect<unknown, unknown>]
> = [
  ["waits for", ({ sessions }) => Effect.map(sessions.wait("a", { exit: true }), (w) => w.exit)],
  ["looks at", ({ sessions }) => Effect.map(sessions.get("a"), ({ seen }) => codesOf(seen))],
  [
    "lists",
    ({ sessions }) => Effect.map(sessions.list({}), (list) => codesOf(list.sessions[0]?.seen)),
  ],
  [
    "follows",
    ({ sessions }) =>
      Effect.map(Stream.runLast(sessions.output("a")), (last) =>
        Option.isSome(last) && last.value.type === "end" ? last.value.exit : null,
      ),
  ],
];

/** tmux calls the program ended, and does not know yet how it did. */
const unreaped = askers.map(([who, told]) =>
  play(`who ${who} an end that tmux knows late`, (stage) =>
    Effect.gen(function* () {
      const program = yield* stage.program("one");
      const { terminals } = yield* program.sessions.create(spec);
      yield* stage.tmux.exitProgram(terminals[0]?.paneId ?? "", 4, { unreaped: true });
      stage.is("how it ended", yield* told(program), { code: 4, signal: null });
    }),
  ),
);

/** What the recorder of a terminal does, second by second, and what of it is told. */
const courses: ReadonlyArray<readonly [ReadonlyArray<RecorderState>, string]> = [
  [["idle", "idle"], ""],
  [["absent", "idle"], ""],
  [["absent", "absent", "idle"], ""],
  [["absent", "absent", "absent", "absent", "absent", "absent", "absent", "absent"], "gap"],
  [["broken", "broken"], "gap"],
  [["idle", "broken", "broken"], "gap"],
];

/** Nothing is printed: what is told is that nobody knows what was, once, and where that is so. */
const recorders = courses.map(([states, should]) => {
  const at = { second: 0 };
  const told = `a reader, and a recorder that is ${states.join(", ")}`;
  return play(
    told,
    (stage) =>
      Effect.gen(function* () {
        const { sessions } = yield* stage.program("one");
        yield* sessions.create(spec);
        at.second = 0;
        const heard: Array<string> = [];
        const note = ({ type }: OutputElement) => Effect.sync(() => void heard.push(type));
        yield* Effect.forkScoped(Stream.runForEach(sessions.output("a"), note));
        for (; at.second < states.length; at.second++) yield* Effect.sleep(1_000);
        stage.is("what is told", heard.join(" "), should);
      }),
    {
      output: (files) => ({
        ...files,
        read: (...asked) =>
          Effect.map(files.read(...asked), (range) => ({
            ...range,
            recorder: states[Math.min(at.second, states.length - 1)] ?? range.recorder,
          })),
      }),
    },
  );
});

let answers = true;

/** The registry says nothing while it is waited. */
const silent = play(
  "who waits for a terminal, and a registry that does not answer",
  (stage) =>
    Effect.gen(function* () {
      answers = true;
      const { sessions } = yield* stage.program("one");
      yield* sessions.create(spec);
      answers = false;
      const waits = sessions.wait("a", { text: "never" }, { timeoutMs: 100 });
      const told = yield* Effect.exit(tagOf(waits));
      stage.is("what is told", told, Exit.succeed("RegistryUnavailable"));
    }),
  {
    registry: (registry) => ({
      ...registry,
      get: (session) =>
        Effect.suspend(() =>
          answers ? registry.get(session) : Effect.interruptible(Effect.never),
        ),
    }),
  },
);

const nothing = play("what is told of output that there is not", (stage) =>
  Effect.gen(function* () {
    const { sessions } = yield* stage.program("one");
    const { incarnation } = yield* sessions.create(spec);
    yield* sessions.create({ ...spec, session: "b", log: false });
    const told = (session: string, options: Parameters<typeof sessions.output>[1]) =>
      Effect.map(Effect.flip(Stream.runDrain(sessions.output(session, options))), (failure) =>
        failure instanceof NotFound ? [failure.what, failure.terminal] : [failure._tag],
      );
    const terminal = "t9";
    const unknown = "nothing-of-ours";
    stage.is("a terminal", yield* told("a", { terminal }), ["session", terminal]);
    const older = { incarnation, terminal };
    stage.is("of one that is named", yield* told("a", older), ["session", terminal]);
    stage.is("a name", yield* told("c", { terminal }), ["session", null]);
    const named = { incarnation: unknown, terminal };
    stage.is("an incarnation", yield* told("a", named), ["incarnation", null]);
    stage.is("of a name that nobody used", yield* told("c", named), ["session", null]);
    stage.is("what is not recorded", yield* told("b", {}), ["output", null]);
  }),
);

/** The worlds. */
export const followPlays: ReadonlyArray<NamedWorld> = [
  ...[false, true].flatMap((elsewhere) => [
    ...ends.map((end) => ending(end, elsewhere)),
    closing(elsewhere),
  ]),
  ...unreaped,
  ...recorders,
  ...[nothing, silent],
];
