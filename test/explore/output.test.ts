/**
 * A reader of output beside a delete ends, as deleted, in every interleaving of a cost of 1 here,
 * and of 2 in `npm run explore`. The twin reads the row before the listing.
 */
import type { Registry } from "@troupe/core";
import { Effect } from "effect";
import { describe, it } from "vitest";
import { outputWorlds, readElsewhere } from "./OutputWorlds.js";
import { fails, holds } from "./SessionCalls.js";

/** A registry that tells a reader what the row was before he listed. */
const stale = (registry: Registry["Type"]): Registry["Type"] => {
  const known = new Map<string, Effect.Effect.Success<ReturnType<typeof registry.find>>>();
  return {
    ...registry,
    find: (incarnation) =>
      Effect.suspend(() => {
        const before = known.get(incarnation);
        if (before !== undefined) return Effect.succeed(before);
        return Effect.tap(registry.find(incarnation), (row) =>
          Effect.sync(() => known.set(incarnation, row)),
        );
      }),
  };
};

describe("a reader of output beside a delete", () => {
  it.each(outputWorlds)("ends as deleted: $name", (world) => void holds(world, 1), 100_000);

  it("does not where the row is older than the listing", () => {
    fails({ ...readElsewhere, name: "read output ∥ delete, twin", registry: stale }, 2);
  }, 100_000);
});
