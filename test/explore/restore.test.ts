/**
 * A restore of a session that was removed or whose program ended, with trouble at every port call,
 * and beside another verb in another program. After a reconcile everything agrees: the old
 * generation has ended and nothing of it lives, or it is as it was; the new one is whole or undone.
 * Whatever happened the name is still held: the session runs, or can be restored.
 */
import { describe, it } from "vitest";
import { hidden } from "./Agreement.js";
import {
  anyFault,
  create,
  fails,
  holds,
  interrupted,
  programEnds,
  reconcile,
  remove,
  removedByUser,
  restore,
  withoutClaims,
  withoutRestorations,
} from "./SessionCalls.js";

const lost = [create, removedByUser];
const ended = [create, programEnds];
const trouble = { crash: true, faults: anyFault, registryFaults: true, lateEffects: true };

describe("a restore, whatever happens once at any port call of it,", () => {
  for (const [what, before] of [
    ["a session that was removed", lost],
    ["a session whose program ended", ended],
  ] as const) {
    const world = { before, programs: [[interrupted(restore)]], ...trouble, also: hidden };

    it(`of ${what} leaves tmux and the registry in agreement, and the session listed`, () => {
      holds({ name: `restore of ${what}`, ...world }, 1);
    }, 100_000);

    it(`of ${what} hides it when nothing says that a restore begins it`, () => {
      const name = `restore of ${what} that is told to nobody`;
      fails({ name, ...world, registry: withoutRestorations }, 1);
    }, 100_000);
  }
});

describe("a restore beside another verb in another program", () => {
  for (const other of [restore, create, remove, reconcile]) {
    it(`(${other.name}) leaves tmux and the registry in agreement`, () => {
      holds({ name: `restore ∥ ${other.name}`, before: lost, programs: [[restore], [other]] }, 2);
    }, 100_000);
  }

  it("does not without claims", () => {
    fails(
      {
        name: "restore ∥ restore without claims",
        before: lost,
        programs: [[restore], [restore]],
        registry: withoutClaims,
      },
      2,
    );
  }, 100_000);
});
