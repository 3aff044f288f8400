/**
 * What a delete must end, and what it must not: programs that do not want to go, and a server of
 * the user's own below one of them.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { lives } from "../support/Processes.js";
import { realHome } from "./RealHome.js";

/** Ignores HUP and TERM, as do a child, a child in a process session of its own, and a daemon. */
const STUBBORN = `trap "" HUP TERM
sleep 86401 & echo $! >> pids
setsid sleep 86402 & echo $! >> pids
(setsid sh -c 'echo $$ >> pids; exec sleep 86403' &)
echo $$ >> pids
while :; do sleep 1; done`;

describe("on a real tmux", () => {
  it.scopedLive(
    "programs that ignore HUP and TERM, left the session or became daemons are gone",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const command = ["sh", "-c", STUBBORN];
        yield* sessions.create({
          session: "a",
          cwd: home.directory,
          command,
          startWindowMs: 300,
        });
        const pids = home.read("pids").trim().split("\n").map(Number);
        expect(pids.map(lives)).toEqual([true, true, true, true]);
        const result = yield* sessions.delete("a");
        expect(pids.map(lives)).toEqual([false, false, false, false]);
        expect(pids.every((pid) => result.killed.includes(pid))).toBe(true);
        expect((yield* sessions.get("a")).state).toBe("deleted");
      }),
  );

  it.scopedLive("a program that saves on TERM within its grace has saved", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const script = 'trap "sleep 0.3; echo all > saved; exit" TERM; while :; do sleep 0.05; done';
      const command = ["sh", "-c", script];
      yield* sessions.create({ session: "a", cwd: home.directory, command });
      yield* sessions.delete("a");
      expect(home.read("saved")).toBe("all\n");
    }),
  );

  it.scopedLive(
    "a tmux server of the user's own, started inside, lives on with what is in it",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const own = join(home.directory, "own");
        const start = `tmux -S ${own} -f /dev/null new-session -d -s mine 'exec sleep 86404'`;
        const command = ["sh", "-c", `env -u TMUX HOME=${home.directory} ${start}; exec sleep 600`];
        yield* sessions.create({ session: "a", cwd: "/", command, startWindowMs: 500 });
        yield* sessions.delete("a");
        const panes = ["-S", own, "list-panes", "-a", "-F", "#{session_name} #{pane_dead}"];
        const left = execFileSync("tmux", panes, { encoding: "utf8" });
        execFileSync("tmux", ["-S", own, "kill-server"]);
        expect(left).toBe("mine 0\n");
      }),
  );

  it.scopedLive(
    "a session that ended on its own is deleted, and alreadyGone when tmux lost it",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        yield* sessions.create({ session: "done", cwd: "/", command: ["true"] });
        expect((yield* sessions.delete("done")).alreadyGone).toBe(false);
        yield* sessions.create({ session: "a", cwd: "/", command: ["sleep", "600"] });
        home.tmux("kill-session", "-t", "=a");
        expect((yield* sessions.delete("a")).alreadyGone).toBe(true);
      }),
  );

  it.scopedLive("a program that only calls itself a tmux server is gone like any other", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const impostor = join(home.directory, "tmux: server");
      copyFileSync("/bin/sleep", impostor);
      const script = 'trap "" HUP TERM; exec "$0" 86405';
      const command = ["sh", "-c", script, impostor];
      const view = yield* sessions.create({ session: "a", cwd: "/", command });
      yield* sessions.delete("a");
      expect(lives(view.terminals[0]?.panePid ?? 0)).toBe(false);
    }),
  );
});
