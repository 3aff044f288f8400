/**
 * SparingWorlds: a delete that spares what left its session, cut off, and who comes behind that.
 *
 * What was spared lives, unless somebody asks for the end of the session and does not say so: then
 * it is gone when that is acknowledged. Who has no word on it, a reconcile or a delete of a
 * terminal, does as it was asked for before. What is still in the panes ends whatever is spared.
 */
import { Effect } from "effect";
import { losses } from "./DaemonWorlds.js";
import { OFFSPRING, type WorldEnding } from "./EndingOf.js";
import type { ListedWorld } from "./NamedWorld.js";
import { add, create, interrupted, later, reconcile, remove, removeFirst } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** What left the session. */
export const SPARED = ["own session", "daemon"];

/** Two processes that left the session: one with a parent in it, one without. */
export const leavers: Call = {
  name: "two processes that left",
  run: (_, tmux) =>
    Effect.gen(function* () {
      const pane = (yield* tmux.processes).find((p) => p.environment.has("TROUPE_TERMINAL"));
      const own = pane?.environment.get("TROUPE_INCARNATION") ?? "";
      // Marked as of the session, and nothing that the agreement counts as left behind.
      const environment = { TROUPE_INCARNATION: own, [OFFSPRING]: "" };
      const how = { environment, ignoresHup: true };
      yield* tmux.spawn({ ...how, parent: pane?.pid ?? 1, program: "own session" });
      yield* tmux.spawn({ ...how, parent: 1, program: "daemon" });
    }),
};

/** A process of the pane, which no hangup ends. */
export const stayer: Call = {
  name: "a process that stays",
  run: (_, tmux) =>
    Effect.gen(function* () {
      const pane = (yield* tmux.processes).find((p) => p.environment.has("TROUPE_TERMINAL"));
      const [parent, own] = [pane?.pid ?? 1, pane?.environment.get("TROUPE_INCARNATION")];
      const environment = { [OFFSPRING]: `${own} main` };
      const how = { environment, ignoresHup: true, leader: parent };
      yield* tmux.spawn({ ...how, parent, program: "stayer" });
    }),
};

/** It spares what left the session. */
export const sparing: Call = {
  name: "delete, sparing",
  run: (s) => s.delete("a", { graceMs: 0, spareDetached: true }),
};

/** Whether somebody was told that the end is his, and not what was so before. */
const ended = ({ told }: WorldEnding, call: Call): boolean =>
  told.some((line) => line.startsWith(`${call.name}: ok `) && line.includes('"alreadyGone":false'));

/** Nothing is said where its program ended before it was begun: it was another delete then. */
const spared = ({ events, programs }: WorldEnding): string | null => {
  const gone = SPARED.find((program) => !programs.includes(program));
  const begun = events.some(
    ({ body }) => body.type === "session" && body.cause?.startsWith("sparing") === true,
  );
  return gone === undefined || !begun ? null : `what was to be spared was ended: ${gone}`;
};

/** What left is gone where a delete that spares nothing was acknowledged. */
export const unspared = (ending: WorldEnding): string | null => {
  const left = SPARED.find((program) => ending.programs.includes(program));
  return left !== undefined && ended(ending, remove)
    ? `a delete that spares nothing was acknowledged, and it lives: ${left}`
    : null;
};

/** Who comes behind it; what he does is begun when the first waits, has ended or has crashed. */
const comers: ReadonlyArray<Call> = [sparing, reconcile, removeFirst, add, create, remove];

const cutOff = (next: Call): ListedWorld => ({
  name: `delete, sparing, cut off ∥ ${next.name}`,
  cost: 1,
  before: [create, leavers, stayer],
  programs: [[sparing], [later(1_000, next)]],
  crash: true,
  also: next === remove ? unspared : spared,
});

/** The worlds. */
export const sparingWorlds: ReadonlyArray<ListedWorld> = [
  ...comers.map(cutOff),
  {
    name: "delete, sparing, and an accident at any call of it",
    cost: 1,
    // What stays is a double fork, too, once its parent has ended.
    before: [create, leavers],
    programs: [[interrupted(sparing)]],
    happens: losses,
    crash: true,
    also: spared,
  },
];
