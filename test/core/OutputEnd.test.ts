/**
 * The end of a reader of output: when it comes, and what is told before it.
 *
 * On the fake tmux and a virtual clock.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux, Fault } from "@troupe/testing";
import { Effect, Exit, Fiber, Scope, TestClock } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";
import { cat, now, reading } from "./OutputRead.js";

describe("the end of a reader of output", () => {
  it.scoped("comes at once with a delete by this program, for ten readers together", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const readers = yield* Effect.replicateEffect(reading(home.sessions), 10);
      const deleting = yield* Effect.fork(home.sessions.delete("a", { graceMs: 0 }));
      yield* TestClock.adjust(0);
      expect((yield* Fiber.join(deleting)).alreadyGone).toBe(false);
      expect(readers.map(({ seen }) => seen)).toEqual(Array(10).fill(["0 deleted -"]));
      for (const { fiber } of readers) yield* Fiber.join(fiber);
    }),
  );

  it.scoped("comes also with what another program does, and where somebody else does it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const other = yield* home.program("other");
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const first = yield* reading(home.sessions);
      yield* pass(other.delete("a"));
      expect(first.seen).toEqual(["0 deleted -"]);
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const second = yield* reading(home.sessions);
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* TestClock.adjust("5 seconds");
      expect(second.seen).toEqual(["0 lost -"]);
    }),
  );

  it.scoped("does not come while tmux cannot be asked, and comes when it can", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      const { seen } = yield* reading(home.sessions);
      yield* home.tmux.exitProgram("a", 0);
      yield* home.tmux.inject({ fault: Fault.shortened, times: 1_000 });
      yield* TestClock.adjust("1 minute");
      expect(seen).toEqual([]);
      yield* home.tmux.clearFaults;
      yield* TestClock.adjust("1 minute");
      expect(seen).toEqual(["0 exited 0"]);
    }),
  );

  it.scoped("has the server reap a program that it missed, and waits for how that ended", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      const { seen } = yield* reading(home.sessions);
      yield* home.tmux.exitProgram("a", 3, { unreaped: true });
      yield* TestClock.adjust("10 seconds");
      expect(seen).toEqual(["0 exited 3"]);
    }),
  );

  it.scoped("does not wait for it for ever, where the server cannot be told", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      const { seen } = yield* reading(home.sessions);
      yield* home.tmux.exitProgram("a", 3, { unreaped: true });
      yield* home.tmux.failProcessTable("permission");
      yield* TestClock.adjust("200 millis");
      expect(seen).toEqual([]);
      yield* TestClock.adjust("10 seconds");
      expect(seen).toEqual(["0 exited -"]);
    }),
  );

  it.scoped("waits for a recorder that only begins when its program has ended, up to a bound", () =>
    Effect.gen(function* () {
      let begun = false;
      const home = yield* fakeHome({
        output: (files) => ({
          ...files,
          read: (output, from, most) =>
            begun
              ? files.read(output, from, most)
              : Effect.succeed({ from, data: new Uint8Array(), recorder: "absent" }),
        }),
      });
      const creating = yield* Effect.fork(home.sessions.create({ session: "a", ...cat }));
      yield* TestClock.adjust("500 millis");
      yield* Fiber.join(creating);
      yield* home.tmux.type("a", "one\n");
      yield* home.tmux.exitProgram("a", 0);
      const { seen } = yield* reading(home.sessions);
      yield* TestClock.adjust("4 seconds");
      expect(seen).toEqual([]);
      begun = true;
      yield* TestClock.adjust("1 second");
      expect(seen).toEqual(["0:one\r\none\r\n", "10 exited 0"]);
      begun = false;
      const never = yield* reading(home.sessions);
      yield* TestClock.adjust("1 minute");
      expect(never.seen).toEqual(["0..null", "0 exited 0"]);
    }),
  );

  it.scoped("is Closing when the service closes while the terminal lives, whoever made it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const scope = yield* Scope.make();
      const closed = yield* Scope.extend(home.program("closed"), scope);
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const { fiber, seen } = yield* reading(closed);
      yield* Effect.fork(Scope.close(scope, Exit.void));
      yield* TestClock.adjust("1 second");
      const failure = yield* Effect.flip(Fiber.join(fiber));
      expect([failure._tag, seen]).toEqual(["Closing", []]);
    }),
  );

  it.scoped("is looked for seldom while something is printed, and while nothing is", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...cat }));
      yield* reading(home.sessions);
      const looks = Effect.map(home.tmux.requests, (all) => all.length);
      const before = yield* looks;
      for (let i = 0; i < 100; i++) {
        yield* home.tmux.type("a", "x");
        yield* TestClock.adjust("100 millis");
      }
      const printing = (yield* looks) - before;
      expect(printing).toBeGreaterThan(0);
      expect(printing).toBeLessThanOrEqual(20);
      yield* TestClock.adjust("100 seconds");
      expect((yield* looks) - before - printing).toBeLessThanOrEqual(53);
    }),
  );

  it.scoped("may be waited for as long as one likes, and no row is changed by it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const rows = JSON.stringify([[...home.store.records], [...home.store.claims]]);
      const { fiber } = yield* reading(home.sessions);
      yield* TestClock.adjust("1 minute");
      yield* Fiber.interrupt(fiber);
      expect(JSON.stringify([[...home.store.records], [...home.store.claims]])).toBe(rows);
    }),
  );

  it.scoped("is read by whoever comes when all is over", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome({
        tmux: { programs: { agent: FakeTmux.program((run) => run.write("> ")) } },
      });
      yield* pass(home.sessions.create({ session: "a", command: ["agent"], cwd: "/" }));
      yield* pass(home.sessions.delete("a"));
      const { seen } = yield* reading(home.sessions);
      expect(seen).toEqual(["0:> ", "2 deleted -"]);
      expect(yield* now(home.sessions)).toEqual(["0:> ", "2 deleted -"]);
    }),
  );
});
