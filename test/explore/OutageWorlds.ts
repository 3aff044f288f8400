/**
 * OutageWorlds: a registry that is out of reach from here to there: a window of calls, and not a
 * single one. What a message began is left in doubt, and neither the new epoch nor the end of its
 * claim can be written; the same program's next message finds its own claim.
 *
 * The list to tmux is done when everything is over: behind the next message it does nothing.
 */
import { type Registry, RegistryUnavailable } from "@troupe/core";
import { Explore, Fault } from "@troupe/testing";
import { Effect } from "effect";
import type { ListedWorld } from "./NamedWorld.js";
import { noneRead, pressOne, sendTwo, sendWorld, timesRead } from "./SendWorlds.js";
import {
  add,
  create,
  programEnds,
  reconcile,
  remove,
  removeTerminal,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** Where the window is: it opens once in a run, and closes at a call or behind the message. */
let window: "before" | "open" | "behind" = "before";

const outcomesOf = () =>
  window === "open"
    ? (["still gone", "back"] as const)
    : (["there", "gone", "gone behind it"] as const);

/** The same registry, which is gone for a while. */
const goneForAWhile = (registry: Registry["Type"]): Registry["Type"] => {
  const met = (method: string, call: unknown): unknown => {
    if (!Effect.isEffect(call)) return call;
    const gone = new RegistryUnavailable({ session: null, attempted: method, detail: "gone" });
    return Effect.suspend(() => {
      if (window === "behind") return call;
      return Effect.flatMap(Explore.choose(`registry.${method}`, outcomesOf()), (outcome) => {
        if (outcome === "there") return call;
        window = outcome === "back" ? "behind" : "open";
        if (outcome === "back") return call;
        return outcome === "gone behind it" ? Effect.zipRight(call, gone) : gone;
      });
    });
  };
  const members = Object.entries(registry).map(([method, member]) => [
    method,
    typeof member === "function"
      ? (...args: ReadonlyArray<unknown>) => met(method, Reflect.apply(member, registry, args))
      : met(method, member),
  ]);
  // Every member keeps its type: an effect with the same answer, and a failure that it may have.
  return Object.fromEntries(members) as Registry["Type"];
};

/** What makes, adds or types something. */
const begins = /new-session|new-window|send-keys/;

/** The first, whose list comes late, and behind it another of the same program. */
const inOrder = (first: Call, second: Call): Call => ({
  name: `one behind the other: ${first.name}, ${second.name}`,
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      const matches = ({ stdin }: { readonly stdin?: unknown }) => begins.test(`${stdin}`);
      yield* tmux.inject({ fault: Fault.lateEffect, matches });
      yield* Effect.exit(first.run(sessions, tmux));
      yield* tmux.clearFaults;
      window = "behind";
      return yield* second.run(sessions, tmux);
    }),
});

const outage = {
  registry: goneForAWhile,
  onStart: () => {
    window = "before";
  },
};

const nameOf = (first: Call, second: Call): string =>
  `${first.name} that comes late, its registry gone for a while, and ${second.name}`;

const beforeOf = (first: Call): ReadonlyArray<Call> => {
  if (first === create) return [];
  return first === restore ? [create, programEnds] : [create];
};

const met = ([first, second, cost]: readonly [Call, Call, number]): ListedWorld => ({
  ...outage,
  cost,
  name: nameOf(first, second),
  before: beforeOf(first),
  programs: [[inOrder(first, second)]],
});

/** What is typed late is typed into nothing, behind whatever looked. */
const sent = (second: Call): ListedWorld => ({
  ...sendWorld(nameOf(pressOne, second), [[inOrder(pressOne, second)]], outage),
  cost: 2,
  onStart: () => {
    window = "before";
    noneRead();
  },
  also: () => (timesRead("one") === 0 ? null : "what was given up arrived"),
});

// The window costs 1, and its end before that of its message 1 more.
const pairs = [
  [create, remove, 2],
  [create, create, 1],
  [create, reconcile, 2],
  [add, removeTerminal, 2],
  [add, reconcile, 1],
  [add, remove, 1],
  [restore, remove, 1],
  [restore, reconcile, 1],
] as const;

const onSqlite = (listed: ListedWorld): ListedWorld => ({
  ...listed,
  name: `${listed.name}, on SQLite`,
  sqlite: true,
});

const made = pairs.map(met);
const sends = [reconcile, sendTwo].map(sent);

/** The worlds. What is long is exhausted less far in a database, which takes its time. */
export const outageWorlds: ReadonlyArray<ListedWorld> = [
  ...made,
  ...sends,
  ...made.map((listed) => ({ ...onSqlite(listed), cost: 1 })),
  ...sends.map(onSqlite),
];
