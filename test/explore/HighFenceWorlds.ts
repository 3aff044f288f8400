/**
 * HighFenceWorlds: each verb of a name whose fence stands above its epochs although nobody of this
 * home raised it: its registry was lost and has begun anew, or another home has the name, too, on
 * the same server. Before the verb, or raised at any call of it.
 *
 * The name is as usable as any: the message that meets the fence is done. Whoever was overtaken is
 * kept from it all the same, at whatever height the fence stands, and so is what comes late.
 */
import type { ListedWorld } from "./NamedWorld.js";
import { before, called } from "./Operations.js";
import { anyFault, create, removeByForce, removeFirst, replacing } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** Far above what a run takes; only a server that is there has one. */
const HEIGHT = "50";

const raised: Call = {
  name: "the fence is raised by another home",
  run: (_, tmux) => tmux.client(["set-option", "-s", "@troupe-fence-a", HEIGHT]),
  tells: () => "raised",
};

/** Another name of ours, so that there is a server. */
const createOther: Call = {
  name: "create the other",
  run: (s) => s.create({ session: "other", command: ["sleep", "100000"], cwd: "/" }),
};

const there = (call: Call): ReadonlyArray<Call> => {
  if (call === create) return [createOther];
  return call === replacing || call === removeFirst ? [create] : before([call]);
};

/** A send of keys alone loads nothing. */
const press: Call = { name: "send keys", run: (s) => s.send("a", { keys: ["x"], enter: true }) };

const verbs: ReadonlyArray<Call> = [...called, press, replacing, removeFirst];

const standing = (call: Call): ReadonlyArray<ListedWorld> =>
  [false, true].map((sqlite) => ({
    name: `${call.name}, below a fence that stands high${sqlite ? ", on SQLite" : ""}`,
    cost: sqlite ? 0 : 1,
    before: [...there(call), raised],
    programs: [[call]],
    crash: !sqlite,
    sqlite,
    succeeds: [call.name],
  }));

const risen = (call: Call): ListedWorld => ({
  name: `${call.name}, and a fence is raised high at any call of it`,
  cost: 1,
  before: there(call),
  programs: [[call]],
  happens: raised,
  succeeds: [call.name],
});

/** What comes late is of an epoch that the fence bars, be it the one that passes now. */
const inTrouble = (call: Call): ListedWorld => ({
  name: `${call.name}, below a fence that stands high, with trouble`,
  cost: 1,
  before: [...there(call), raised],
  programs: [[call]],
  faults: anyFault,
  crash: true,
  lateEffects: true,
});

/** The registry knows who was overtaken, and the height of the fence says nothing of it. */
const overtaken = (call: Call): ListedWorld => ({
  name: `${call.name}, below a fence that stands high, and a delete by force at any call of it`,
  cost: 1,
  before: [...there(call), raised],
  programs: [[call]],
  happens: removeByForce,
});

/** The worlds. */
export const highFenceWorlds: ReadonlyArray<ListedWorld> = verbs.flatMap((call) => [
  ...standing(call),
  risen(call),
  inTrouble(call),
  overtaken(call),
]);
