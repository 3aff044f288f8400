/**
 * RegistryTwinsSessions: what two registries are asked about names and what there is of them:
 * claims, commits, and forgetting.
 *
 * Claims are used by whichever program, as they are worth what the row of the name says.
 */
import { type Change, type Claim, type IncarnationId, isFinal, type Registry } from "@troupe/core";
import { Effect } from "effect";
import { anyChanges, begun, changesOf, endOf, servers } from "./RegistryTwinsChanges.js";
import {
  activeOf,
  claimOf,
  type Draw,
  type Hand,
  names,
  nextIncarnation,
  type TwinCall,
} from "./RegistryTwinsHand.js";

const idOf = ({ epoch, owner, session }: Claim): string =>
  `${session} at epoch ${epoch} of ${owner.split(",").at(-1)}`;

const kept = ({ claims }: Hand, claim: Claim): void => void claims.push(claim);

/** The claim of a name. */
export const claim: Draw = (hand) => {
  const session = hand.dice.one(names);
  const force = hand.dice.is(0.15);
  return {
    name: `claim ${session}${force ? " by force" : ""}`,
    ask: (registry) =>
      Effect.tap(registry.claim(session, { attempted: "explored", force }), (got) =>
        kept(hand, got),
      ),
  };
};

/** What is asked under a claim, now and then an old one; the first thing asked is one. */
const underClaim =
  (body: (hand: Hand, claim: Claim) => TwinCall, anyOf?: number): Draw =>
  (hand) => {
    const held = claimOf(hand, anyOf);
    return held === null ? claim(hand) : body(hand, held);
  };

/** The claim ends. */
export const release = underClaim(({ dice }, held) => {
  const fenceDue = dice.is(0.3);
  return {
    name: `release ${idOf(held)}${fenceDue ? ", the fence is due" : ""}`,
    ask: (registry) => registry.release(held, { fenceDue }),
  };
}, 0.5);

/** It goes on at another epoch. */
export const renew = underClaim((hand, held) => {
  const atLeast = hand.dice.one([undefined, undefined, 3, 9]);
  return {
    name: `renew ${idOf(held)} at ${atLeast ?? "the next"}`,
    ask: (registry) => Effect.tap(registry.renew(held, atLeast), (got) => kept(hand, got)),
  };
});

const written = (
  { dice }: Hand,
  held: Claim,
  incarnation: IncarnationId,
  changes: ReadonlyArray<Change>,
  ending?: NonNullable<Parameters<Registry["Type"]["commit"]>[3]["ending"]>,
): TwinCall => {
  const release = dice.is(0.35);
  const instead = ending === undefined ? "" : ` instead of ${JSON.stringify(ending)}`;
  const then = release ? ", and release" : "";
  return {
    name: `commit ${incarnation} ${JSON.stringify(changes)}${instead} under ${idOf(held)}${then}`,
    ask: (registry) => registry.commit(held, incarnation, changes, { release, ending }),
  };
};

/** Something is written. */
export const commit = underClaim((hand, held) => {
  const { dice, incarnations } = hand;
  const active = activeOf(hand, held.session);
  if (dice.is(0.06) && incarnations.length > 0) {
    return written(hand, held, dice.one(incarnations), anyChanges(dice));
  }
  if (active === null || dice.is(0.12)) {
    const changes = begun(dice);
    const isInstead = active !== null && dice.is(0.6);
    const ending = isInstead
      ? { incarnation: active.incarnation, changes: endOf(dice, active, dice.is(0.9)) }
      : undefined;
    return written(hand, held, nextIncarnation(hand), changes, ending);
  }
  const { incarnation } = active;
  const changes = dice.is(0.2) ? endOf(dice, active, dice.is(0.6)) : changesOf(dice, active);
  return written(hand, held, incarnation, changes);
});

/** What has ended is forgotten, and servers with it. */
export const forget = underClaim((hand, held) => {
  const { dice, incarnations, store } = hand;
  const ended = [...store.records.values()].filter(
    ({ session, state }) => session === held.session && isFinal(state),
  );
  const isOwn = ended.length > 0 && dice.is(0.85);
  const incarnation = isOwn ? dice.one(ended).incarnation : dice.one(incarnations);
  if (incarnation === undefined) return commit(hand);
  const also = dice.some(servers, 2);
  return {
    name: `forget ${incarnation} and servers ${JSON.stringify(also)} under ${idOf(held)}`,
    ask: (registry) => registry.forget(held, incarnation, also),
  };
});

/** A name is forgotten, where nothing else is left of it. */
export const forgetName = underClaim((_, held) => ({
  name: `forget the name of ${idOf(held)}`,
  ask: (registry) => registry.forgetName(held),
}));
