/**
 * OvertakenWorlds: what was begun and is gone over by somebody else, with nobody behind them: a
 * lease that is taken by force finishes what it cut off; of two deletes the later word holds; what
 * a gc forgot leaves no file, whoever was about to keep one.
 *
 * Lists of calls, each with what comes in the middle of it from its beginning to its end.
 */
import type { LeaseRecord } from "@troupe/core";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber } from "effect";
import type { WorldEnding } from "./EndingOf.js";
import { agreement, gc } from "./GcWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { before } from "./Operations.js";
import {
  add,
  create,
  remove,
  removeByForce,
  removeFirst,
  removeTerminal,
  replacing,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { leavers, SPARED, sparing } from "./SparingWorlds.js";
import { leaseRequest } from "./UnderLeaseWorlds.js";

let held: LeaseRecord | null = null;

const hold: Call = {
  name: "claim a lease",
  run: (s) =>
    Effect.map(s.claimLease(leaseRequest("holder")), (lease) => {
      held = lease;
    }),
};

const end: Call = {
  name: "delete, under a lease",
  run: (s) => s.under(held as LeaseRecord).delete({ graceMs: 0 }),
};

/** It is nobody's accident: whoever took it leaves nothing of what he cut off to others. */
const taken: Call = {
  name: "its lease is taken",
  run: (s) => s.claimLease({ ...leaseRequest("taker"), over: "any" }),
};

/** Who has a lease of something has it of what is there. */
const ofWhatIsThere = ({ records, told }: WorldEnding): string | null => {
  const answer = told.find((line) => line.startsWith(`${taken.name}: ok `));
  if (answer === undefined) return null;
  const { incarnation } = JSON.parse(answer.slice(`${taken.name}: ok `.length)) as LeaseRecord;
  const state = records.find((r) => r.incarnation === incarnation)?.state;
  const isEnding = state === "creating" || state === "deleting";
  return isEnding ? `the lease that was taken is of what is ${state}` : null;
};

/** Of a create that is cut off there is nothing to hold. */
const cutOffByTaking = (call: Call): ListedWorld => ({
  name: `${call.name}, and its lease is taken by force at any call of it`,
  cost: 1,
  before: call === end ? [create, hold] : before([call]),
  programs: [[call]],
  happens: taken,
  also: ofWhatIsThere,
  sometimes: [`${taken.name}: ${call === create ? "failed NotFound" : "ok"}`],
});

/** What writes an intent. A restore writes none before it has ended what is left. */
const begins: ReadonlyArray<Call> = [
  end,
  remove,
  removeFirst,
  removeTerminal,
  replacing,
  create,
  add,
];

/** The same call, whose kill tmux refuses to the bound: it ends in doubt, and its row stays. */
const inDoubt = (call: Call): Call => ({
  name: `${call.name}, in doubt`,
  run: (s, tmux) =>
    Effect.gen(function* () {
      const refused = Fault.refuse("what?\n");
      yield* tmux.inject({ fault: refused, matches: (r) => r.attempted === "kill", times: 999 });
      yield* Effect.exit(call.run(s, tmux));
      yield* tmux.clearFaults;
    }),
});

let isSaid = false;

/** The second delete is cut off anywhere; where it had its say, the reconcile does as it said. */
export const secondWord = (
  first: Call,
  second: Call,
  holds: (ending: WorldEnding) => string | null,
  what: { readonly of: string; readonly before: ReadonlyArray<Call> } = {
    of: "",
    before: [create, leavers],
  },
): ListedWorld => ({
  name: `${first.name}${what.of}, in doubt, and ${second.name}, cut off`,
  cost: 1,
  before: [...what.before, inDoubt(first)],
  programs: [[second]],
  crash: true,
  onStart: () => {
    isSaid = false;
  },
  registry: (registry) => ({
    ...registry,
    commit: (...args) =>
      Effect.tap(registry.commit(...args), () => {
        isSaid = true;
        return Effect.void;
      }),
  }),
  also: (ending) => (isSaid ? holds(ending) : null),
});

const allEnded = ({ programs }: WorldEnding): string | null => {
  const left = SPARED.find((program) => programs.includes(program));
  return left === undefined ? null : `the last word spares nothing, and it lives: ${left}`;
};

const allSpared = ({ programs }: WorldEnding): string | null => {
  const gone = SPARED.find((program) => !programs.includes(program));
  return gone === undefined ? null : `the last word spares it, and it was ended: ${gone}`;
};

/** Another program ends it, and forgets that it ever was. */
const forgotten: Call = {
  name: "it is ended and forgotten",
  run: (s, tmux) => Effect.zipRight(removeByForce.run(s, tmux), gc.run(s, tmux)),
  tells: () => "forgotten",
};

const noFileLeft = (ending: WorldEnding): string | null => {
  const { records, snapshots } = ending;
  const left = snapshots.find((one) => !records.some((r) => r.incarnation === one.incarnation));
  return left === undefined
    ? agreement(ending)
    : `a snapshot of ${left.incarnation} is kept, and it is forgotten`;
};

const keepers: ReadonlyArray<Call> = [remove, removeTerminal, restore];

const keptLate = (call: Call): ListedWorld => ({
  name: `${call.name}, and it is forgotten at any call of it`,
  cost: 1,
  files: "with points",
  before: before([call]),
  programs: [[call]],
  happens: forgotten,
  instead: noFileLeft,
  sometimes: [`${forgotten.name}: ok`],
});

let rest: Effect.Effect<unknown> = Effect.void;

/** A delete that has captured what it is to keep, and keeps it when it goes on. */
const standsStill: Call = {
  name: "a delete stands still",
  run: (s, tmux) =>
    Effect.gen(function* () {
      const shows = ({ stdin }: TmuxRequest) => String(stdin).includes("capture-pane");
      const gate = yield* tmux.hold({ where: "after", matches: shows });
      const deleting = yield* Effect.fork(Effect.exit(s.delete("a", { graceMs: 0 })));
      yield* gate.reached;
      rest = Effect.zipRight(gate.release, Fiber.await(deleting));
    }),
};

const goesOn: Call = {
  name: "a delete that stood still goes on",
  run: () => rest,
  tells: () => "it has ended",
};

/** The worlds. */
export const overtakenWorlds: ReadonlyArray<ListedWorld> = [
  ...begins.map(cutOffByTaking),
  secondWord(sparing, remove, allEnded),
  secondWord(remove, sparing, allSpared),
  ...keepers.map(keptLate),
  {
    name: `${forgotten.name}, and ${goesOn.name} at any call of that`,
    cost: 1,
    files: "with points",
    before: [create, standsStill],
    programs: [[forgotten]],
    happens: goesOn,
    instead: noFileLeft,
  },
];
