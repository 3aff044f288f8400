/**
 * create ∥ create on one name: tmux and the registry agree after every schedule.
 *
 * The sessions' own code on the fake tmux, each port call a scheduling point; every schedule of a
 * total cost of 1 here and of 2 in `npm run explore`, in one program and in two, with time among
 * the choices. The twin lacks a guard.
 */
import { describe, it, vi } from "vitest";
import { create, fails, holds, withoutFences } from "./SessionCalls.js";

vi.setConfig({ testTimeout: 120_000 });

const world = { before: [], time: true };

describe("create ∥ create", () => {
  it("leaves tmux and the registry in agreement, in one program", () => {
    holds({ ...world, name: "create ∥ create, one program", programs: [[create, create]] }, 1);
  });

  it("leaves tmux and the registry in agreement, in two programs", () => {
    holds({ ...world, name: "create ∥ create, two programs", programs: [[create], [create]] }, 1);
  });

  it("does not with that guard removed", () => {
    const programs = [[create], [create]];
    fails(
      {
        ...world,
        name: "create ∥ create, twin",
        programs,
        transport: withoutFences,
        lateEffects: true,
      },
      2,
    );
  });
});
