/**
 * EndTerminal: a terminal is found by its mark, and what its end does to the session is told.
 *
 * On the fake: a user renames, closes and kills while a terminal is deleted. What he does to panes
 * is shown on the real tmux (test/real/terminals.test.ts).
 */
import { describe, expect, it } from "@effect/vitest";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const kill = (request: TmuxRequest): boolean => String(request.stdin).includes("kill-window");

const withTerminals = Effect.fnUntraced(function* (
  options: Parameters<typeof fakeHome>[0] = {},
  command: ReadonlyArray<string> = sleep.command,
) {
  const home = yield* fakeHome(options);
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  const { terminal } = yield* pass(home.sessions.addTerminal({ session: "a", command }));
  return { ...home, added: terminal };
});

const remove = (home: FakeHome, terminal = "t2", options: object = {}) =>
  pass(home.sessions.deleteTerminal("a", terminal, options));

const terminals = (home: FakeHome) =>
  Effect.map(home.record("a"), (record) => record.terminals.map((t) => `${t.terminal} ${t.state}`));

const panes = (home: FakeHome) =>
  Effect.map(
    Effect.orDie(
      home.tmux.client(["list-panes", "-s", "-t", "=a", "-F", "#{window_name} #{@troupe-pane}"]),
    ),
    ({ stdout }) => stdout.split("\n").filter((line) => line !== ""),
  );

describe("what a user does to windows", () => {
  it.scoped("a window that he renamed, or closed, is found or gone by its mark", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      yield* home.tmux.client(["rename-window", "-t", "=a:t2", "main"]);
      yield* remove(home);
      expect(yield* panes(home)).toEqual(["main main"]);
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      yield* home.tmux.client(["kill-window", "-t", "=a:t3"]);
      expect(yield* remove(home, "t3")).toMatchObject({ alreadyGone: true });
      expect(yield* terminals(home)).toEqual(["main running", "t2 gone", "t3 gone"]);
    }),
  );

  it.scoped("the last one that he left is the last, and takes the session with it", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      yield* home.tmux.client(["kill-window", "-t", "=a:main"]);
      expect(yield* remove(home)).toMatchObject({ sessionDeleted: true });
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );

  it.scoped("a session that he closed while the window was killed is lost, told with it", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals();
      const gate = yield* home.tmux.hold({ where: "before", matches: kill });
      const fiber = yield* Effect.fork(remove(home));
      yield* gate.reached;
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* gate.release;
      yield* Fiber.join(fiber);
      expect(yield* home.rows).toEqual(["a/1 lost"]);
      expect(yield* terminals(home)).toEqual(["main gone", "t2 gone"]);
    }),
  );
});
