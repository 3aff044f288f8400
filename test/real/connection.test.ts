/**
 * The connection of a program to its tmux server: what others see of it, and what it survives.
 *
 * tmux is asked past what hides keepers.
 */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "@effect/vitest";
import type { Sessions } from "@troupe/core";
import { Effect, Exit, Scope } from "effect";
import { waitFor } from "../support/Waiting.js";
import { type RealHome, realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/", startWindowMs: 0 };

const ask = (home: RealHome, ...words: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("tmux", ["-S", home.socket, ...words], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");

const names = (home: RealHome) => ask(home, "list-sessions", "-F", "#{session_name}");

const clients = (home: RealHome) =>
  ask(home, "list-clients", "-F", "#{client_pid} #{client_control_mode} #{session_name}");

/**
 * Until the program has a connection that is another one; the pid of the client. One is made for a
 * call, and not while the pause behind the last one lasts, so it is asked for at every look.
 */
const connected = (home: RealHome, sessions: Sessions["Type"], other: number | null = null) =>
  Effect.promise(() =>
    waitFor("the connection", async () => {
      await Effect.runPromise(sessions.list());
      const [pid = "", control] = clients(home)[0]?.split(" ") ?? [];
      return control === "1" && Number(pid) !== other ? Number(pid) : null;
    }),
  );

/** A session comes and goes. */
const turn = (sessions: Sessions["Type"], session: string) =>
  Effect.zipRight(sessions.create({ session, ...sleep }), sessions.delete(session));

describe("on a real tmux, a connection", () => {
  it.scopedLive("is in no listing of ours, and keeps no server that is stopped", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions({ connection: true });
      yield* sessions.create({ session: "a", ...sleep });
      yield* connected(home, sessions);
      expect(names(home)).toEqual([expect.stringMatching(/^_keeper-[0-9a-f]{16}$/), "a"]);
      const [keeper = ""] = names(home);
      const panes = ask(home, "list-panes", "-t", `=${keeper}:`, "-F", "#{pane_dead}");
      expect(panes).toEqual(["1"]);
      const listed = yield* sessions.list({ all: true });
      expect(listed.sessions.map(({ session }) => session)).toEqual(["a"]);
      expect((yield* sessions.reconcileAll).map(({ session }) => session)).toEqual(["a"]);
      expect(yield* sessions.stopServer).toBe("kept");
      yield* sessions.delete("a");
      expect(yield* sessions.stopServer).toBe("stopped");
      expect(home.answers()).toBe(false);
      yield* turn(sessions, "b");
    }),
  );

  it.scopedLive("goes with its program, and with its client, and takes its keeper along", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const scope = yield* Scope.make();
      const first = yield* Scope.extend(home.sessions({ connection: true }), scope);
      yield* turn(first, "a");
      yield* connected(home, first);
      yield* Scope.close(scope, Exit.void);
      expect(names(home)).toEqual([]);
      const second = yield* home.sessions({ connection: true });
      yield* turn(second, "b");
      process.kill(yield* connected(home, second), "SIGKILL");
      yield* Effect.promise(() => waitFor("no keeper", () => names(home).length === 0));
    }),
  );

  it.scopedLive("that is cut, over and over, costs no call, and comes back", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions({ connection: true });
      yield* turn(sessions, "a");
      let pid: number | null = null;
      for (let round = 0; round < 5; round++) {
        pid = yield* connected(home, sessions, pid);
        const keepers = names(home);
        process.kill(pid, "SIGKILL");
        yield* sessions.list();
        // What is changed at the moment in which tmux sees the end is unknown, and costs a call.
        yield* Effect.promise(() =>
          waitFor("its end", () => !names(home).some((name) => keepers.includes(name))),
        );
        yield* turn(sessions, `a${round}`);
      }
      yield* connected(home, sessions, pid);
    }),
  );

  it.scopedLive("that shows another session is given up, and its keeper goes", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions({ connection: true });
      yield* sessions.create({ session: "a", ...sleep });
      const pid = yield* connected(home, sessions);
      ask(home, "switch-client", "-c", `client-${pid}`, "-t", "=a:");
      yield* Effect.promise(() => waitFor("its end", () => clients(home).length === 0));
      expect(names(home)).toEqual(["a"]);
      yield* turn(sessions, "b");
      yield* connected(home, sessions, pid);
    }),
  );
});
