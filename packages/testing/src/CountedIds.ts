/**
 * CountedIds: core's `Ids` by counting, so that every run makes the same ones.
 *
 * Two programs that share a home need prefixes of their own, as random identifiers would differ.
 */
import { Ids, IncarnationId } from "@troupe/core";
import { Effect, Layer } from "effect";

/** Identifiers `PREFIX-0001`, `PREFIX-0002` and so on. */
export const CountedIds = {
  /** The port; it counts from 1. */
  layer: (prefix = "incarnation"): Layer.Layer<Ids> =>
    Layer.sync(Ids, () => {
      let count = 0;
      return {
        incarnation: Effect.sync(() => {
          count += 1;
          return IncarnationId.make(`${prefix}-${String(count).padStart(4, "0")}`);
        }),
      };
    }),
};
