/**
 * FakeTroupe: everything wired on fakes, in place of `Troupe.layer` in a host program's own tests.
 *
 * The real sessions and the real tmux client, on a fake tmux, a registry in memory, a host on which
 * everything is there, and identifiers that are counted. It takes no real time: the test's clock
 * decides, `TestClock` or `VirtualClock`. Each layer is a machine of its own.
 */
import { Registry, Sessions, Settings, type SettingsShape } from "@troupe/core";
import { TmuxClient } from "@troupe/tmux";
import { Effect, Layer } from "effect";
import { CountedIds } from "./CountedIds.js";
import { FakeHost, type FakeHostOptions } from "./FakeHost.js";
import { FakeTmux } from "./FakeTmux.js";
import type { FakeTmuxOptions } from "./fakeTmux/Settings.js";

/** What is different from a machine on which everything is there. */
export interface FakeTroupeOptions {
  readonly tmux?: FakeTmuxOptions | undefined;
  readonly host?: FakeHostOptions | undefined;
  readonly settings?: Partial<SettingsShape> | undefined;
}

/** `Sessions` on fakes, and the fake's other side. */
export const FakeTroupe = {
  layer: (options: FakeTroupeOptions = {}): Layer.Layer<Sessions | FakeTmux> => {
    const settings = Layer.effect(
      Settings,
      Effect.map(Settings, (defaults) => ({ ...defaults, ...options.settings })),
    );
    const machine = Layer.provideMerge(TmuxClient.layer(), FakeTmux.layer(options.tmux));
    const memory = Layer.mergeAll(
      Registry.layerMemory(),
      FakeHost.layer(options.host),
      CountedIds.layer(),
    );
    const ports = Layer.merge(machine, memory);
    const sessions = Sessions.layer.pipe(Layer.provideMerge(ports), Layer.provide(settings));
    return sessions;
  },
};
