/**
 * Windows and panes that a user linked or moved between sessions: each ends with the session that
 * it was made in, wherever it is, and with no other.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { lives } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import { realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/" };

/** Sessions `a` and `b`, each with two terminals, and one of a user's. */
const setting = Effect.gen(function* () {
  const home = yield* realHome;
  const sessions = yield* home.sessions();
  const make = (session: string) =>
    Effect.gen(function* () {
      const made = yield* sessions.create({ session, ...sleep });
      const { terminal } = yield* sessions.addTerminal({ session, ...sleep });
      return { main: made.terminals[0], second: terminal };
    });
  const a = yield* make("a");
  const b = yield* make("b");
  const user = Number(
    home.tmux("new-session", "-d", "-P", "-F", "#{pane_pid}", "-s", "user", "exec sleep 600"),
  );
  const alive = (pid: number | null | undefined): boolean => lives(pid ?? 0);
  return { home, sessions, a, b, user, alive };
});

describe("on a real tmux", () => {
  it.scopedLive("a delete spares windows of others that were linked into the session", () =>
    Effect.gen(function* () {
      const { a, alive, b, home, sessions, user } = yield* setting;
      home.tmux("link-window", "-s", b.main?.windowId ?? "", "-t", "=a:5");
      home.tmux("link-window", "-s", "=user:0", "-t", "=a:6");
      yield* sessions.delete("a");
      expect([alive(a.main?.panePid), alive(a.second.panePid)]).toEqual([false, false]);
      expect([alive(b.main?.panePid), alive(user)]).toEqual([true, true]);
      expect((yield* sessions.reconcile("b")).changed).toBe(false);
    }),
  );

  it.scopedLive("a delete is refused while a pane of another session would end with it", () =>
    Effect.gen(function* () {
      const { alive, b, home, sessions } = yield* setting;
      home.tmux("join-pane", "-d", "-s", b.second.paneId ?? "", "-t", "=a:main");
      const error = yield* Effect.flip(sessions.delete("a"));
      expect(error).toMatchObject({ _tag: "Busy", reason: "windows" });
      expect(alive(b.second.panePid)).toBe(true);
      expect((yield* sessions.get("a")).state).toBe("running");
      yield* sessions.deleteTerminal("b", "t2");
      yield* sessions.delete("a");
      expect([alive(b.second.panePid), alive(b.main?.panePid)]).toEqual([false, true]);
    }),
  );

  it.scopedLive("nor by a kill that was decided on before a user moved it there", () =>
    Effect.gen(function* () {
      const { alive, b, home, sessions } = yield* setting;
      const { directory } = home;
      const waits = "trap 'echo x > asked; read -r _; exit' TERM; while :; do sleep 0.05; done";
      yield* sessions.create({ session: "c", command: ["sh", "-c", waits], cwd: directory });
      const deleting = yield* Effect.fork(Effect.flip(sessions.delete("c", { graceMs: 60_000 })));
      yield* Effect.promise(() =>
        waitFor("a program asked to end", () => home.find("asked") || null),
      );
      home.tmux("move-window", "-d", "-s", b.second.windowId ?? "", "-t", "=c:5");
      home.tmux("send-keys", "-t", "=c:main", "", "Enter");
      expect(yield* Fiber.join(deleting)).toMatchObject({ _tag: "Busy", reason: "windows" });
      expect(alive(b.second.panePid)).toBe(true);
      home.tmux("move-window", "-d", "-s", b.second.windowId ?? "", "-t", "=b:5");
      yield* sessions.delete("c");
      expect(alive(b.second.panePid)).toBe(true);
    }),
  );

  it.scopedLive("terminals of the same name in one window are never taken for each other", () =>
    Effect.gen(function* () {
      const { a, alive, b, home, sessions } = yield* setting;
      home.tmux("join-pane", "-d", "-s", b.second.paneId ?? "", "-t", "=a:t2");
      const third = yield* sessions.addTerminal({ session: "a", ...sleep });
      expect(third.terminal.terminal).toBe("t3");
      yield* sessions.deleteTerminal("a", "t2");
      expect([alive(a.second.panePid), alive(b.second.panePid)]).toEqual([false, true]);
      yield* sessions.reconcileAll;
      const states = (yield* sessions.get("b")).terminals.map((t) => t.state);
      expect(states).toEqual(["running", "running"]);
    }),
  );

  it.scopedLive("a window that was moved into a user's session is still its session's", () =>
    Effect.gen(function* () {
      const { a, alive, home, sessions, user } = yield* setting;
      home.tmux("move-window", "-d", "-s", a.second.windowId ?? "", "-t", "=user:8");
      expect((yield* sessions.reconcile("a")).changed).toBe(false);
      const deleted = yield* sessions.deleteTerminal("a", "t2");
      expect([deleted.alreadyGone, alive(a.second.panePid), alive(user)]).toEqual([
        false,
        false,
        true,
      ]);
      expect(home.tmux("list-windows", "-t", "=user", "-F", "x")).toBe("x");
    }),
  );

  it.scopedLive("a delete ends windows of its own in a user's session, and leaves no pane", () =>
    Effect.gen(function* () {
      const { a, alive, home, sessions, user } = yield* setting;
      home.tmux("move-window", "-d", "-s", a.second.windowId ?? "", "-t", "=user:8");
      home.tmux("link-window", "-d", "-s", a.main?.windowId ?? "", "-t", "=user:9");
      yield* sessions.delete("a");
      expect([alive(a.main?.panePid), alive(a.second.panePid), alive(user)]).toEqual([
        false,
        false,
        true,
      ]);
      expect(home.tmux("list-windows", "-t", "=user", "-F", "x")).toBe("x");
    }),
  );

  it.scopedLive("what a closed window left is ended when its terminal is deleted", () =>
    Effect.gen(function* () {
      const { home, sessions } = yield* setting;
      const command = ["sh", "-c", 'trap "" HUP; echo $$ >"$HOME/pid"; sleep 600 & wait'];
      const { terminal } = yield* sessions.addTerminal({ session: "a", command });
      const pid = Number(home.read("pid"));
      home.tmux("kill-window", "-t", terminal.windowId ?? "");
      yield* sessions.reconcile("a");
      expect(lives(pid)).toBe(true);
      const deleted = yield* sessions.deleteTerminal("a", terminal.terminal);
      expect([deleted.killed.includes(pid), lives(pid)]).toEqual([true, false]);
    }),
  );

  it.scopedLive("an agent below a shell is asked to end, too, and has saved", () =>
    Effect.gen(function* () {
      const { home, sessions } = yield* setting;
      const agent =
        'trap "sleep 0.3; cd; echo ok >saved; exit 0" TERM; while :; do sleep 0.1; done';
      const command = ["sh", "-c", `sh -c '${agent}'; true`];
      yield* sessions.create({ session: "c", command, cwd: "/", startWindowMs: 500 });
      yield* sessions.delete("c", { graceMs: 10_000 });
      expect(home.read("saved")).toBe("ok\n");
    }),
  );
});
