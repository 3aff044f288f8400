/**
 * The contract of `Tmux` on the fake, in the releases that answer differently.
 */
import { describe, it } from "@effect/vitest";
import {
  FakeTmux,
  type TmuxVersion,
  tmuxContract,
  tmuxHooksContract,
  tmuxInputContract,
  tmuxMarksContract,
} from "@troupe/testing";
import { TmuxClient } from "@troupe/tmux";
import { Effect, Layer } from "effect";

const versions: ReadonlyArray<TmuxVersion> = ["3.2a", "3.3a", "3.4", "3.5a", "3.6b", "3.7c"];

const cases = [...tmuxContract, ...tmuxInputContract, ...tmuxMarksContract, ...tmuxHooksContract];

for (const version of versions) {
  describe(`Tmux on a fake ${version}`, () => {
    for (const { holds, name } of cases) {
      it.effect(name, () =>
        Effect.provide(holds, Layer.provideMerge(TmuxClient.layer(), FakeTmux.layer({ version }))),
      );
    }
  });
}
