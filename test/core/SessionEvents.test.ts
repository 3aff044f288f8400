/**
 * SessionEvents: every change of state is in the log, once, its terminals before it; what did not
 * happen is not.
 *
 * Method: each verb runs, also while the registry fails or a kill cannot be confirmed, and is run
 * again; then the log is compared with the rows, state by state.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, RegistryUnavailable } from "@troupe/core";
import type { FakeMachineOptions } from "@troupe/testing";
import { Deferred, Effect, Stream, TestClock } from "effect";
import { logDisagreement } from "../support/LogCheck.js";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** The log from a number on, as `NAME/GENERATION [TERMINAL] STATE`. */
const log = (home: FakeHome, first = 1): ReadonlyArray<string> =>
  home.store.events
    .filter(({ sequence }) => sequence >= first)
    .map(({ body, generation, session }) => {
      const terminal = body.type === "terminal" ? ` ${body.terminal}` : "";
      return `${session}/${generation}${terminal} ${body.type === "late" ? "late" : body.state}`;
    });

/** The log tells exactly what the rows came to. */
const isTrue = (home: FakeHome) => {
  const { events, records } = home.store;
  expect(logDisagreement([...records.values()], events)).toBe(null);
};

const made = ["a/1 creating", "a/1 main running", "a/1 running"];
const ended = ["a/1 main gone", "a/1 deleted"];

const withSession = Effect.fnUntraced(function* (options: FakeMachineOptions = {}) {
  const home = yield* fakeHome(options);
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  return home;
});

/** A registry whose next commits of a last state fail: before they did anything, or behind it. */
const failingEnds = (lost: boolean) => {
  const trouble = { left: 0 };
  const refuse = new RegistryUnavailable({ session: "a", attempted: "commit", detail: "locked" });
  const registry = (real: Registry["Type"]): Registry["Type"] => ({
    ...real,
    commit: (...args) => {
      const ends = args[2].some((c) => c._tag === "Move" && c.to === "deleted");
      if (!ends || trouble.left === 0) return real.commit(...args);
      trouble.left--;
      return lost ? Effect.zipRight(real.commit(...args), refuse) : refuse;
    },
  });
  return { trouble, registry };
};

describe("the log tells", () => {
  it.scoped("terminals before their session, when it is made and when it ends", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      expect(log(home)).toEqual(made);
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      yield* pass(home.sessions.delete("a"));
      expect(log(home, 4)).toEqual([
        "a/1 t2 creating",
        "a/1 t2 running",
        "a/1 deleting",
        "a/1 main gone",
        "a/1 t2 gone",
        "a/1 deleted",
      ]);
      isTrue(home);
    }),
  );

  it.scoped("a program's end with its code, and a session that somebody else ended, once", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.exitProgram("a", 7);
      yield* pass(home.sessions.reconcile("a"));
      yield* pass(home.sessions.reconcile("a"));
      expect(log(home, 4)).toEqual(["a/1 main exited", "a/1 exited"]);
      expect(home.store.events[3]?.body).toMatchObject({ exit: { code: 7, signal: null } });
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* pass(home.sessions.reconcileAll);
      yield* pass(home.sessions.reconcileAll);
      expect(log(home, 6)).toEqual(["a/1 main gone", "a/1 lost"]);
      expect(home.store.events.at(-1)?.body).toMatchObject({ cause: "vanished" });
      isTrue(home);
    }),
  );

  it.scoped("a creation that was undone as failed, with its cause", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const command = ["sh", "-c", "exit 3"];
      yield* Effect.flip(pass(home.sessions.create({ session: "a", cwd: "/", command })));
      expect(log(home)).toEqual(["a/1 creating", "a/1 failed"]);
      isTrue(home);
    }),
  );

  it.scoped("a restore as the end of one generation and then the beginning of the next", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* pass(home.sessions.reconcile("a"));
      yield* pass(home.sessions.restore("a"));
      const next = ["a/2 creating", "a/2 main running", "a/2 running"];
      expect(log(home, 6)).toEqual(["a/1 deleted", ...next]);
      yield* home.tmux.exitProgram("a", 0);
      yield* pass(home.sessions.reconcile("a"));
      yield* pass(home.sessions.restore("a"));
      expect(log(home).slice(-3)).toEqual(next.map((line) => line.replace("/2", "/3")));
      isTrue(home);
    }),
  );

  it.scoped("a session that is taken over from somebody else as one that begins", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.client(["new-session", "-d", "-s", "theirs", "--", "sleep", "1000"]);
      yield* pass(home.sessions.adopt("theirs"));
      expect(log(home, 4)[0]).toBe("theirs/1 creating");
      expect(log(home).at(-1)).toBe("theirs/1 running");
      isTrue(home);
    }),
  );

  it.scoped("no end while a kill is not confirmed, and it once when it is", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.linger(10_000);
      for (const _ of [1, 2]) {
        const error = yield* Effect.flip(pass(home.sessions.delete("a")));
        expect(error._tag).toBe("KillUnconfirmed");
      }
      expect(log(home)).toEqual([...made, "a/1 deleting"]);
      yield* home.tmux.linger(0);
      yield* pass(home.sessions.reconcile("a"));
      expect(log(home, 5)).toEqual(ended);
      isTrue(home);
    }),
  );
});

describe("an end whose write fails", () => {
  for (const times of [1, 2]) {
    it.scoped(`${times} times before it did anything is told once, by the one that succeeds`, () =>
      Effect.gen(function* () {
        const { registry, trouble } = failingEnds(false);
        const home = yield* withSession({ registry });
        trouble.left = times;
        for (let call = 0; call < times; call++) {
          const error = yield* Effect.flip(pass(home.sessions.delete("a")));
          expect(error._tag).toBe("RegistryUnavailable");
        }
        expect(log(home, 4)).toEqual(["a/1 deleting"]);
        yield* pass(home.sessions.delete("a"));
        expect(log(home, 5)).toEqual(ended);
        isTrue(home);
      }),
    );
  }

  it.scoped("behind its effect is told once, whatever is run again", () =>
    Effect.gen(function* () {
      const { registry, trouble } = failingEnds(true);
      const home = yield* withSession({ registry });
      trouble.left = 1;
      const error = yield* Effect.flip(pass(home.sessions.delete("a")));
      expect(error._tag).toBe("RegistryUnavailable");
      yield* pass(home.sessions.delete("a"));
      yield* pass(home.sessions.reconcileAll);
      expect(log(home, 4)).toEqual(["a/1 deleting", ...ended]);
      isTrue(home);
    }),
  );
});

describe("two deletes at once", () => {
  it.scoped("are told in one order, also to a subscriber that is slow with the first", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* pass(home.sessions.create({ session: "b", ...sleep }));
      const back = yield* Deferred.make<void>();
      const heard: Array<number> = [];
      const events = Stream.filter(home.sessions.events({ since: 6 }), (e) => e.type === "event");
      const slowly = Stream.runForEach(events, ({ sequence }) => {
        heard.push(sequence);
        return Deferred.await(back);
      });
      yield* Effect.forkScoped(slowly);
      const both = [home.sessions.delete("a"), home.sessions.delete("b")];
      yield* pass(Effect.all(both, { concurrency: "unbounded" }));
      expect([yield* home.rows, heard]).toEqual([["a/1 deleted", "b/1 deleted"], [7]]);
      yield* Deferred.succeed(back, undefined);
      yield* TestClock.adjust(0);
      expect(heard).toEqual([7, 8, 9, 10, 11, 12]);
      isTrue(home);
    }),
  );
});
