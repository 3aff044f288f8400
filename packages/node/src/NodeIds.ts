/**
 * NodeIds: core's `Ids` from the operating system's random source.
 *
 * 122 random bits an id. Not for tests, which want to choose.
 */
import { Ids, IncarnationId } from "@troupe/core";
import { Context, Effect, Layer } from "effect";
import { randomWord } from "./KernelRandom.js";

const context = Context.make(Ids, {
  incarnation: Effect.sync(() => IncarnationId.make(randomWord())),
});

/** Random identifiers. */
export const NodeIds = {
  /** The port at once, for a program that makes no layers. */
  context,
  /** The port as a layer. */
  layer: Layer.succeedContext(context),
};
