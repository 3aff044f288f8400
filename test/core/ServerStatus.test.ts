/**
 * ServerStatus: the server that answers, with the sessions of this home and those of others.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

describe("the status of the server", () => {
  it.scoped("is none before anything ran, and nothing is started for it", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* fakeHome();
      expect(yield* sessions.serverStatus).toMatchObject({ server: null });
      expect((yield* tmux.processes).length).toBe(0);
    }),
  );

  it.scoped("tells whose sessions it has", () =>
    Effect.gen(function* () {
      const { sessions, store, tmux } = yield* fakeHome();
      yield* pass(sessions.create({ session: "a", ...sleep }));
      yield* tmux.client(["new-session", "-d", "-s", "theirs", "--", "sleep", "1000"]);
      const [known] = store.servers;
      expect(yield* sessions.serverStatus).toMatchObject({
        server: {
          pid: known?.server.pid,
          startedAt: (known?.server.startTime ?? 0) * 1_000,
          version: known?.version,
          sessions: ["a"],
          foreign: ["theirs"],
        },
        detail: null,
      });
    }),
  );

  it.scoped("is not none where it cannot be asked", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* fakeHome();
      yield* pass(sessions.create({ session: "a", ...sleep }));
      yield* tmux.denySocket(true);
      expect((yield* Effect.flip(sessions.serverStatus))._tag).toBe("LookupFailed");
    }),
  );
});
