/**
 * Readers beside a delete, in every schedule of a cost of 1 here, of 2 in `npm run explore`. The
 * twin acknowledges before the last row is written.
 */
import type { Registry } from "@troupe/core";
import { Effect, Option } from "effect";
import { describe, it } from "vitest";
import { reading } from "./ReaderWorlds.js";
import { fails, holds } from "./SessionCalls.js";

/** A registry that says that the end is written before it is. */
const early = (registry: Registry["Type"]): Registry["Type"] => ({
  ...registry,
  commit: (claim, incarnation, changes, options) => {
    const ends = changes.some((change) => change._tag === "Move" && change.to === "deleted");
    if (!ends) return registry.commit(claim, incarnation, changes, options);
    const later = Effect.zipRight(
      Effect.sleep(10),
      registry.commit(claim, incarnation, changes, options),
    );
    return Effect.flatMap(Effect.forkDaemon(later), () =>
      Effect.flatMap(
        registry.find(incarnation),
        Option.match({
          onNone: () => Effect.dieMessage("there is no incarnation"),
          onSome: Effect.succeed,
        }),
      ),
    );
  },
});

describe("an acknowledged delete", () => {
  it.each([reading])(
    "is never seen undone by a reader, whoever else reconciles: $name",
    (world) => {
      holds(world, 1);
    },
    100_000,
  );

  it("is seen undone where it is acknowledged before its last row", () => {
    fails({ ...reading, name: `${reading.name}, twin`, registry: early, time: true }, 2);
  }, 100_000);
});
