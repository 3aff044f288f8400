/**
 * PidWorlds: a program of a session ends, and the kernel gives its pid to somebody's: whoever goes
 * by a number that was read before would end a stranger.
 *
 * It happens at any call of what ends a terminal or a session, or makes one; tmux may have ended
 * the pane by then. Only that the stranger lives is held: what becomes of the session others say.
 */
import { Effect } from "effect";
import type { Ending } from "./Agreement.js";
import type { ListedWorld } from "./NamedWorld.js";
import { add, adopt, create, madeByUser, remove, removeTerminal, restore } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const again = "the kernel gives the pid again";

let pid: number | null = null;

/** Which process leads the pane of this terminal, or of a session that a user made, if any does. */
const noted = (terminal: string | undefined): Call => ({
  name: "the pid is noted",
  run: (_, tmux) =>
    Effect.map(tmux.processes, (all) => {
      const found = all.find(
        (p) => p.program === "sleep" && p.environment.get("TROUPE_TERMINAL") === terminal,
      );
      pid ??= found?.pid ?? null;
    }),
});

/** It ends, if it has not, and a stranger has its pid. */
const givenAgain = (terminal: string | undefined): Call => ({
  name: again,
  isAccident: true,
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      yield* noted(terminal).run(sessions, tmux);
      if (pid === null) return;
      yield* tmux.signal(pid, "KILL");
      yield* tmux.spawn({ pid, parent: 1, program: "stranger", ignoresHup: true });
    }),
});

const strangerLives = ({ programs, told }: Ending): string | null =>
  pid !== null &&
  told.some((line) => line.startsWith(`${again}: ok`)) &&
  !programs.includes("stranger")
    ? "a stranger was ended by the pid that it has now"
    : null;

const world = (
  call: Call,
  before: ReadonlyArray<Call>,
  terminal: string | undefined,
): ListedWorld => ({
  name: `${call.name}, and a pid of ${terminal ?? "a user"} that the kernel gives again`,
  cost: 1,
  before: [...before, noted(terminal)],
  programs: [[call]],
  happens: givenAgain(terminal),
  onStart: () => {
    pid = null;
  },
  instead: strangerLives,
});

/** What ends processes, or records them. */
export const pidWorlds: ReadonlyArray<ListedWorld> = [
  world(remove, [create], "main"),
  world(remove, [create, add], "t2"),
  world(removeTerminal, [create, add], "t2"),
  world(restore, [create], "main"),
  world(create, [], "main"),
  world(add, [create], "main"),
  world(add, [create], "t2"),
  world(adopt, [madeByUser], undefined),
];
