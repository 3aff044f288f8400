/**
 * Readers: they tell what they know whatever fails, write nothing, and agree.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

describe("a reader", () => {
  it.scoped("on a home where troupe never ran asks tmux nothing and finds nothing", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const empty = { sessions: [], unreadable: [], unasked: null };
      expect(yield* home.sessions.list({ all: true })).toEqual(empty);
      expect(yield* home.tmux.requests).toEqual([]);
    }),
  );

  it.scoped("tells the rows although tmux cannot be asked, and why it cannot", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* home.tmux.inject({ fault: Fault.shortened, times: 2 });
      const list = yield* home.sessions.list();
      expect(list.unasked).toMatchObject({ _tag: "LookupFailed", reason: "garbled" });
      expect(list.sessions).toMatchObject([{ state: "running", seen: { state: "unknown" } }]);
      const one = yield* home.sessions.get("a");
      expect(one).toMatchObject({ state: "running", seen: { state: "unknown" } });
      expect(one.seen.reason).toBe("garbled");
    }),
  );

  it.scoped("writes nothing, also where a reconcile would", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      const before = JSON.stringify([[...home.store.records], [...home.store.claims]]);
      const [listed] = (yield* home.sessions.list()).sessions;
      const got = yield* home.sessions.get("a");
      expect([listed?.state, got.state]).toEqual(["running", "running"]);
      expect([listed?.seen.state, got.seen.state]).toEqual(["absent", "absent"]);
      expect((yield* Effect.flip(home.sessions.capture("a")))._tag).toBe("NotFound");
      expect(JSON.stringify([[...home.store.records], [...home.store.claims]])).toBe(before);
    }),
  );

  it.scoped("captures history and screen, the newest lines, of the pane that we made", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const lines = Array.from({ length: 9 }, (_, i) => `echo ${i}`).join("; ");
      const command = ["sh", "-c", `${lines}; exec sleep 1000`];
      yield* pass(home.sessions.create({ session: "a", cwd: "/", command }));
      expect(yield* home.sessions.capture("a", { lines: 3 })).toBe("6\n7\n8");
    }),
  );
});
