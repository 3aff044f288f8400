/**
 * gc beside whatever else happens to its name, in two programs that may crash: what was made stays,
 * and what ended is ended and forgotten once. The twin has no claims.
 */
import { describe, it } from "vitest";
import { gcAndRestore, gcWorlds } from "./GcWorlds.js";
import { fails, holds, withoutClaims } from "./SessionCalls.js";

const [besideCreate, others] = [true, false].map((is) =>
  gcWorlds.filter(({ name }) => name.includes("create") === is),
);

describe("a gc", () => {
  it("lets a create of its name live, whichever comes first", () => {
    for (const world of besideCreate ?? []) holds(world, 1);
  }, 120_000);

  it.each(others ?? [])(
    "forgets what has ended, once: $name",
    ({ cost, ...world }) => {
      holds(world, cost);
    },
    120_000,
  );

  it("does not where there are no claims", () => {
    const { cost, ...world } = gcAndRestore;
    fails({ ...world, name: "gc of what exited ∥ restore, twin", registry: withoutClaims }, cost);
  }, 120_000);
});
