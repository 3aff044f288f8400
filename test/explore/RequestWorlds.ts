/**
 * RequestWorlds: a create that is asked for again, behind each way in which what it made can go,
 * and with what can go wrong in the middle of it.
 *
 * One request makes one session, whatever becomes of that: of its rows one at most has not failed,
 * and whoever asks again is told of that one. All of it is a product of lists.
 */
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import { losses } from "./DaemonWorlds.js";
import type { WorldEnding } from "./EndingOf.js";
import type { ListedWorld } from "./NamedWorld.js";
import { socketGoes } from "./Operations.js";
import { interrupted, reconcile, remove, removedByUser } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

/** A create of a request: whoever asks for it again is told of what it made. */
export const requested: Call = {
  name: "create, requested",
  run: (s) => s.create({ ...spec, requestId: "request" }),
};

/** A user removes it, and a restore makes it anew. */
const restored: Call = {
  name: "a restore",
  run: (s, tmux) => Effect.zipRight(removedByUser.run(s, tmux), s.restore("a")),
};

/** The same call, while tmux makes no session. */
const inVain = (call: Call, called: string): Call => ({
  name: called,
  run: (s, tmux) =>
    Effect.gen(function* () {
      const matches = ({ stdin }: TmuxRequest) => `${stdin}`.includes("new-session");
      yield* tmux.inject({ fault: Fault.silent, matches, times: 1_000 });
      yield* Effect.flip(call.run(s, tmux));
      yield* tmux.clearFaults;
    }),
});

const restoredInVain = inVain(restored, "a restore that fails");

/** The first time that it is asked for nothing comes of it. */
const askedInVain = inVain(requested, "a first one in vain");

/** How what was made can go. */
const ends: ReadonlyArray<Call> = [...losses, remove, restored, restoredInVain];

const told = /^create, requested: ok (.*)$/;

/** Beside what restores made it is one row, of which everybody is told. */
export const madeOnce =
  (restores: number) =>
  ({ records, told: lines }: WorldEnding): string | null => {
    const made = records.filter(({ state }) => state !== "failed");
    if (made.length > 1 + restores) return `one request made ${made.length - restores} sessions`;
    const first = Math.min(...made.map(({ generation }) => generation));
    for (const line of lines) {
      const answer = told.exec(line)?.[1];
      const { generation } = answer === undefined ? { generation: first } : JSON.parse(answer);
      if (generation !== first) return `a request made ${first}, and was told of ${generation}`;
    }
    return null;
  };

const named = (calls: ReadonlyArray<Call>): string => calls.map(({ name }) => name).join(" and ");

/**
 * Asked again behind it, when a reconcile has written that down, and when none has; and when it had
 * been asked for in vain before.
 */
const behind = (end: Call): ReadonlyArray<ListedWorld> =>
  [
    { first: [], written: [] },
    { first: [], written: [reconcile] },
    { first: [askedInVain], written: [reconcile] },
  ].map(({ first, written }) => ({
    name: `create, requested, again behind ${named([...first, end, ...written])}`,
    cost: 0,
    before: [...first, requested, end, ...written],
    // What nobody has written down yet is left to a reconcile.
    programs: [[{ ...requested, isAccident: written.length === 0 }]],
    also: madeOnce([restored, restoredInVain].includes(end) ? 1 : 0),
    ...(end === socketGoes ? {} : { succeeds: [requested.name] }),
  }));

const trouble = { cost: 1, happens: losses, crash: true, also: madeOnce(0) };

/** The worlds. */
export const requestWorlds: ReadonlyArray<ListedWorld> = [
  ...ends.flatMap(behind),
  {
    ...trouble,
    name: "create, requested, again, and an accident at any call of it",
    before: [requested],
    programs: [[interrupted(requested)]],
  },
  {
    ...trouble,
    name: "create, requested ∥ create, requested, and an accident at any call of them",
    programs: [[interrupted(requested)], [interrupted(requested)]],
  },
];
