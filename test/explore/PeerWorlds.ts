/**
 * PeerWorlds: what ends one terminal of two, with as much living in the other; cut off, and who
 * comes behind that. All of the one has ended when that is acknowledged, and all of the other
 * lives, in whichever order they were made.
 *
 * A delete, one that was in vain and is finished, one of a window that was closed, an add that is
 * undone.
 */
import { MARK_VARIABLE, TERMINAL_VARIABLE } from "@troupe/core";
import { Effect } from "effect";
import { inVain } from "./BirthWorlds.js";
import { OFFSPRING, type WorldEnding } from "./EndingOf.js";
import { windowClosed } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { take } from "./Operations.js";
import { add, create, reconcile, removeFirst, removeTerminal } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** A child of the terminal, known by its parent, and one that forked twice, known by its mark. */
const livesIn = (terminal: string): Call => ({
  name: `what lives in ${terminal}`,
  run: (_, tmux) =>
    Effect.gen(function* () {
      const all = yield* tmux.processes;
      const pane = all.find((p) => p.environment.get(TERMINAL_VARIABLE) === terminal);
      const own = pane?.environment.get(MARK_VARIABLE) ?? "";
      const how = { ignoresHup: true };
      const child = { [OFFSPRING]: `${own} ${terminal}` };
      const parent = pane?.pid ?? 1;
      yield* tmux.spawn({ ...how, parent, program: `child of ${terminal}`, environment: child });
      const marked = { [MARK_VARIABLE]: own, [TERMINAL_VARIABLE]: terminal };
      yield* tmux.spawn({
        ...how,
        parent: 1,
        program: `daemon of ${terminal}`,
        environment: marked,
      });
    }),
});

/** What lived in the terminal before its peer was added is none of that one's. */
const made = [create, livesIn("main"), add, livesIn("t2")];

/** Everything of these terminals lives, and their rows say so. */
const unhurt =
  (...peers: ReadonlyArray<string>) =>
  ({ programs, records }: WorldEnding): string | null => {
    for (const peer of peers) {
      const gone = [`child of ${peer}`, `daemon of ${peer}`].find((p) => !programs.includes(p));
      if (gone !== undefined) return `it was ended with another terminal: ${gone}`;
      const state = records[0]?.terminals.find(({ terminal }) => terminal === peer)?.state;
      if (state !== "running") return `nobody ended ${peer}, and it is ${state}`;
    }
    return null;
  };

/** Its program fails as it starts. */
const addInVain: Call = {
  name: "add of what fails",
  run: (s) => s.addTerminal({ session: "a", command: ["false"], cwd: "/" }),
};

/** What ends one terminal, what there is before it, and whose everything lives on. */
interface Ender {
  readonly call: Call;
  readonly before: ReadonlyArray<Call>;
  readonly peers: ReadonlyArray<string>;
}

const vain = (call: Call) => [...made, inVain(call, "kill a terminal")];
const finished = (what: string): Call => ({ ...reconcile, name: `reconcile of ${what}, in vain` });

const enders: ReadonlyArray<Ender> = [
  { call: removeTerminal, before: made, peers: ["main"] },
  { call: removeFirst, before: made, peers: ["t2"] },
  { call: finished(removeTerminal.name), before: vain(removeTerminal), peers: ["main"] },
  { call: finished(removeFirst.name), before: vain(removeFirst), peers: ["t2"] },
  { call: addInVain, before: made, peers: ["main", "t2"] },
];

/** Whoever comes behind it ends nothing else. */
const comers: ReadonlyArray<Call> = [reconcile, add, take];

const cutOff = ({ before, call, peers }: Ender): ReadonlyArray<ListedWorld> =>
  comers.map((next) => ({
    name: `${call.name}, beside what lives in ${peers.join(" and ")}, cut off ∥ ${next.name}`,
    cost: 1,
    before,
    programs: [[call], [next]],
    crash: true,
    also: unhurt(...peers),
  }));

/** What is left of a child is known to nobody then. */
const closed: ListedWorld = {
  name: "delete a terminal that is gone, beside what lives in main",
  cost: 1,
  before: [create, livesIn("main"), add, windowClosed, reconcile],
  programs: [[removeTerminal]],
  crash: true,
  also: unhurt("main"),
};

/** The worlds. */
export const peerWorlds: ReadonlyArray<ListedWorld> = [...enders.flatMap(cutOff), closed];
