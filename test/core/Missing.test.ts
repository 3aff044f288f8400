/**
 * Missing: a session whose name is known and that is not there is told with what is known of it,
 * by everything that can be asked for.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const asking = {
  capture: ({ sessions }: FakeHome) => sessions.capture("a"),
  send: ({ sessions }: FakeHome) => sessions.send("a", { text: "x", keys: [], enter: false }),
  wait: ({ sessions }: FakeHome) => sessions.wait("a", { exit: true }, { timeoutMs: 1_000 }),
  "terminal add": ({ sessions }: FakeHome) => sessions.addTerminal({ session: "a", ...sleep }),
  restore: ({ sessions }: FakeHome) => sessions.restore("a"),
} as const;

const all = Object.entries(asking);

const failureOf = (home: FakeHome, ask: (home: FakeHome) => Effect.Effect<unknown, unknown>) =>
  Effect.flip(pass(ask(home)));

describe("a session that is not there", () => {
  it.scoped.each(all)("is known as deleted by a %s", ([, ask]) =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* pass(home.sessions.delete("a", { snapshot: false }));
      const told = {
        _tag: "NotFound",
        state: "deleted",
        message: expect.stringMatching(/deleted/),
      };
      expect(yield* failureOf(home, ask)).toMatchObject(told);
    }),
  );

  it.scoped.each(all.slice(0, -1))(
    "is known as lost by a %s when its server was killed",
    ([, ask]) =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* pass(home.sessions.create({ session: "a", ...sleep }));
        yield* home.tmux.client(["kill-server"]);
        expect(yield* failureOf(home, ask)).toMatchObject({ _tag: "NotFound", state: "lost" });
        expect((yield* home.record("a")).state).toBe("running");
      }),
  );

  it.scoped.each(all)("is a name that nobody used, for a %s", ([, ask]) =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      expect(yield* failureOf(home, ask)).toMatchObject({ _tag: "NotFound", state: null });
    }),
  );

  it.scoped.each([
    ["lost", ["kill-server"]],
    ["lost", ["kill-session", "-t", "=a"]],
    [null, ["kill-window", "-t", "=a:main"]],
  ] as const)("or its terminal alone is told as that (%s) to who waits for it", ([state, kill]) =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      const wait = yield* Effect.fork(Effect.flip(home.sessions.wait("a", { exit: true })));
      yield* home.tmux.client(kill);
      yield* TestClock.adjust("5 seconds");
      expect(yield* wait).toMatchObject({ _tag: "NotFound", state, terminal: "main" });
    }),
  );
});
