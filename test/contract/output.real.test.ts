/**
 * The contract of `OutputFiles` on the tmux and the files of this machine, each case on its own.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "@effect/vitest";
import { findTmux, NodeOutputFiles } from "@troupe/node";
import { outputContract } from "@troupe/testing";
import { ProcessTransport, TmuxClient } from "@troupe/tmux";
import { Effect, Layer } from "effect";

const program = findTmux(undefined);

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tr-"))),
  (path) =>
    Effect.sync(() => {
      const options = { timeout: 5_000, killSignal: "SIGKILL" } as const;
      spawnSync(program, ["-S", join(path, "s"), "kill-server"], options);
      rmSync(path, { recursive: true, force: true, maxRetries: 10 });
    }),
);

describe("OutputFiles on the real tmux", () => {
  for (const { holds, name } of outputContract) {
    it.scopedLive(name, () =>
      Effect.gen(function* () {
        const home = yield* directory;
        const environment = new Map([["SHELL", "/bin/sh"]]);
        const socket = join(home, "s");
        const transport = ProcessTransport.layer({ program, socket, environment });
        const tmux = Layer.provide(TmuxClient.layer(), transport);
        yield* Effect.provide(holds, Layer.merge(tmux, NodeOutputFiles.layer({ home })));
      }),
    );
  }
});
