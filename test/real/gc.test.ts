/**
 * gc on a real tmux and a real disk: the files of what ended go, those of what runs do not, and a
 * fence stays as long as its server.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { lives } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import { realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/", startWindowMs: 0 };

const talks = { ...sleep, command: ["sh", "-c", "echo heard; exec sleep 600"] };

describe("on a real tmux a gc", () => {
  it.scopedLive("leaves nothing of what ended, and every byte of what runs", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const kept = (name: string) => {
        const path = join(home.directory, "home", name);
        return existsSync(path) ? readdirSync(path) : [];
      };
      const running = yield* sessions.create({ session: "runs", ...talks });
      yield* sessions.create({ session: "a", ...talks, requestId: "once" });
      yield* sessions.delete("a");
      yield* sessions.create({ session: "a", ...talks });
      yield* sessions.delete("a");
      expect([kept("snapshots"), kept("output").length]).toEqual([["a"], 3]);
      writeFileSync(join(home.directory, "home", "snapshots", "a", "2-main.json.99.1.new"), "");
      const early = yield* sessions.gc();
      expect(early.forgotten).toEqual([]);
      const report = yield* sessions.gc({ olderThanMs: 0 });
      expect(report.failed).toEqual([]);
      expect(report.forgotten.map(({ what }) => what)).toEqual([
        "session a, generation 1",
        "session a, generation 2",
        "claim of a",
      ]);
      expect([kept("snapshots"), kept("output")]).toEqual([[], [running.incarnation]]);
      expect((yield* sessions.list({ all: true })).sessions.map((s) => s.session)).toEqual([
        "runs",
      ]);
      expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("runs");
      yield* sessions.delete("runs");
      expect((yield* sessions.gc({ olderThanMs: 0 })).server).toBe("stopped");
      expect(home.answers()).toBe(false);
    }),
  );

  it.scopedLive("keeps the claim of a name as long as its fence stands in tmux", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "runs", ...sleep });
      yield* sessions.create({ session: "a", ...sleep });
      home.tmux("set-option", "-s", "@troupe-fence-a", "2");
      yield* sessions.delete("a");
      const report = yield* sessions.gc({ olderThanMs: 0 });
      expect(report.forgotten.map(({ what }) => what)).toEqual(["session a, generation 1"]);
      const claim = report.kept.find(({ what }) => what === "claim of a");
      expect(claim?.why).toContain("its fence stands in tmux server");
      expect(home.tmux("show-options", "-sv", "@troupe-fence-a")).toBe("2");
      const server = Number(home.tmux("display-message", "-p", "#{pid}"));
      home.tmux("kill-server");
      // Who asks one that is ending is told nothing.
      yield* Effect.promise(() => waitFor("its end", () => !lives(server)));
      yield* sessions.delete("runs");
      const after = yield* sessions.gc({ olderThanMs: 0 });
      expect(after.server).toBe("none");
      expect(after.forgotten.map(({ what }) => what)).toEqual([
        "session runs, generation 1",
        "claim of a",
        "claim of runs",
      ]);
    }),
  );
});
