/**
 * NodeIds: core's `Ids` from the operating system's random source.
 *
 * 122 random bits an id. Not for tests, which want to choose.
 */
import { randomUUID } from "node:crypto";
import { Ids, IncarnationId } from "@troupe/core";
import { Effect, Layer } from "effect";

/** Random identifiers. */
export const NodeIds: { readonly layer: Layer.Layer<Ids> } = {
  layer: Layer.succeed(Ids, {
    incarnation: Effect.sync(() => IncarnationId.make(randomUUID())),
  }),
};
