/**
 * RegistryTwinsHand: what somebody who asks two registries has in his hand: dice, and what was
 * given to him so far.
 *
 * What he asks is drawn; so that it comes to something, he looks at what is there first, and mostly
 * asks what is allowed. A number gives the same dice for ever.
 */
import {
  type Claim,
  IncarnationId,
  isFinal,
  type LeaseRecord,
  type MemoryStore,
  type ProcessId,
  type Registry,
  type SessionRecord,
} from "@troupe/core";
import type { Effect } from "effect";
import { PCGRandom } from "effect/Utils";
import { name } from "./LeaseWorld.js";

/** The names that are asked of. */
export const names = ["a", "b", "c"].map(name);

/** Chance, from a number. */
export interface Dice {
  readonly is: (chance: number) => boolean;
  /** One of them; of none there is none. */
  readonly one: <A>(of: ReadonlyArray<A>) => A;
  readonly some: <A>(of: ReadonlyArray<A>, most: number) => ReadonlyArray<A>;
  /** From 0, and less than that. */
  readonly below: (bound: number) => number;
}

/** The dice of a number. */
export const diceOf = (seed: number): Dice => {
  const random = new PCGRandom(seed);
  const below = (bound: number) => random.integer(bound);
  const one = <A>(of: ReadonlyArray<A>): A => of[below(of.length)] as A;
  return {
    is: (chance) => random.number() < chance,
    one,
    some: (of, most) => [...new Set(Array.from({ length: below(most + 1) }, () => one(of)))],
    below,
  };
};

/** Something that both registries are asked. */
export interface TwinCall {
  readonly name: string;
  /** Whose it is to ask; anybody's, unless it says so. */
  readonly by?: string | undefined;
  readonly ask: (registry: Registry["Type"]) => Effect.Effect<unknown, unknown>;
}

/** What is in a hand; what was given is entered by who asks. */
export interface Hand {
  readonly dice: Dice;
  readonly store: MemoryStore;
  readonly children: ReadonlyArray<ProcessId>;
  readonly claims: Array<Claim>;
  readonly leases: Array<LeaseRecord>;
  readonly incarnations: Array<IncarnationId>;
}

/** A call is drawn from a hand. */
export type Draw = (hand: Hand) => TwinCall;

/** One of them, the heavier the more often. */
export const weighed =
  (draws: ReadonlyArray<readonly [weight: number, draw: Draw]>): Draw =>
  (hand) => {
    const all = draws.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw));
    return hand.dice.one(all)(hand);
  };

/** Among so many that were given last, what was overtaken is of what is there still. */
const RECENT = 8;

/** Something that was given, of the old so often; `null` where nothing was. */
export const given = <A>(
  { dice }: Hand,
  all: ReadonlyArray<A>,
  isCurrent: (one: A) => boolean,
  anyOf = 0.12,
): A | null => {
  const current = dice.is(anyOf) ? [] : all.filter(isCurrent);
  const old = dice.is(0.6) ? all.slice(-RECENT) : all;
  return dice.one(current.length > 0 ? current : old) ?? null;
};

/** A claim that was given, mostly one that is held still. */
export const claimOf = (hand: Hand, anyOf?: number): Claim | null => {
  const isHeld = ({ epoch, owner, session }: Claim): boolean => {
    const row = hand.store.claims.get(session);
    return row?.owner === owner && row.epoch === epoch;
  };
  return given(hand, hand.claims, isHeld, anyOf);
};

/** What is there of a name that has not ended. */
export const activeOf = ({ store }: Hand, session: string): SessionRecord | null =>
  [...store.records.values()].find((r) => r.session === session && !isFinal(r.state)) ?? null;

/** An incarnation that was not there before. */
export const nextIncarnation = ({ incarnations }: Hand): IncarnationId => {
  const next = IncarnationId.make(`incarnation-${incarnations.length + 1}`);
  incarnations.push(next);
  return next;
};
