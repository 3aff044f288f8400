/**
 * WalkTroubles: now and then one call of a walk is in trouble with tmux: one of its lists is not
 * done, not answered, or done late, when the call is over.
 *
 * What is late comes behind the call and before the next one, and is part of no step.
 */
import { Fault } from "@troupe/testing";
import { Effect } from "effect";
import type { Walk } from "./WalkedHome.js";

const TROUBLES = {
  "a client that does nothing": Fault.silent,
  "an answer that is lost": Fault.effectWithoutReply,
  "a list that is late": Fault.lateEffect,
  "a list that hangs": Fault.hang,
};

/** Lists of a call, of which one is in trouble. */
const LISTS = 7;

/** The call as it is met, and its name then. */
export const inTrouble = (
  walk: Walk,
  name: string,
): { readonly name: string; readonly begin: Effect.Effect<void> } => {
  if (!walk.dice.is(0.12)) return { name, begin: Effect.void };
  const [what, fault] = walk.dice.one(Object.entries(TROUBLES));
  const skip = walk.dice.below(LISTS);
  return { name: `${name}, with ${what} (${skip})`, begin: walk.tmux.inject({ fault, skip }) };
};

/** Behind the call: what is late comes now. */
export const troubleOver = ({ tmux }: Walk): Effect.Effect<void> =>
  Effect.all([tmux.clearFaults, tmux.release, Effect.sleep("1 second")], { discard: true });
