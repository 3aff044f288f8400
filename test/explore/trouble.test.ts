/**
 * One call, and pairs in two programs, with trouble: at every port call in turn a crash, an
 * interruption of the caller, a tmux call that fails, is lost or hangs, or a registry call that
 * fails, is lost or dies of a bug. After a reconcile by another program everything agrees.
 */
import { describe, it } from "vitest";
import { anyFault, create, holds, interrupted, reconcile, remove } from "./SessionCalls.js";
import type { SessionWorldOptions } from "./SessionWorld.js";

const trouble = { crash: true, faults: anyFault, registryFaults: true, lateEffects: true };

const worlds: ReadonlyArray<SessionWorldOptions> = [
  { name: "create", programs: [[interrupted(create)]] },
  { name: "delete", before: [create], programs: [[interrupted(remove)]] },
  { name: "reconcile", before: [create], programs: [[interrupted(reconcile)]] },
  { name: "create ∥ create", programs: [[create], [create]] },
  { name: "create ∥ delete", programs: [[create], [remove]] },
  { name: "delete ∥ create", before: [create], programs: [[remove], [create]] },
  { name: "delete ∥ reconcile", before: [create], programs: [[remove], [reconcile]] },
];

describe("whatever happens once at any port call of", () => {
  for (const world of worlds) {
    it(`${world.name}, a reconcile makes tmux and the registry agree`, () => {
      holds({ ...world, ...trouble }, 1);
    }, 100_000);
  }
});
