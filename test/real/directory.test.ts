/**
 * The directory of a session: where its program starts, or nothing starts.
 *
 * Method: the tmux of the home is a script that removes the directory before it hands on what it
 * was asked, so that the directory is there when it is looked at and gone when it is needed. tmux
 * itself would start the program elsewhere and say nothing.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { quoted } from "../support/Place.js";
import { realHome } from "./RealHome.js";

describe("on a real tmux", () => {
  it.scopedLive("a directory that goes between the look and the start has no program started", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const cwd = join(home.directory, "gone");
      mkdirSync(cwd);
      const tmux = join(home.directory, "tmux");
      writeFileSync(tmux, `#!/bin/sh\nrmdir ${quoted(cwd)} 2>/dev/null\nexec tmux "$@"\n`);
      chmodSync(tmux, 0o755);
      const sessions = yield* home.sessions({ tmux });
      const script = `pwd > ${quoted(join(home.directory, "started"))}; exec sleep 600`;
      const command = ["sh", "-c", script];
      const error = yield* Effect.flip(sessions.create({ session: "a", cwd, command }));
      expect(error._tag).toBe("StartFailed");
      expect(error.message).toContain(cwd);
      expect(home.find("started")).toBe("");
      expect((yield* sessions.list()).sessions).toEqual([]);
    }),
  );

  it.scopedLive("a program finds its directory in PWD, and no other in OLDPWD", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const command = ["sh", "-c", "env | grep PWD > out; exec sleep 600"];
      yield* sessions.create({ session: "a", cwd: home.directory, command, startWindowMs: 300 });
      expect(home.read("out")).toBe(`PWD=${home.directory}\n`);
    }),
  );
});
