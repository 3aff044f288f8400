/**
 * The server dies, loses its socket, or is ended: what is known then, and what is not.
 */
import { existsSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { socketsFit } from "../support/Place.js";
import { lives } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import { realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/" };

const killServer = (pid: number) =>
  Effect.promise(async () => {
    process.kill(pid, "SIGKILL");
    await waitFor("the end of the server", () => !lives(pid));
  });

describe("on a real tmux", () => {
  it.scopedLive("sessions of a server that was killed are lost, and a delete of one is true", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sleep });
      yield* sessions.create({ session: "b", ...sleep });
      yield* killServer(Number(home.tmux("display-message", "-p", "#{pid}")));
      expect(yield* sessions.reconcileAll).toMatchObject([
        { session: "a", outcome: { _tag: "Right", right: { after: "lost", why: "server gone" } } },
        { session: "b", outcome: { _tag: "Right", right: { after: "lost", why: "server gone" } } },
      ]);
      expect((yield* Effect.flip(sessions.create({ session: "a", ...sleep })))._tag).toBe(
        "AlreadyExists",
      );
      expect((yield* sessions.delete("a")).alreadyGone).toBe(true);
      expect((yield* sessions.create({ session: "a", ...sleep })).generation).toBe(2);
    }),
  );

  it.scopedLive("a socket that was removed under a living server is unknown to who reads", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const view = yield* sessions.create({ session: "a", ...sleep });
      rmSync(home.socket);
      const again = yield* sessions.get("a");
      expect([again.state, again.seen.state]).toEqual(["running", "unknown"]);
      expect(again.processes.map(({ pid }) => lives(pid))).toEqual([true]);
      expect((yield* sessions.list()).sessions[0]?.seen.state).toBe("unknown");
      expect((yield* Effect.flip(sessions.capture("a")))._tag).toBe("LookupFailed");
      expect([view.updatedAt, existsSync(home.socket)]).toEqual([again.updatedAt, false]);
    }),
  );

  it.scopedLive("a server whose socket was removed listens again for every change", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sleep });
      const server = home.tmux("display-message", "-p", "#{pid} #{start_time}");
      const verbs: ReadonlyArray<Effect.Effect<unknown, object>> = [
        sessions.reconcile("a"),
        sessions.reconcileAll,
        sessions.create({ session: "b", ...sleep }),
        sessions.addTerminal({ session: "a", ...sleep }),
        sessions.delete("a"),
        sessions.stopServer,
      ];
      for (const verb of verbs) {
        rmSync(home.socket);
        yield* verb;
        expect(home.tmux("display-message", "-p", "#{pid} #{start_time}")).toBe(server);
      }
      expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("b");
      expect((yield* sessions.get("a")).state).toBe("deleted");
    }),
  );

  it.scopedLive.runIf(socketsFit)(
    "two programs at once meet the one server, in a directory that is made again",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const socket = join(home.directory, "run", "s");
        const [one, two] = yield* Effect.all([
          home.sessions({ socket }),
          home.sessions({ socket }),
        ]);
        const view = yield* one.create({ session: "a", ...sleep });
        rmSync(dirname(socket), { recursive: true });
        const both = [
          one.create({ session: "b", ...sleep }),
          two.create({ session: "c", ...sleep }),
        ];
        for (const made of yield* Effect.all(both, { concurrency: "unbounded" })) {
          expect([made.state, made.server]).toEqual(["running", view.server]);
        }
        expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
        for (const name of ["a", "b", "c"]) yield* two.delete(name);
        expect(yield* one.stopServer).toBe("stopped");
      }),
  );

  it.scopedLive("a server that was started for another socket is never told to listen", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sleep });
      const server = Number(home.tmux("display-message", "-p", "#{pid}"));
      const elsewhere = yield* home.sessions({ socket: join(home.directory, "other") });
      const verbs: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        elsewhere.delete("a"),
        elsewhere.create({ session: "b", ...sleep }),
      ];
      for (const verb of verbs) expect((yield* Effect.flip(verb))._tag).toBe("LookupFailed");
      expect([lives(server), existsSync(join(home.directory, "other"))]).toEqual([true, false]);
      expect((yield* sessions.get("a")).seen.state).toBe("present");
    }),
  );

  it.scopedLive(
    "an empty server is ended when that is asked for, and one with a session is kept",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        expect(yield* sessions.stopServer).toBe("none");
        yield* sessions.create({ session: "a", ...sleep });
        expect(yield* sessions.stopServer).toBe("kept");
        yield* sessions.delete("a");
        expect(yield* sessions.stopServer).toBe("stopped");
        expect(yield* sessions.stopServer).toBe("none");
      }),
  );
});
