/**
 * BesideWorlds: every operation, and at any port call of it what belongs to no pair: readers, a gc,
 * and a tmux that fails twice.
 *
 * A reader changes nothing, so whoever reads one thing in two ways is told the same, also in the
 * middle of a call. A gc forgets what has ended; what is under way has not.
 */
import { Effect } from "effect";
import { agreement, gc, gcExited } from "./GcWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { before, called } from "./Operations.js";
import { readersDisagree } from "./ReadersAgree.js";
import { adopt, anyFault, create, interrupted, remove } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

let disagreed: ReadonlyArray<string> = [];

const read: Call = {
  name: "read",
  run: (s) =>
    Effect.map(readersDisagree(s), (lines) => {
      disagreed = lines;
    }),
};

const reading = (call: Call): ListedWorld => ({
  name: `${call.name}, and readers at any call of it`,
  cost: 1,
  before: before([call]),
  programs: [[interrupted(call)]],
  happens: read,
  onStart: () => {
    disagreed = [];
  },
  also: () => disagreed[0] ?? null,
});

const collected = (call: Call): ListedWorld => ({
  name: `${call.name}, and a gc at any call of it`,
  cost: 1,
  // A user's session has the name only when no ended one of ours has a row that is to be forgotten.
  before: [...(call === adopt ? [] : [create, remove]), ...before([call])],
  programs: [[interrupted(call)]],
  happens: [gc, gcExited],
  // Right behind the end of a row, and before that is told, the row may be forgotten.
  instead: (ending) =>
    agreement({
      ...ending,
      told: ending.told.filter((line) => line !== "untrue: delete: there is no such row"),
    }),
});

const unheard = (call: Call): ListedWorld => ({
  name: `${call.name}, and tmux that fails twice`,
  cost: 2,
  before: before([call]),
  programs: [[call]],
  faults: anyFault,
});

/** The worlds. */
export const besideWorlds: ReadonlyArray<ListedWorld> = called.flatMap((call) => [
  reading(call),
  ...(call === create ? [] : [collected(call)]),
  unheard(call),
]);
