/**
 * EarlyChildPlays: what a program starts within its start window, without the mark, and whose
 * parent ends behind that: the row alone tells whose it is, and it ends with its terminal.
 *
 * Of the first terminal and of a further one, by whatever ends the one or the session.
 */
import { Effect, Fiber } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { type PlayedProgram, play, type Stage } from "./PlayWorld.js";

const WINDOW_MS = 1_000;
const spec = { session: "a", command: ["sleep", "100000"], cwd: "/", startWindowMs: WINDOW_MS };

/** In the middle of the window, below a process of the terminal; nothing of it has the mark. */
const early = ({ tmux }: Stage, terminal: string) =>
  Effect.gen(function* () {
    yield* Effect.sleep(WINDOW_MS / 2);
    const own = (yield* tmux.processes).find(
      (one) => one.state === "running" && one.environment.get("TROUPE_TERMINAL") === terminal,
    );
    const ignoresHup = true;
    const parent = yield* tmux.spawn({ parent: own?.pid ?? 1, program: "middle", ignoresHup });
    const child = yield* tmux.spawn({ parent, program: "child", ignoresHup });
    return { parent, child };
  });

const isAlive = ({ tmux }: Stage, pid: number) =>
  Effect.map(tmux.processes, (all) =>
    all.some((one) => one.pid === pid && one.state === "running"),
  );

type Calls = PlayedProgram["sessions"];

/** What ends the terminal. */
const enders: ReadonlyArray<
  readonly [string, (sessions: Calls, terminal: string) => Effect.Effect<unknown, unknown>]
> = [
  ["delete", (sessions) => sessions.delete("a", { graceMs: 0 })],
  [
    "delete a terminal",
    (sessions, terminal) => sessions.deleteTerminal("a", terminal, { graceMs: 0 }),
  ],
  ["create, replacing", (sessions) => sessions.create({ ...spec, replace: true })],
];

const world = ([name, ends]: (typeof enders)[number], terminal: string): NamedWorld =>
  play(`${name}, of what ${terminal} started in its start window`, (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* stage.program("one");
      const isFirst = terminal === "main";
      if (!isFirst) yield* sessions.create({ ...spec, startWindowMs: 0 });
      const starting = yield* Effect.fork(early(stage, terminal));
      yield* isFirst ? sessions.create(spec) : sessions.addTerminal(spec);
      const { child, parent } = yield* Fiber.join(starting);
      yield* stage.tmux.signal(parent, "KILL");
      stage.is("it lives", yield* isAlive(stage, child), true);
      yield* ends(sessions, terminal);
      stage.is("behind that", yield* isAlive(stage, child), false);
    }),
  );

/** The worlds. */
export const earlyChildPlays: ReadonlyArray<NamedWorld> = enders.flatMap((ender) =>
  ["main", "t2"].map((terminal) => world(ender, terminal)),
);
