/**
 * One call, and pairs in two programs, with trouble: at every port call in turn a crash, an
 * interruption of the caller, a tmux call that fails, is lost, hangs or is done late, or a
 * registry call that fails, is lost or dies of a bug. After a reconcile by another program
 * everything agrees.
 */
import { describe, expect, it } from "vitest";
import {
  add,
  anyFault,
  create,
  fails,
  holds,
  interrupted,
  reconcile,
  remove,
  removeTerminal,
  withoutFences,
} from "./SessionCalls.js";
import type { SessionWorldOptions } from "./SessionWorld.js";

const trouble = { crash: true, faults: anyFault, registryFaults: true, lateEffects: true };

const alone: ReadonlyArray<SessionWorldOptions> = [
  { name: "create", programs: [[interrupted(create)]] },
  { name: "add", before: [create], programs: [[interrupted(add)]] },
  { name: "delete a terminal", before: [create, add], programs: [[interrupted(removeTerminal)]] },
  { name: "delete", before: [create, add], programs: [[interrupted(remove)]] },
];

/** Those of every two operations are in `npm run explore`. */
const worlds: ReadonlyArray<SessionWorldOptions> = [
  { name: "reconcile", before: [create], programs: [[interrupted(reconcile)]] },
  { name: "create ∥ delete", programs: [[create], [remove]] },
  { name: "delete ∥ reconcile", before: [create], programs: [[remove], [reconcile]] },
];

describe("whatever happens once at any port call of", () => {
  let points = 0;

  for (const world of alone) {
    it(`${world.name} alone, a reconcile makes tmux and the registry agree`, () => {
      // One schedule is that in which nothing happens.
      points += holds({ ...world, ...trouble }, 1) - 1;
    }, 100_000);
  }

  it("the four of them there are at least 150 such points", () => {
    console.log(`${points} injection points in create, add, delete a terminal and delete`);
    expect(points).toBeGreaterThanOrEqual(150);
  });

  for (const world of worlds) {
    it(`${world.name}, a reconcile makes tmux and the registry agree`, () => {
      holds({ ...world, ...trouble }, 1);
    }, 100_000);
  }
});

describe("a call to tmux that is done late", () => {
  it("does what it was asked where tmux has no fences", () => {
    const programs = [[create]];
    const twin = { name: "create, late, twin", lateEffects: true, programs };
    fails({ ...twin, transport: withoutFences }, 1);
  });
});
