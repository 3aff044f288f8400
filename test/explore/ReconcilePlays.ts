/**
 * ReconcilePlays: what a reconcile tells of what it did, and a plan of what one would do: the same
 * of each thing that can have happened, of one name, of all, and once more behind it.
 *
 * Whoever read the plan is not surprised by what is done.
 */
import type { ReconcileResult } from "@troupe/core";
import { Effect, Either } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { type PlayedProgram, play, type Stage } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

/** What has happened to the session, and what of it is told. */
interface Fate {
  readonly what: string;
  readonly happens: (stage: Stage, program: PlayedProgram) => Effect.Effect<unknown, unknown>;
  readonly told: Pick<ReconcileResult, "before" | "after" | "changed">;
  readonly ttlMs?: number;
}

const paneOf = ({ sessions }: PlayedProgram) =>
  Effect.map(sessions.get("a"), ({ terminals }) => terminals[0]?.paneId ?? "");

const fates: ReadonlyArray<Fate> = [
  {
    what: "nothing",
    happens: () => Effect.void,
    told: { before: "running", after: "running", changed: false },
  },
  {
    what: "its program ended",
    happens: ({ tmux }, program) =>
      Effect.flatMap(paneOf(program), (pane) => tmux.exitProgram(pane, 0)),
    told: { before: "running", after: "exited", changed: true },
  },
  {
    what: "its server died",
    happens: ({ tmux }) => tmux.crash,
    told: { before: "running", after: "lost", changed: true },
  },
  {
    what: "a user removed it",
    happens: ({ tmux }) => tmux.client(["kill-session", "-t", "=a"]),
    told: { before: "running", after: "lost", changed: true },
  },
  {
    what: "its time is over",
    happens: () => Effect.sleep(10_000),
    told: { before: "running", after: "deleted", changed: true },
    // Longer than its program looks for that by itself.
    ttlMs: 5_000,
  },
];

const of = ({ after, before, changed }: ReconcileResult) => ({ before, after, changed });

const world = ({ happens, told, ttlMs, what }: Fate, all: boolean): NamedWorld =>
  play(
    `what a reconcile tells${all ? " of everything" : ""}, where ${what}`,
    (stage) =>
      Effect.gen(function* () {
        const program = yield* stage.program("one");
        const { sessions } = program;
        yield* sessions.create({ ...spec, ...(ttlMs === undefined ? {} : { ttlMs }) });
        yield* happens(stage, program);
        const [planned] = yield* sessions.reconcilePlan;
        const plan = planned === undefined ? null : Either.getOrNull(planned.outcome);
        stage.is("what is planned", plan && of(plan), told);
        const [item] = all ? yield* sessions.reconcileAll : [];
        const done = all ? item && Either.getOrNull(item.outcome) : yield* sessions.reconcile("a");
        stage.is("what is done", done && of(done), told);
        stage.is("why", done?.why, plan?.why);
        const again = yield* sessions.reconcile("a");
        const { after } = told;
        stage.is("once more", of(again), { before: after, after, changed: false });
      }),
    { settings: { limitLookMs: 10_000_000 } },
  );

/** The worlds. */
export const reconcilePlays: ReadonlyArray<NamedWorld> = [false, true].flatMap((all) =>
  fates.map((fate) => world(fate, all)),
);
