/**
 * AdoptPlays: an adopt of what a user made that fails behind its mark: by then nobody may take the
 * session up whom its user did not ask, and what somebody has taken up since stays his.
 *
 * The mark goes off at once, or late, as another adopts it, or not at all where it is not there.
 */
import { RegistryUnavailable } from "@troupe/core";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Deferred, Effect, Fiber } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { type PlayedProgram, play, type Stage, tagOf } from "./PlayWorld.js";

const full = new RegistryUnavailable({ session: "a", attempted: "commit", detail: "no room" });

/** What fails in this play, and what happens as it does. */
let failing: Effect.Effect<unknown> | null = null;

/** The row of what is adopted, which cannot be written. */
const unwritten: Parameters<typeof play>[2] = {
  registry: (registry) => ({
    ...registry,
    commit: (...args) =>
      Effect.suspend(() =>
        failing === null ? registry.commit(...args) : Effect.zipRight(failing, full),
      ),
  }),
};

const disowning = ({ stdin }: TmuxRequest): boolean =>
  /set-option -[a-z]*u/.test(String(stdin)) && String(stdin).includes("@troupe-inc");

/** A session that a user made, of which an adopt has failed. */
const failed = (
  stage: Stage,
  meanwhile: (stage: Stage, two: PlayedProgram) => Effect.Effect<unknown>,
) =>
  Effect.gen(function* () {
    const one = yield* stage.program("one");
    const two = yield* stage.program("two");
    yield* one.sessions.create({ session: "ours", command: ["sleep", "100000"], cwd: "/" });
    yield* stage.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
    failing = meanwhile(stage, two);
    stage.is("the adopt", yield* tagOf(one.sessions.adopt("a")), "RegistryUnavailable");
    failing = null;
    return two;
  });

const marks = (stage: Stage) =>
  Effect.map(
    Effect.all([[], ["-p"]].map((of) => stage.tmux.client(["show-options", ...of, "-t", "=a:"]))),
    (shown) => shown.some(({ stdout }) => stdout.includes("@troupe")),
  );

const rows = ({ store }: Stage) =>
  [...store.records.values()].map((r) => `${r.session} ${r.state}`);

const takenOff = play(
  "an adopt that fails behind its mark",
  (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* failed(stage, () => Effect.void);
      stage.is("its mark is there", yield* marks(stage), false);
      yield* sessions.reconcileAll;
      stage.is("what is known", rows(stage), ["ours running"]);
      stage.is("it can be adopted", (yield* sessions.adopt("a")).state, "running");
    }),
  unwritten,
);

const late = play(
  "an adopt that fails behind its mark, which would go off late",
  (stage) =>
    Effect.gen(function* () {
      const meanwhile = stage.tmux.inject({ fault: Fault.lateEffect, matches: disowning });
      const { sessions } = yield* failed(stage, () => meanwhile);
      stage.is("its mark is there", yield* marks(stage), true);
      yield* sessions.reconcileAll;
      stage.is("what is known", rows(stage), ["ours running", "a running"]);
      yield* stage.tmux.release;
      stage.is("the mark of who has it", yield* marks(stage), true);
      const seen = yield* sessions.get("a");
      stage.is("it is there", [seen.state, seen.seen.state], ["running", "present"]);
    }),
  unwritten,
);

/** What goes as the row is not written. */
const goes = (what: string, words: ReadonlyArray<string>): NamedWorld =>
  play(
    `an adopt that fails behind its mark, and ${what} goes`,
    (stage) =>
      Effect.gen(function* () {
        const { sessions } = yield* failed(stage, ({ tmux }) => Effect.orDie(tmux.client(words)));
        yield* Effect.exit(sessions.reconcileAll);
        const known = rows(stage).filter((row) => row.startsWith("a "));
        stage.is("what is known of it", known, []);
      }),
    unwritten,
  );

/** Who waits for whom: the second comes to its row, then the first fails, then it writes that. */
interface Meeting {
  readonly comes: Deferred.Deferred<void>;
  readonly goesOn: Deferred.Deferred<void>;
}

let meeting: Meeting | null = null;

const overtaken = play(
  "an adopt that is overtaken behind its mark, and fails before who came has its row",
  (stage) =>
    Effect.gen(function* () {
      const comes = yield* Deferred.make<void>();
      const goesOn = yield* Deferred.make<void>();
      meeting = { comes, goesOn };
      const begins = yield* Deferred.make<PlayedProgram>();
      // From here: what is forked inside a message is inside it.
      const came = yield* Effect.fork(
        Effect.flatMap(Deferred.await(begins), ({ sessions }) => sessions.reconcile("a")),
      );
      const { sessions } = yield* failed(stage, ({ store }, two) =>
        store
          .declare("one", "dead")
          .pipe(
            Effect.zipRight(Deferred.succeed(begins, two)),
            Effect.zipRight(Deferred.await(comes)),
          ),
      );
      stage.is("its mark is there", yield* marks(stage), true);
      yield* Deferred.succeed(goesOn, undefined);
      yield* Fiber.join(came);
      const seen = yield* sessions.get("a");
      stage.is("who came has it", [seen.state, seen.seen.state], ["running", "present"]);
    }),
  {
    registry: (registry) => ({
      ...registry,
      commit: (claim, ...rest) =>
        Effect.suspend(() => {
          const write = registry.commit(claim, ...rest);
          if (claim.owner === "two" && meeting !== null) {
            const { comes, goesOn } = meeting;
            return Effect.zipRight(
              Effect.zipRight(Deferred.succeed(comes, undefined), Deferred.await(goesOn)),
              write,
            );
          }
          return failing === null ? write : Effect.zipRight(failing, full);
        }),
    }),
  },
);

/** The worlds. */
export const adoptPlays: ReadonlyArray<NamedWorld> = [
  takenOff,
  late,
  overtaken,
  goes("it", ["kill-session", "-t", "=a"]),
  goes("its server", ["kill-server"]),
];
