/**
 * The contract of `Tmux` on the tmux of this machine, each case on a server of its own.
 */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "@effect/vitest";
import { findTmux } from "@troupe/node";
import {
  tmuxContract,
  tmuxHooksContract,
  tmuxInputContract,
  tmuxMarksContract,
  tmuxShowContract,
} from "@troupe/testing";
import { openControl, ProcessTransport, TmuxClient } from "@troupe/tmux";
import { Effect, Layer } from "effect";
import { makeDirectory, removePlace, socketIn } from "../support/Place.js";
import { connectedLayer } from "./tmux-control.js";

const program = findTmux(undefined);

const ownSocket = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = makeDirectory();
    return { directory, socket: socketIn(directory) };
  }),
  ({ directory, socket }) =>
    Effect.sync(() => {
      const options = { timeout: 5_000, killSignal: "SIGKILL" } as const;
      spawnSync(program, ["-S", socket, "kill-server"], options);
      removePlace(directory, socket);
    }),
);

const cases = [
  ...tmuxContract,
  ...tmuxShowContract,
  ...tmuxInputContract,
  ...tmuxMarksContract,
  ...tmuxHooksContract,
];

const environment = new Map([["SHELL", "/bin/sh"]]);

describe("Tmux on the real one", () => {
  for (const { holds, name } of cases) {
    it.scopedLive(name, () =>
      Effect.gen(function* () {
        const { socket } = yield* ownSocket;
        const transport = ProcessTransport.layer({ program, socket, environment });
        yield* Effect.provide(holds, Layer.provideMerge(TmuxClient.layer(), transport));
      }),
    );
  }
});

describe("Tmux on the real one, over a connection", () => {
  for (const { holds, name } of cases) {
    it.scopedLive(name, () =>
      Effect.gen(function* () {
        const { socket } = yield* ownSocket;
        const options = { program, socket, environment };
        const carried = { processes: 0 };
        const parts = Effect.map(ProcessTransport.make(options), (processes) => ({
          processes,
          open: openControl(options),
        }));
        const transport = connectedLayer(parts, carried);
        yield* Effect.provide(holds, Layer.provideMerge(TmuxClient.layer(), transport));
        expect(carried.processes).toBe(0);
      }),
    );
  }
});
