/**
 * The contract of `OutputFiles` on the tmux and the files of this machine, each case on its own.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { describe, it } from "@effect/vitest";
import { findTmux, NodeOutputFiles } from "@troupe/node";
import { outputContract } from "@troupe/testing";
import { ProcessTransport, TmuxClient } from "@troupe/tmux";
import { Effect, Layer } from "effect";
import { makeDirectory, socketIn } from "../support/Place.js";

const program = findTmux(undefined);

const directory = Effect.acquireRelease(Effect.sync(makeDirectory), (path) =>
  Effect.sync(() => {
    const options = { timeout: 5_000, killSignal: "SIGKILL" } as const;
    spawnSync(program, ["-S", socketIn(path), "kill-server"], options);
    rmSync(socketIn(path), { force: true });
    rmSync(path, { recursive: true, force: true, maxRetries: 10 });
  }),
);

describe("OutputFiles on the real tmux", () => {
  for (const { holds, name } of outputContract) {
    it.scopedLive(name, () =>
      Effect.gen(function* () {
        const home = yield* directory;
        const environment = new Map([["SHELL", "/bin/sh"]]);
        const socket = socketIn(home);
        const transport = ProcessTransport.layer({ program, socket, environment });
        const tmux = Layer.provide(TmuxClient.layer(), transport);
        yield* Effect.provide(holds, Layer.merge(tmux, NodeOutputFiles.layer({ home })));
      }),
    );
  }
});
