/**
 * The contract of `OutputFiles` on the fakes.
 */
import { describe, it } from "@effect/vitest";
import { FakeOutputFiles, FakeTmux, outputContract } from "@troupe/testing";
import { TmuxClient } from "@troupe/tmux";
import { Effect, Layer } from "effect";

const files = Layer.unwrapEffect(Effect.map(FakeTmux, FakeOutputFiles.layer));
const fakes = Layer.provide(Layer.merge(TmuxClient.layer(), files), FakeTmux.layer());

describe("OutputFiles on fakes", () => {
  for (const { holds, name } of outputContract) {
    it.effect(name, () => Effect.provide(holds, Layer.fresh(fakes)));
  }
});
