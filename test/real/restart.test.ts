/**
 * Ten sessions whose server is killed: what list says, what reconcile records, what restore makes.
 */
import { realpathSync } from "node:fs";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { lives } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import { realHome } from "./RealHome.js";

const names = Array.from({ length: 10 }, (_, index) => `s${index}`);

// Ignores what the end of its terminal sends it, as an agent or a server in the background does.
const survivor = (number: string) => ["sh", "-c", `trap "" HUP; sleep ${number} & wait`];

const killServer = (pid: number) =>
  Effect.promise(async () => {
    process.kill(pid, "SIGKILL");
    await waitFor("the end of the server", () => !lives(pid));
  });

describe("on a real tmux", () => {
  it.scopedLive(
    "ten sessions whose server was killed are absent, then lost, then restored as they were",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const cwd = realpathSync(home.directory);
        for (const [index, session] of names.entries()) {
          yield* sessions.create({ session, cwd, command: survivor(`60${index}`) });
        }
        const before = yield* sessions.list();
        const old = before.sessions.flatMap(({ processes }) => processes.map(({ pid }) => pid));
        yield* killServer(Number(home.tmux("display-message", "-p", "#{pid}")));
        // What ignores HUP outlives its server, in no session of anybody's.
        expect(old.filter(lives).length).toBeGreaterThanOrEqual(10);

        const absent = yield* sessions.list();
        expect(absent.sessions.map(({ seen, state }) => [state, seen.state])).toEqual(
          names.map(() => ["running", "absent"]),
        );

        yield* sessions.reconcileAll;
        const lost = yield* sessions.list();
        expect(lost.sessions.map(({ cause, state }) => [state, cause])).toEqual(
          names.map(() => ["lost", "server gone"]),
        );

        const restored = yield* Effect.forEach(names, (name) => sessions.restore(name), {
          concurrency: "unbounded",
        });
        expect(restored.map(({ generation, state }) => [generation, state])).toEqual(
          names.map(() => [2, "running"]),
        );
        expect(old.filter(lives)).toEqual([]);
        const after = yield* sessions.list();
        expect(after.sessions.map(({ spec }) => spec)).toEqual(
          before.sessions.map(({ spec }) => spec),
        );
        expect(after.sessions.every(({ seen }) => seen.state === "present")).toBe(true);
        const format = "#{session_name} #{pane_current_path}";
        const shown = home.tmux("list-panes", "-a", "-F", format).split("\n").sort();
        expect(shown).toEqual(names.map((name) => `${name} ${cwd}`));
      }),
    60_000,
  );

  it.scopedLive("a service that is stopped takes its sessions along, and their rows say that", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      for (const session of ["a", "b"]) {
        yield* sessions.create({ session, cwd: "/", command: survivor("600") });
      }
      const before = yield* sessions.list();
      const programs = before.sessions.flatMap(({ processes }) => processes.map(({ pid }) => pid));
      const all = [Number(home.tmux("display-message", "-p", "#{pid}")), ...programs];
      // As a service manager does: everything in the control group, at the same moment.
      yield* Effect.promise(async () => {
        for (const signal of ["SIGTERM", "SIGKILL"] as const) {
          for (const pid of all.filter(lives)) process.kill(pid, signal);
        }
        await waitFor("the end of all of it", () => !all.some(lives));
      });
      const absent = yield* sessions.list();
      expect(absent.sessions.map(({ seen }) => seen.state)).toEqual(["absent", "absent"]);
      const told = yield* sessions.reconcileAll;
      expect(told.map(({ outcome }) => outcome)).toMatchObject([
        { right: { after: "lost", why: "server gone" } },
        { right: { after: "lost", why: "server gone" } },
      ]);
      expect(yield* sessions.get("a")).toMatchObject({ state: "lost", cause: "server gone" });
      expect(yield* sessions.restore("a")).toMatchObject({ generation: 2, state: "running" });
      expect(yield* sessions.delete("b")).toMatchObject({ alreadyGone: true });
    }),
  );
});
