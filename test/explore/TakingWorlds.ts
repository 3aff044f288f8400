/**
 * TakingWorlds: a lease is its writer's until he gives it back, it is taken, or its session ends;
 * and each taking is told once, in memory and on SQLite.
 *
 * What becomes of a session that is not over takes nobody's lease away.
 */
import type { WorldEnding } from "./EndingOf.js";
import type { ListedWorld } from "./NamedWorld.js";
import { accidents, serverDies } from "./Operations.js";
import {
  add,
  create,
  programEnds,
  reconcile,
  remove,
  removedByUser,
  removeTerminal,
  replacing,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { leaseRequest } from "./UnderLeaseWorlds.js";

const taking = (who: string): Call => ({
  name: `take the lease for ${who}`,
  run: (s) => s.claimLease({ ...leaseRequest(who), over: "any" }),
});

/** How often the log tells that a lease was lost so. */
const lost = ({ events }: WorldEnding, how: "taken" | "dropped"): number =>
  events.filter(({ body }) => body.type === "lease" && body.state === how).length;

/** As often as somebody took it who was not the first to have it. */
const toldOnce = (ending: WorldEnding): string | null => {
  const { leases, told } = ending;
  const took = told.filter((line) => /^take the lease for \w+: ok/.test(line)).length;
  const times = lost(ending, "taken");
  if (times !== took) return `it was taken ${took} times, and that is told ${times} times`;
  return leases.length === 1 ? null : `${leases.length} leases are left`;
};

const where = (sqlite: boolean): string => (sqlite ? ", on SQLite" : "");

/** Two of one program, of what another has: of who has ended nobody takes anything. */
const taken = (sqlite: boolean): ListedWorld => ({
  name: `a lease that two take${where(sqlite)}`,
  cost: 1,
  sqlite,
  before: [create, taking("one")],
  programs: [[taking("two"), taking("three")]],
  also: toldOnce,
});

/** What a session goes through, and whether its lease outlives that. */
const fates: ReadonlyArray<readonly [Call, boolean]> = [
  ...[programEnds, removedByUser, ...accidents].map((call) => [call, true] as const),
  ...[add, removeTerminal, reconcile].map((call) => [call, true] as const),
  ...[remove, replacing, restore].map((call) => [call, false] as const),
];

const claim: Call = { name: "claim the lease", run: (s) => s.claimLease(leaseRequest("one")) };

const fate = (call: Call, stays: boolean, sqlite: boolean): ListedWorld => ({
  name: `a lease, and ${call.name} and reconcile${where(sqlite)}`,
  cost: 0,
  sqlite,
  before: [
    create,
    ...(call === removeTerminal ? [add] : []),
    claim,
    ...(call === restore ? [serverDies, reconcile] : []),
    call,
  ],
  programs: [[{ ...reconcile, name: "reconcile all", run: (s) => s.reconcileAll }]],
  also: (ending) => {
    const [left, told] = [ending.leases.length, lost(ending, "dropped")];
    const should = stays ? [1, 0] : [0, 1];
    if (left !== should[0]) return `it is ${stays ? "nobody's" : "left"}`;
    return told === should[1] ? null : `that it went is told ${told} times`;
  },
});

/** The worlds. */
export const takingWorlds: ReadonlyArray<ListedWorld> = [false, true].flatMap((sqlite) => [
  taken(sqlite),
  ...fates.map(([call, stays]) => fate(call, stays, sqlite)),
]);
