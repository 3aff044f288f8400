/**
 * EarlyLeaverWorlds: what was recorded in the start window and left its pane behind that, without a
 * process session of its own, beside a delete that spares, which is cut off or in doubt; and who
 * comes behind it.
 *
 * A delete says in the record what it spares, so whoever finishes it ends the others and no more,
 * on any registry. The last word counts: who ends the session and spares nothing ends all that was
 * ever recorded; who spares behind a delete that did not spares what left.
 */
import { Effect } from "effect";
import { inVain } from "./BirthWorlds.js";
import { OFFSPRING, type WorldEnding } from "./EndingOf.js";
import type { ListedWorld } from "./NamedWorld.js";
import { secondWord } from "./OvertakenWorlds.js";
import { add, later, reconcile, remove, removeFirst, replacing } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { sparing, stayer } from "./SparingWorlds.js";

const WINDOW_MS = 400;
const spec = { session: "a", command: ["sleep", "100000"], cwd: "/", startWindowMs: WINDOW_MS };

/** One that bears the mark of its session, and one whose environment was cleared. */
const MARKED = "early, marked";
const EARLY = [MARKED, "early, unmarked"];

/** Both are in the kernel's session of the pane, below a shell; that ends behind the window. */
const createWithEarly: Call = {
  name: "create",
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      const forks = Effect.gen(function* () {
        yield* Effect.sleep(WINDOW_MS / 2);
        const pane = (yield* tmux.processes).find((p) => p.environment.has("TROUPE_TERMINAL"));
        const [leader, own] = [pane?.pid ?? 1, pane?.environment.get("TROUPE_INCARNATION") ?? ""];
        const shell = yield* tmux.spawn({ parent: leader, leader, program: "shell" });
        for (const program of EARLY) {
          const mark = program === MARKED ? { TROUPE_INCARNATION: own } : {};
          // Nothing of it is counted by the agreement as left behind.
          const environment = { ...mark, [OFFSPRING]: "" };
          yield* tmux.spawn({ parent: shell, leader, program, environment, ignoresHup: true });
        }
        return shell;
      });
      const all = [sessions.create(spec), forks] as const;
      const [made, shell] = yield* Effect.all(all, { concurrency: "unbounded" });
      yield* tmux.signal(shell, "KILL");
      return made;
    }),
};

const allSpared = ({ programs }: WorldEnding): string | null => {
  const gone = EARLY.find((program) => !programs.includes(program));
  return gone === undefined ? null : `what was to be spared was ended: ${gone}`;
};

const isBegun = ({ events }: WorldEnding): boolean =>
  events.some(({ body }) => body.type === "session" && body.cause?.startsWith("sparing") === true);

const spared = (ending: WorldEnding): string | null => (isBegun(ending) ? allSpared(ending) : null);

const allEnded = ({ programs }: WorldEnding): string | null => {
  const left = EARLY.find((program) => programs.includes(program));
  return left === undefined ? null : `the last word spares nothing, and it lives: ${left}`;
};

const unspared = (ending: WorldEnding): string | null => {
  const isOwn = ending.told.some(
    (line) => line.startsWith(`${remove.name}: ok `) && line.includes('"alreadyGone":false'),
  );
  return isOwn ? allEnded(ending) : null;
};

const judgedBehind = (next: Call) => {
  if (next === replacing) return {};
  return { also: next === remove ? unspared : spared };
};

/** Who finishes it, or ends it himself. */
const finishers: ReadonlyArray<Call> = [sparing, reconcile, removeFirst, replacing, remove];

/** An add is refused where it is not finished, which changes nothing. */
const comers: ReadonlyArray<Call> = [...finishers, add];

const made: ReadonlyArray<Call> = [createWithEarly, stayer];

const cutOff = (next: Call): ListedWorld => ({
  ...judgedBehind(next),
  name: `delete, sparing what was recorded early, cut off ∥ ${next.name}`,
  cost: 1,
  before: made,
  programs: [[sparing], [later(1_000, next)]],
  crash: true,
});

const inDoubt = (next: Call): ReadonlyArray<ListedWorld> =>
  [false, true].map((sqlite) => ({
    ...judgedBehind(next),
    name: `delete, sparing what was recorded early, in doubt, and ${next.name}${sqlite ? ", on SQLite" : ""}`,
    cost: 1,
    before: [...made, inVain(sparing, "kill")],
    programs: [[next]],
    crash: true,
    sqlite,
  }));

const recordedEarly = { of: " of what was recorded early", before: made };

/** The worlds. */
export const earlyLeaverWorlds: ReadonlyArray<ListedWorld> = [
  ...comers.map(cutOff),
  ...finishers.flatMap(inDoubt),
  secondWord(sparing, remove, allEnded, recordedEarly),
  secondWord(remove, sparing, allSpared, recordedEarly),
];
