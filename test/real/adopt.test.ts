/**
 * A session that a user made, adopted: on a real tmux, with panes that a fake does not split.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { lives } from "../support/Processes.js";
import { realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/" };

describe("on a real tmux", () => {
  it.scopedLive("a session of a user is adopted as it is, and then ended as ours is", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "ours", ...sleep });
      home.tmux("new-session", "-d", "-s", "theirs", "-c", "/", "sleep 601 & exec sleep 602");
      home.tmux("split-window", "-d", "-t", "=theirs:", "-c", "/", "--", "sleep", "603");
      const view = yield* sessions.adopt("theirs");
      expect(view).toMatchObject({ state: "running", spec: { cwd: "/" } });
      expect(view.spec.command).toEqual(["/bin/sh", "-c", "sleep 601 & exec sleep 602"]);
      const pids = view.terminals.flatMap(({ panePid }) => panePid ?? []);
      expect(pids.map(lives)).toEqual([true, true]);
      expect((yield* sessions.get("theirs")).seen.state).toBe("present");
      expect((yield* sessions.reconcile("theirs")).changed).toBe(false);
      yield* sessions.delete("theirs", { graceMs: 0 });
      expect(pids.map(lives)).toEqual([false, false]);
      expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("ours");
    }),
  );

  it.scopedLive("one that somebody removed is restored as it was told to have been made", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "ours", ...sleep });
      home.tmux("new-session", "-d", "-s", "theirs", "-c", "/", "--", "sleep", "604");
      yield* sessions.adopt("theirs");
      home.tmux("kill-session", "-t", "=theirs");
      expect(yield* sessions.restore("theirs")).toMatchObject({ state: "running", generation: 2 });
      expect(home.tmux("list-sessions", "-F", "#{session_name}").split("\n")).toContain("theirs");
    }),
  );

  it.scopedLive("one that another home marked is refused, and stays as it was", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const settings = { home: "another-home" };
      const others = yield* home.sessions({ home: `${home.directory}/other`, settings });
      yield* others.create({ session: "theirs", ...sleep });
      const before = home.tmux("show-options", "-t", "=theirs:");
      expect((yield* Effect.flip(sessions.adopt("theirs")))._tag).toBe("ForeignSession");
      expect(home.tmux("show-options", "-t", "=theirs:")).toBe(before);
      expect((yield* Effect.flip(sessions.adopt("never")))._tag).toBe("NotFound");
    }),
  );
});
