/**
 * RegistryTwinsLeases: what two registries are asked about leases.
 *
 * Writers are two actors in each program; of the processes that run their turns one lives, one is
 * dead and of one nothing is known.
 */
import { ActorId, LeaseId, type LeaseRecord, sameLease, TurnId } from "@troupe/core";
import { Effect } from "effect";
import {
  activeOf,
  type Draw,
  given,
  type Hand,
  names,
  type TwinCall,
} from "./RegistryTwinsHand.js";

const actors = ["actor1", "actor2"].map((actor) => ActorId.make(actor));
const components = ["sessions", "others"];

const idOf = ({ epoch, lease, session }: LeaseRecord): string =>
  `${lease} of ${session} at epoch ${epoch}`;

const kept = ({ leases }: Hand, lease: LeaseRecord): void => void leases.push(lease);

/** A lease of a name. */
export const claimLease: Draw = (hand) => {
  const { one } = hand.dice;
  const request = {
    ...{ session: one(names), attempted: "explored", surface: one(["one", "another"]) },
    ...{ lease: LeaseId.make(`lease${hand.leases.length}`), component: one(components) },
    ...{ actor: one(actors), capacity: one([null, null, null, 1, 2]) },
    over: one([undefined, undefined, "settled", "any"] as const),
  };
  return {
    name: `lease ${JSON.stringify(request)}`,
    ask: (registry) => Effect.tap(registry.claimLease(request), (got) => kept(hand, got)),
  };
};

/** What is asked under a lease, now and then an old one; the first thing asked is one. */
const underLease =
  (body: (hand: Hand, lease: LeaseRecord) => TwinCall, anyOf?: number): Draw =>
  (hand) => {
    const isHeld = (lease: LeaseRecord): boolean =>
      [...hand.store.leases.values()].some((row) => sameLease(row, lease));
    const held = given(hand, hand.leases, isHeld, anyOf);
    return held === null ? claimLease(hand) : body(hand, held);
  };

/** It goes to another writer or to another name. */
export const moveLease = underLease((hand, held) => {
  const { is, one } = hand.dice;
  const free = names.filter((n) => activeOf(hand, n) !== null && !hand.store.leases.has(n));
  const other = one(free.length > 0 && is(0.8) ? free : names);
  const session = is(0.3) ? held.session : other;
  const to = { attempted: "explored", session, actor: one(actors) };
  return {
    name: `move ${idOf(held)} to ${JSON.stringify(to)}`,
    by: is(0.9) ? held.owner : undefined,
    ask: (registry) => Effect.tap(registry.moveLease(held, to), (got) => kept(hand, got)),
  };
});

/** Its holder says something of himself. */
export const writeLease = underLease(({ children, dice }, held) => {
  const turn = dice.one([undefined, null, TurnId.make("turn1"), TurnId.make("turn2")]);
  const run = dice.is(0.4) ? undefined : dice.some(children, 3);
  const note = { turn, children: run };
  return {
    name: `note ${JSON.stringify(note)} under ${idOf(held)}`,
    ask: (registry) => registry.writeLease(held, note),
  };
});

/** It is given back. */
export const releaseLease = underLease(
  (_, held) => ({
    name: `give ${idOf(held)} back`,
    ask: (registry) => registry.releaseLease(held),
  }),
  0.6,
);

/** What nobody answers for is removed. */
export const sweepLeases: Draw = ({ dice }) => {
  const component = dice.one(components);
  const graceMs = dice.one([0, 100]);
  const vouches = dice.one(actors);
  const vouched = ({ actor }: LeaseRecord): boolean => actor === vouches;
  return {
    name: `sweep ${component}, where ${vouches} is vouched for, behind ${graceMs} ms`,
    ask: (registry) => registry.sweepLeases({ component, graceMs, vouched }),
  };
};
