/**
 * An adopt of a session that a user made, with trouble at every port call, and beside another verb
 * in another program. After a reconcile everything agrees: it is whole and ours, or a stranger.
 */
import { describe, it } from "vitest";
import {
  adopt,
  anyFault,
  create,
  fails,
  holds,
  interrupted,
  madeByUser,
  reconcile,
  remove,
  withoutClaims,
} from "./SessionCalls.js";

const before = [madeByUser];

describe("an adopt, whatever happens once at any port call of it,", () => {
  it("leaves tmux and the registry in agreement", () => {
    const trouble = { crash: true, faults: anyFault, registryFaults: true, lateEffects: true };
    holds({ name: "adopt", before, programs: [[interrupted(adopt)]], ...trouble }, 1);
  }, 100_000);
});

describe("an adopt beside another verb in another program", () => {
  for (const other of [adopt, create, remove, reconcile]) {
    it(`(${other.name}) leaves tmux and the registry in agreement`, () => {
      holds({ name: `adopt ∥ ${other.name}`, before, programs: [[adopt], [other]] }, 2);
    }, 100_000);
  }

  it("does not without claims", () => {
    fails(
      {
        name: "adopt ∥ adopt without claims",
        before,
        programs: [[adopt], [adopt]],
        registry: withoutClaims,
      },
      2,
    );
  }, 100_000);
});
