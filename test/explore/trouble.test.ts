/**
 * One call, and pairs in two programs, with trouble: at every port call in turn a crash, an
 * interruption of the caller, a tmux call that fails, is lost, hangs or is done late, or a registry
 * call that fails, is lost or dies of a bug; for one call also the last two together, and a late
 * one with an interruption. After a reconcile by another program everything agrees.
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

const worlds: ReadonlyArray<SessionWorldOptions> = [
  { name: "reconcile", before: [create], programs: [[interrupted(reconcile)]] },
  { name: "create ∥ create", programs: [[create], [create]] },
  { name: "create ∥ delete", programs: [[create], [remove]] },
  { name: "delete ∥ create", before: [create], programs: [[remove], [create]] },
  { name: "delete ∥ reconcile", before: [create], programs: [[remove], [reconcile]] },
  { name: "delete ∥ add", before: [create], programs: [[remove], [add]] },
  { name: "delete a terminal ∥ add", before: [create, add], programs: [[removeTerminal], [add]] },
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

describe("a call to tmux that is done late, and one thing more:", () => {
  const late = { lateEffects: true };

  it("where the registry fails as well, a reconcile makes tmux and the registry agree", () => {
    const name = "create, late, with a registry that fails";
    holds({ ...late, name, registryFaults: true, programs: [[create]] }, 2);
  }, 100_000);

  for (const [what, call, before] of [
    ["create", create, []],
    ["delete", remove, [create]],
    ["reconcile", reconcile, [create]],
  ] as const) {
    it(`where the caller of the ${what} leaves as well, it is let go, and they agree`, () => {
      const name = `${what}, late, with a caller that leaves`;
      holds({ ...late, name, before, programs: [[interrupted(call)]] }, 2);
    }, 100_000);
  }

  it("does not where tmux has no fences", () => {
    const programs = [[create]];
    fails({ ...late, name: "create, late, twin", programs, transport: withoutFences }, 1);
  });
});
