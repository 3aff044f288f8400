/**
 * The contract of `Tmux` on the fake, in the releases that answer differently.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  FakeTmux,
  type TmuxVersion,
  tmuxContract,
  tmuxHooksContract,
  tmuxInputContract,
  tmuxMarksContract,
  tmuxShowContract,
} from "@troupe/testing";
import { TmuxClient, TmuxTransport } from "@troupe/tmux";
import { Effect, Layer } from "effect";
import { type Carried, connectedLayer } from "./tmux-control.js";

const versions: ReadonlyArray<TmuxVersion> = ["3.2a", "3.3a", "3.4", "3.5a", "3.6b", "3.7c"];

const cases = [
  ...tmuxContract,
  ...tmuxShowContract,
  ...tmuxInputContract,
  ...tmuxMarksContract,
  ...tmuxHooksContract,
];

/** What a connection to a fake is made of. */
const parts = Effect.gen(function* () {
  const fake = yield* FakeTmux;
  return { processes: yield* TmuxTransport, open: yield* fake.openControl };
});

const overConnection = (version: TmuxVersion, carried: Carried) => {
  const transport = Layer.provide(connectedLayer(parts, carried), FakeTmux.layer({ version }));
  return Layer.provideMerge(TmuxClient.layer(), transport);
};

for (const version of versions) {
  describe(`Tmux on a fake ${version}`, () => {
    for (const { holds, name } of cases) {
      it.effect(name, () =>
        Effect.provide(holds, Layer.provideMerge(TmuxClient.layer(), FakeTmux.layer({ version }))),
      );
    }
  });

  describe(`Tmux on a fake ${version}, over a connection`, () => {
    for (const { holds, name } of cases) {
      it.effect(name, () =>
        Effect.gen(function* () {
          const carried = { processes: 0 };
          yield* Effect.provide(holds, overConnection(version, carried));
          expect(carried.processes).toBe(0);
        }),
      );
    }
  });
}
