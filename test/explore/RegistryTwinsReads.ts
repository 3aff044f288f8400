/**
 * RegistryTwinsReads: everything that can be read of two registries, and what waits for news.
 *
 * No look changes anything, so everything may be read at any time: also the locks that programs
 * left in SQLite beside the rows.
 */
import { IncarnationId, type Leftover } from "@troupe/core";
import { Effect } from "effect";
import { requests } from "./RegistryTwinsChanges.js";
import { type Draw, type Hand, names, type TwinCall } from "./RegistryTwinsHand.js";

const events = (since: number, limit: number): TwinCall => ({
  name: `at most ${limit} events behind ${since}`,
  ask: (registry) => registry.events(since, limit),
});

/** Of each name. */
const ofName = (session: (typeof names)[number]): ReadonlyArray<TwinCall> => [
  { name: `get ${session}`, ask: (registry) => registry.get(session) },
  { name: `the history of ${session}`, ask: (registry) => registry.history(session) },
  { name: `the lease of ${session}`, ask: (registry) => registry.leaseOf(session) },
  ...[true, false].map((asksLife) => ({
    name: `the claim of ${session}${asksLife ? " and its life" : ""}`,
    ask: (registry: Parameters<TwinCall["ask"]>[0]) => registry.seeClaim(session, { asksLife }),
  })),
];

/** Everything there is, but for most of the incarnations one by one. */
export const everything = ({ dice, incarnations }: Hand): ReadonlyArray<TwinCall> => [
  { name: "the whole history", ask: (registry) => registry.history(null) },
  { name: "the servers", ask: (registry) => registry.servers },
  { name: "the leases", ask: (registry) => registry.leases },
  events(0, 1_000),
  { name: "list all", ask: (registry) => registry.list({ ended: true }) },
  { name: "list what has not ended", ask: (registry) => registry.list({ ended: false }) },
  ...names.flatMap(ofName),
  ...requests.map((request) => ({
    name: `what ${request} began`,
    ask: (registry: Parameters<TwinCall["ask"]>[0]) => registry.findRequest(request),
  })),
  ...[...dice.some(incarnations, 3), IncarnationId.make("incarnation-none")].map((one) => ({
    name: `find ${one}`,
    ask: (registry: Parameters<TwinCall["ask"]>[0]) => registry.find(one),
  })),
];

/** One thing of all that. */
export const something: Draw = (hand) => hand.dice.one(everything(hand));

/** A page of the log, from any number. */
export const page: Draw = ({ dice, store }) => {
  const last = store.events.at(-1)?.sequence ?? 0;
  return events(dice.below(last + 3) - 1, dice.one([0, 1, 2, 5, 1_000]));
};

/** Whether somebody at this number has news within a second. */
export const waits: Draw = ({ dice, store }) => {
  const last = store.events.at(-1)?.sequence ?? 0;
  const at = dice.one([last, last, last - 1, last + 1, 0]);
  return {
    name: `whether there is news behind ${at}`,
    ask: (registry) => Effect.timeoutOption(registry.awaitEvents(at), "1 second"),
  };
};

/** Whether rows name him still. */
const isNamed = ({ store }: Hand, owner: string): boolean =>
  [...store.claims.values(), ...store.leases.values()].some((row) => row.owner === owner);

/** Nothing is left beside the rows in memory; in SQLite the locks of those whom rows name stay. */
export const beside: Draw = (hand) => {
  const remove = hand.dice.is(0.5);
  const isWrong = ({ removable, what }: Leftover): boolean =>
    removable === isNamed(hand, what.replace("lock of ", ""));
  return {
    name: `what is wrong of the leftovers${remove ? ", removed" : ""}`,
    ask: (registry) => Effect.map(registry.leftovers({ remove }), (left) => left.filter(isWrong)),
  };
};
