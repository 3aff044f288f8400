/**
 * The server dies, loses its socket, or is ended: what is known then, and what is not.
 */
import { rmSync } from "node:fs";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
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

  it.scopedLive(
    "a socket that was removed under a living server is unknown, and no twin is started",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const view = yield* sessions.create({ session: "a", ...sleep });
        const server = Number(home.tmux("display-message", "-p", "#{pid}"));
        rmSync(home.socket);
        const verbs: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
          sessions.delete("a"),
          sessions.reconcile("a"),
          sessions.create({ session: "b", ...sleep }),
        ];
        for (const verb of verbs) {
          expect(yield* Effect.flip(verb)).toMatchObject({
            _tag: "LookupFailed",
            reason: "split-server",
          });
        }
        const again = yield* sessions.get("a");
        expect([again.state, again.seen.state]).toEqual(["running", "unknown"]);
        expect(again.processes.map(({ pid }) => lives(pid))).toEqual([true]);
        expect(view.updatedAt).toBe(again.updatedAt);
        process.kill(server, "SIGUSR1");
        yield* Effect.promise(() => waitFor("the socket", home.answers));
        expect((yield* sessions.delete("a")).alreadyGone).toBe(false);
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
