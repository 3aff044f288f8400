/**
 * What contests one session: two deletes, a program that ends by itself, and a list of a delete
 * that is done late, when the name has a new session. In one program and in two; the twin has no
 * fences. To a cost of 1 here, to 2 and with interruptions in `npm run explore`.
 */
import { describe, it } from "vitest";
import { contestedPairs } from "./ContestedPairs.js";
import { create, fails, holds, remove, withoutFences } from "./SessionCalls.js";

const shown = contestedPairs.filter(([name]) => /exit|delete ∥ delete/.test(name));

for (const [where, split] of [
  ["in one program", false],
  ["in two programs", true],
] as const) {
  describe(where, () => {
    for (const [name, before, a, b] of shown) {
      const programs = split ? [[a], [b]] : [[a, b]];
      it(name, () => holds({ name: `${name}, ${where}`, before, programs }, 1), 100_000);
    }
  });
}

describe("a delete whose list is done late, when the name is created again,", () => {
  const late = { before: [create], programs: [[remove], [create]], lateEffects: true };

  it("does nothing to the new session", () => {
    holds({ ...late, name: "recreate ∥ late delete" }, 2);
  }, 100_000);

  it("is done where tmux has no fences", () => {
    fails({ ...late, name: "recreate ∥ late delete, twin", transport: withoutFences }, 2);
  }, 100_000);
});
