/**
 * Guests: a pane of another session of ours that is in this one alone, as a user moved it. No kill
 * of this session takes it along while its program runs, whichever flow kills.
 *
 * On the fake: the window of `b` is linked into `a`, and tmux loses the session `b`.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Exit, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const guestIn = Effect.fnUntraced(function* (home: FakeHome, guest: string) {
  yield* home.tmux.client(["link-window", "-d", "-s", "=b:main", "-t", "=a:5"]);
  yield* home.tmux.client(["kill-session", "-t", "=b"]);
  const panes = yield* home.tmux.client(["list-panes", "-s", "-t", "=a", "-F", "#{pane_id}"]);
  expect(panes.stdout).toContain(guest);
});

const setting = Effect.gen(function* () {
  const home = yield* fakeHome();
  const b = yield* pass(home.sessions.create({ session: "b", ...sleep }));
  const guest = b.terminals[0];
  const lives = Effect.map(home.tmux.processes, (all) =>
    all.some((p) => p.state === "running" && p.pid === guest?.panePid),
  );
  return { ...home, guest: guest?.paneId ?? "", lives };
});

describe("while a guest's program runs", () => {
  it.scoped("a delete is refused and changes nothing, and is done when it has ended", () =>
    Effect.gen(function* () {
      const home = yield* setting;
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* guestIn(home, home.guest);
      const error = yield* Effect.flip(pass(home.sessions.delete("a")));
      expect(error).toMatchObject({ _tag: "Busy", reason: "windows" });
      expect([yield* home.lives, yield* home.rows]).toEqual([true, ["b/1 running", "a/1 running"]]);
      yield* home.tmux.exitProgram(home.guest, 0);
      yield* pass(home.sessions.delete("a"));
      expect(yield* home.rows).toEqual(["b/1 running", "a/1 deleted"]);
    }),
  );

  it.scoped("a restore of what ended is refused, too, and its row stays as it is", () =>
    Effect.gen(function* () {
      const home = yield* setting;
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* home.tmux.exitProgram("a", 0);
      yield* pass(home.sessions.reconcile("a"));
      yield* guestIn(home, home.guest);
      const error = yield* Effect.flip(pass(home.sessions.restore("a")));
      expect(error).toMatchObject({ _tag: "Busy", reason: "windows" });
      expect([yield* home.lives, yield* home.rows]).toEqual([true, ["b/1 running", "a/1 exited"]]);
      yield* home.tmux.exitProgram(home.guest, 0);
      yield* pass(home.sessions.restore("a"));
      expect(yield* home.rows).toEqual(["b/1 running", "a/1 deleted", "a/2 running"]);
    }),
  );

  it.scoped("a creation is not undone either, and is when it has ended", () =>
    Effect.gen(function* () {
      const home = yield* setting;
      const fiber = yield* Effect.fork(
        home.sessions.create({ session: "a", ...sleep, startWindowMs: 5000 }),
      );
      yield* TestClock.adjust("1 second");
      yield* guestIn(home, home.guest);
      const interrupting = yield* Effect.fork(Fiber.interrupt(fiber));
      yield* TestClock.adjust("10 seconds");
      expect(Exit.isFailure(yield* Fiber.join(interrupting))).toBe(true);
      expect([yield* home.lives, yield* home.rows]).toEqual([
        true,
        ["b/1 running", "a/1 creating"],
      ]);
      yield* home.tmux.exitProgram(home.guest, 0);
      yield* pass(home.sessions.reconcile("a"));
      expect(yield* home.rows).toEqual(["b/1 running", "a/1 failed"]);
    }),
  );
});
