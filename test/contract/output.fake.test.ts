/**
 * The contract of `OutputFiles` on the fakes, and what is of the fakes alone: programs share what
 * is kept, as they share a disk, and what was printed is as old as that.
 */
import { describe, expect, it } from "@effect/vitest";
import { IncarnationId, OutputFiles } from "@troupe/core";
import { FakeOutputFiles, FakeTmux, outputContract } from "@troupe/testing";
import { recorderScript, TmuxClient } from "@troupe/tmux";
import { Context, Effect, Layer, TestClock } from "effect";

const files = Layer.unwrapEffect(Effect.map(FakeTmux, (tmux) => FakeOutputFiles.layer(tmux)));
const fakes = Layer.provide(Layer.merge(TmuxClient.layer(), files), FakeTmux.layer());

describe("OutputFiles on fakes", () => {
  for (const { holds, name } of outputContract) {
    it.effect(name, () => Effect.provide(holds, Layer.fresh(fakes)));
  }
});

describe("the output of a fake machine", () => {
  const incarnation = IncarnationId.make("session-0001");
  const ring = {
    directory: "/troupe/home/output/session-0001/main",
    segmentBytes: 4096,
    segments: 2,
  };

  it.scoped(
    "is as old as the last print, and what one program removes is gone for the others",
    () =>
      Effect.gen(function* () {
        const tmux = Context.get(yield* Layer.build(FakeTmux.layer()), FakeTmux);
        yield* tmux.client(["new-session", "-d", "-s", "a", "--", "cat"]);
        yield* tmux.client(["pipe-pane", "-t", "=a:", recorderScript(ring)]);
        const store = FakeOutputFiles.make();
        const build = Effect.map(
          Layer.build(Layer.fresh(FakeOutputFiles.layer(tmux, store))),
          Context.get(OutputFiles),
        );
        const [one, other] = [yield* build, yield* build];
        yield* TestClock.adjust("1 minute");
        expect(yield* one.left).toEqual([{ incarnation, at: 0 }]);
        yield* tmux.type("a", "x");
        yield* TestClock.adjust("1 minute");
        expect(yield* other.left).toEqual([{ incarnation, at: 60_000 }]);
        yield* one.remove(incarnation);
        expect([yield* one.left, yield* other.left]).toEqual([[], []]);
      }),
  );
});
