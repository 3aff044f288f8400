/**
 * StopServer: an empty server ends, one with a session does not, also when that comes in between.
 */
import { describe, expect, it } from "@effect/vitest";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const stop = (request: TmuxRequest) => String(request.stdin).includes("kill-server");

describe("stopping the server", () => {
  it.scoped("does nothing without one, keeps one that has a session, and ends an empty one", () =>
    Effect.gen(function* () {
      const { sessions } = yield* fakeHome();
      expect(yield* sessions.stopServer).toBe("none");
      yield* pass(sessions.create({ session: "a", ...sleep }));
      expect(yield* sessions.stopServer).toBe("kept");
      yield* pass(sessions.delete("a"));
      expect(yield* pass(sessions.stopServer)).toBe("stopped");
      expect(yield* sessions.stopServer).toBe("none");
    }),
  );

  it.scoped("keeps a session that was made between the look and the end", () =>
    Effect.gen(function* () {
      const { inTmux, sessions, tmux } = yield* fakeHome();
      yield* pass(sessions.create({ session: "a", ...sleep }));
      yield* pass(sessions.delete("a"));
      const gate = yield* tmux.hold({ where: "before", matches: stop });
      const fiber = yield* Effect.fork(pass(sessions.stopServer));
      yield* gate.reached;
      yield* tmux.client(["new-session", "-d", "-s", "theirs", "--", "sleep", "1000"]);
      yield* gate.release;
      expect(yield* Fiber.join(fiber)).toBe("kept");
      expect(yield* inTmux).toEqual(["theirs"]);
    }),
  );

  it.scoped("fails, and says so, when tmux cannot be asked", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* fakeHome();
      yield* pass(sessions.create({ session: "a", ...sleep }));
      yield* tmux.stop;
      expect((yield* Effect.flip(pass(sessions.stopServer)))._tag).toBe("LookupFailed");
    }),
  );
});
