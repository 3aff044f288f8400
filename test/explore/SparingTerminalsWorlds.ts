/**
 * SparingTerminalsWorlds: a delete that spares what left its session, of two terminals, in each of
 * which something is attached and something left; cut off or in doubt, and who comes behind that.
 *
 * What is attached to any of them has ended when the end is acknowledged or the row says so, also
 * where tmux shows none of the panes any more and rows alone tell what was attached. What left
 * lives, unless somebody who spares nothing ended the rest.
 */
import { Effect } from "effect";
import { inVain } from "./BirthWorlds.js";
import { OFFSPRING, type WorldEnding } from "./EndingOf.js";
import { agreement, gc } from "./GcWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { serverDies } from "./Operations.js";
import {
  add,
  create,
  later,
  reconcile,
  remove,
  removedByUser,
  removeFirst,
  removeTerminal,
  replacing,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { sparing } from "./SparingWorlds.js";

const TERMINALS = ["main", "t2"] as const;

/** One that is attached to the pane, and one that left it; no hangup ends either. */
const livesIn = (terminal: string): Call => ({
  name: `what lives in ${terminal}`,
  run: (_, tmux) =>
    Effect.gen(function* () {
      const all = yield* tmux.processes;
      const pane = all.find((p) => p.environment.get("TROUPE_TERMINAL") === terminal);
      const [parent, own] = [pane?.pid ?? 1, pane?.environment.get("TROUPE_INCARNATION") ?? ""];
      const how = { parent, ignoresHup: true };
      const attached = { [OFFSPRING]: `${own} ${terminal}` };
      yield* tmux.spawn({ ...how, leader: parent, program: "attached", environment: attached });
      // Marked as of the session, and nothing that the agreement counts as left behind.
      const left = { TROUPE_INCARNATION: own, [OFFSPRING]: "" };
      yield* tmux.spawn({ ...how, program: `left ${terminal}`, environment: left });
    }),
});

const made: ReadonlyArray<Call> = [create, add, ...TERMINALS.map(livesIn)];

/** Which of those that left have ended. */
const endedOf = ({ programs }: WorldEnding): ReadonlyArray<string> =>
  TERMINALS.map((terminal) => `left ${terminal}`).filter((one) => !programs.includes(one));

/** Whether it was begun, and not by somebody else's delete that came first. */
const begun = ({ events }: WorldEnding): boolean =>
  events.some(({ body }) => body.type === "session" && body.cause?.startsWith("sparing") === true);

const spared = (ending: WorldEnding): string | null => {
  const [gone] = endedOf(ending);
  return gone === undefined || !begun(ending) ? null : `what was to be spared was ended: ${gone}`;
};

/** An end is somebody's own where it was not so before. */
const unspared = (ending: WorldEnding): string | null => {
  const isOwn = ending.told.some(
    (line) => line.startsWith(`${remove.name}: ok `) && line.includes('"alreadyGone":false'),
  );
  return isOwn && endedOf(ending).length < TERMINALS.length
    ? "a delete that spares nothing was acknowledged, and what left lives"
    : null;
};

/** Of a create in its place nobody is told whether that ended it, or found that it had ended. */
const judgedBehind = (next: Call) => {
  if (next === replacing) return {};
  return { also: next === remove ? unspared : spared };
};

/** Who finishes it, or ends it himself. A gc may forget it. */
const finishers: ReadonlyArray<Call> = [
  sparing,
  reconcile,
  removeFirst,
  removeTerminal,
  gc,
  replacing,
  remove,
];

/** Who comes behind it; where it is not finished some are refused, which changes nothing. */
const comers: ReadonlyArray<Call> = [...finishers, add, create, restore];

const behind = (next: Call) => ({
  ...judgedBehind(next),
  ...(next === gc ? { instead: agreement } : {}),
  cost: 1,
  crash: true,
});

const cutOff = (next: Call): ListedWorld => ({
  ...behind(next),
  name: `delete of two terminals, sparing, cut off ∥ ${next.name}`,
  before: made,
  programs: [[sparing], [later(1_000, next)]],
});

/** Its kill did not come through, and then the session went by itself. */
const inDoubt = (next: Call): ReadonlyArray<ListedWorld> =>
  [removedByUser, serverDies].map((loss) => ({
    ...behind(next),
    name: `delete of two terminals, sparing, in doubt, ${loss.name}, and ${next.name}`,
    before: [...made, inVain(sparing, "kill"), loss],
    programs: [[next]],
  }));

/** The worlds. */
export const sparingTerminalsWorlds: ReadonlyArray<ListedWorld> = [
  ...comers.map(cutOff),
  ...finishers.flatMap(inDoubt),
];
