/**
 * RestoreWorlds: a restore of a session that was removed or whose program ended, with trouble at
 * every port call, and beside another verb in another program.
 *
 * The old generation has ended and nothing of it lives, or it is as it was; the new one is whole or
 * undone. Whatever happened the name is still held: the session runs, or can be restored.
 */
import { hidden } from "./Agreement.js";
import type { ListedWorld } from "./NamedWorld.js";
import {
  anyFault,
  create,
  interrupted,
  programEnds,
  reconcile,
  remove,
  removedByUser,
  restore,
} from "./SessionCalls.js";

const lost = [create, removedByUser];
const ended = [create, programEnds];
const trouble = { crash: true, faults: anyFault, registryFaults: true, lateEffects: true };

/** A restore alone, where one thing goes wrong. */
export const troubledRestores: ReadonlyArray<ListedWorld> = [
  ["a session that was removed", lost] as const,
  ["a session whose program ended", ended] as const,
].map(([what, before]) => ({
  ...trouble,
  name: `restore of ${what}, with trouble`,
  cost: 1,
  before,
  programs: [[interrupted(restore)]],
  also: hidden,
}));

/** A restore of what was removed, and another verb. */
export const contestedRestores: ReadonlyArray<ListedWorld> = [
  restore,
  create,
  remove,
  reconcile,
].map((other) => ({
  name: `restore of what was removed ∥ ${other.name}`,
  cost: 2,
  before: lost,
  programs: [[restore], [other]],
}));

/** Every restore. */
export const restoreWorlds: ReadonlyArray<ListedWorld> = [
  ...troubledRestores,
  ...contestedRestores,
];
