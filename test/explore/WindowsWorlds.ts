/**
 * WindowsWorlds: two windows where others have one: of a user's session that is adopted, and of a
 * session of ours whose windows he has elsewhere, too or instead.
 *
 * What is adopted is adopted whole or left as it was, with no window half ours; what ends ends in
 * every place, and what the user has beside it lives.
 */
import { Effect } from "effect";
import type { WorldEnding } from "./EndingOf.js";
import type { ListedWorld } from "./NamedWorld.js";
import { userHurt } from "./Operations.js";
import {
  add,
  adopt,
  anyFault,
  create,
  interrupted,
  madeByUser,
  reconcile,
  remove,
  removeByForce,
  removeTerminal,
  replacing,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const windowOpened: Call = {
  name: "a user opens a window",
  isAccident: true,
  run: (_, tmux) => tmux.client(["new-window", "-d", "-t", "=a:", "--", "sleep", "100000"]),
};

const ofUser = [madeByUser, windowOpened];

/** Either both windows are a stranger's or both are ours, as long as they are there. */
const adoptedWhole = ({ records, strangers }: WorldEnding): string | null => {
  const left = strangers.filter((session) => session === "a").length;
  if (left === 1) return "one window of two is half adopted";
  const odd = records.find(
    ({ spec, terminals }) => spec.command[0] === "/bin/sh" && terminals.length !== 2,
  );
  return odd === undefined ? null : `of two windows ${odd.terminals.length} were adopted`;
};

const adoptions: ReadonlyArray<ListedWorld> = [
  {
    name: "adopt of two windows, with trouble",
    cost: 1,
    before: ofUser,
    programs: [[interrupted(adopt)]],
    crash: true,
    faults: anyFault,
    registryFaults: true,
    lateEffects: true,
    also: adoptedWhole,
  },
  ...[adopt, reconcile, remove, removeTerminal].map((next) => ({
    name: `adopt of two windows, cut off ∥ ${next.name}`,
    cost: 1,
    before: ofUser,
    programs: [[adopt], [next]],
    crash: true,
    also: adoptedWhole,
  })),
];

/** Two windows of three are in a session of a user's, too. */
const elsewhere: Call = {
  name: "a user has two windows elsewhere",
  isAccident: true,
  run: (_, tmux) =>
    Effect.gen(function* () {
      yield* tmux.client(["new-session", "-d", "-s", "user", "--", "cat"]);
      yield* tmux.client(["link-window", "-d", "-s", "=a:main", "-t", "=user:5"]);
      yield* tmux.client(["link-window", "-d", "-s", "=a:t2", "-t", "=user:6"]);
    }),
};

let left: ReadonlyArray<string> = [];

/** The call, and which windows of ours the user has when it is acknowledged, dead or alive. */
const lookedAt = (call: Call): Call => ({
  ...call,
  run: (sessions, tmux) =>
    Effect.tap(call.run(sessions, tmux), () =>
      Effect.map(
        tmux.client(["list-panes", "-a", "-F", "#{session_name} #{@troupe-pane}"]),
        (all) => {
          left = [...all.stdout.matchAll(/^user (\S+)$/gm)].map(([, terminal = ""]) => terminal);
        },
      ),
    ),
});

const noneLeft = (ending: WorldEnding): string | null =>
  left.length > 0 ? `a user still has what was ended: ${left.join(", ")}` : userHurt(ending);

const endedElsewhere: ReadonlyArray<ListedWorld> = [remove, replacing, removeByForce].map(
  (call) => ({
    name: `${call.name}, where ${elsewhere.name}`,
    cost: 1,
    before: [create, add, add, elsewhere],
    programs: [[lookedAt(call)]],
    crash: true,
    onStart: () => {
      left = [];
    },
    also: noneLeft,
  }),
);

/** The worlds. */
export const windowsWorlds: ReadonlyArray<ListedWorld> = [...adoptions, ...endedElsewhere];
