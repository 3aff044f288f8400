/**
 * Terminals on a real tmux: windows and panes that a user moved, programs that leave their pane.
 *
 * What the fake does not model (split-window, join-pane, break-pane) is shown here: a terminal that
 * is deleted takes what was made for it, and nothing of its peers or of a user's.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { lives } from "../support/Processes.js";
import { type RealHome, realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/" };

const setting = Effect.gen(function* () {
  const home = yield* realHome;
  const sessions = yield* home.sessions();
  const made = yield* sessions.create({ session: "a", ...sleep });
  const { terminal } = yield* sessions.addTerminal({ session: "a", ...sleep });
  const main = made.terminals[0];
  return { home, sessions, main: main?.paneId ?? "", second: terminal };
});

const panes = (home: RealHome): ReadonlyArray<string> =>
  home.tmux("list-panes", "-s", "-t", "=a:", "-F", "#{window_name} #{@troupe-pane}").split("\n");

describe("on a real tmux a terminal", () => {
  for (const connection of [false, true]) {
    it.scopedLive(`has the PATH of its session${connection ? ", over a connection too" : ""}`, () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions({ connection });
        const command = ["sh", "-c", "echo $PATH; exec sleep 600"];
        const env = { PATH: "/opt/own:/usr/bin:/bin" };
        yield* sessions.create({ session: "a", command, cwd: "/", env });
        yield* sessions.addTerminal({ session: "a", command });
        for (const terminal of ["main", "t2"]) {
          yield* sessions.wait("a", { text: ":/bin" }, { terminal });
          expect((yield* sessions.capture("a", { terminal })).text.trim()).toBe(env.PATH);
        }
      }),
    );
  }

  it.scopedLive("that is deleted is gone with its window and its program, and its peer lives", () =>
    Effect.gen(function* () {
      const { home, second, sessions } = yield* setting;
      expect(panes(home)).toEqual(["main main", "t2 t2"]);
      expect(lives(second.panePid ?? 0)).toBe(true);
      yield* sessions.deleteTerminal("a", "t2");
      expect(panes(home)).toEqual(["main main"]);
      expect(lives(second.panePid ?? 0)).toBe(false);
      const last = yield* sessions.deleteTerminal("a", "main");
      expect(last).toMatchObject({ sessionDeleted: true });
      expect((yield* sessions.get("a")).state).toBe("deleted");
    }),
  );

  it.scopedLive("takes along a pane that a user split off in its window", () =>
    Effect.gen(function* () {
      const { home, second, sessions } = yield* setting;
      home.tmux("split-window", "-d", "-t", second.paneId ?? "", "sleep 600");
      yield* sessions.deleteTerminal("a", "t2");
      expect(panes(home)).toEqual(["main main"]);
    }),
  );

  it.scopedLive("does not take along the pane of a peer that was joined into its window", () =>
    Effect.gen(function* () {
      const { home, main, second, sessions } = yield* setting;
      home.tmux("join-pane", "-d", "-s", main, "-t", second.paneId ?? "");
      yield* sessions.deleteTerminal("a", "t2");
      expect(panes(home)).toEqual(["t2 main"]);
      const { terminals } = yield* sessions.get("a");
      expect(terminals.map((t) => t.state)).toEqual(["running", "gone"]);
    }),
  );

  it.scopedLive("ends alone in a window of the user's that its pane was moved into", () =>
    Effect.gen(function* () {
      const { home, second, sessions } = yield* setting;
      home.tmux("new-window", "-d", "-t", "=a:", "-n", "his", "sleep 600");
      home.tmux("join-pane", "-d", "-s", second.paneId ?? "", "-t", "=a:his");
      yield* sessions.deleteTerminal("a", "t2");
      // The window was never given the name of ours, and his pane has no mark.
      expect(panes(home)).toEqual(["main main", "his"]);
    }),
  );

  it.scopedLive("whose window a user linked into another session ends in both", () =>
    Effect.gen(function* () {
      const { home, second, sessions } = yield* setting;
      home.tmux("new-session", "-d", "-s", "his", "sleep 600");
      home.tmux("link-window", "-s", second.windowId ?? "", "-t", "=his:");
      yield* sessions.deleteTerminal("a", "t2");
      expect(panes(home)).toEqual(["main main"]);
      expect(home.tmux("list-windows", "-t", "=his:", "-F", "x")).toBe("x");
      expect(lives(second.panePid ?? 0)).toBe(false);
    }),
  );

  it.scopedLive("gives its program the values that the session was made with, and no other", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const env = { TOKEN: "canary-real" };
      yield* sessions.create({ session: "a", ...sleep, env });
      const command = ["sh", "-c", 'env >"$HOME/seen"; exec sleep 600'];
      yield* sessions.addTerminal({ session: "a", command });
      expect(home.read("seen")).toMatch(/^TOKEN=canary-real$/m);
      expect(home.read("seen")).toMatch(/^TROUPE_TERMINAL=t2$/m);
      expect(home.tmux("show-environment", "-t", "=a")).not.toMatch(/canary|TROUPE_TERMINAL/);
    }),
  );
});
