/**
 * Delete: true in every case, on the fake: what it does in which order, and what each failure
 * leaves.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux, Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const kill = (request: TmuxRequest): boolean => request.attempted === "kill";
const look = (request: TmuxRequest): boolean => request.attempted === "delete";

const withSession = Effect.fnUntraced(function* (command: ReadonlyArray<string> = sleep.command) {
  const stubborn = FakeTmux.program((run) => {
    run.onSignal("HUP", "ignore");
    run.onSignal("TERM", "ignore");
    run.spawn((child) => child.onSignal("HUP", "ignore"), { detached: true });
  });
  const polite = FakeTmux.program((run) => {
    run.onSignal("TERM", () => run.after(500, () => run.exit(0)));
  });
  const home = yield* fakeHome({ tmux: { programs: { stubborn, polite } } });
  yield* pass(home.sessions.create({ session: "a", command, cwd: "/" }));
  return home;
});

const living = (home: FakeHome, program: string) =>
  Effect.map(home.tmux.processes, (all) =>
    all.filter((p) => p.program === program && p.state === "running").map((p) => p.pid),
  );

describe("a delete", () => {
  it.scoped("writes its intent with the processes before anything is signalled or killed", () =>
    Effect.gen(function* () {
      const home = yield* withSession(["polite"]);
      const fiber = yield* Effect.fork(home.sessions.delete("a"));
      yield* TestClock.adjust("100 millis");
      const [pid] = yield* living(home, "polite");
      const record = yield* home.record("a");
      expect(record.state).toBe("deleting");
      expect(record.processes.map((id) => id.pid)).toContain(pid);
      expect((yield* home.tmux.requests).filter(kill)).toEqual([]);
      yield* TestClock.adjust("1 minute");
      expect((yield* Fiber.join(fiber)).killed).toEqual([]);
    }),
  );

  it.scoped("waits for a program that handles TERM, and not for one that does not", () =>
    Effect.gen(function* () {
      const home = yield* withSession(["polite"]);
      const fiber = yield* Effect.fork(home.sessions.delete("a"));
      yield* TestClock.adjust("400 millis");
      expect(fiber.unsafePoll()).toBe(null);
      yield* TestClock.adjust("1 minute");
      yield* Fiber.join(fiber);
      const other = yield* withSession();
      yield* other.sessions.delete("a");
    }),
  );

  it.scoped("ends programs that ignore HUP and TERM, also in a process session of their own", () =>
    Effect.gen(function* () {
      const home = yield* withSession(["stubborn"]);
      expect((yield* living(home, "stubborn")).length).toBe(2);
      const result = yield* pass(home.sessions.delete("a"));
      expect(result.killed.length).toBe(2);
      expect(yield* living(home, "stubborn")).toEqual([]);
    }),
  );

  it.scoped("that finds the session gone sends no kill and is alreadyGone", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      expect((yield* pass(home.sessions.delete("a"))).alreadyGone).toBe(true);
      expect((yield* home.tmux.requests).filter(kill)).toEqual([]);
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );

  it.scoped("whose session disappears between look and kill is success", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const gate = yield* home.tmux.hold({ where: "before", matches: kill });
      const fiber = yield* Effect.fork(pass(home.sessions.delete("a")));
      yield* gate.reached;
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* gate.release;
      yield* Fiber.join(fiber);
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );

  it.scoped("looks again while a server lags, up to its bound", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.linger(5);
      yield* pass(home.sessions.delete("a"));
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );
});

describe("a delete of an incarnation", () => {
  it.scoped("of another name is NotFound, and nothing is told or done of that", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const other = yield* pass(home.sessions.create({ session: "b", ...sleep }));
      const { incarnation } = other;
      const failure = yield* Effect.flip(pass(home.sessions.delete("a", { incarnation })));
      expect(failure).toMatchObject({ _tag: "NotFound", session: "a", what: "incarnation" });
      expect(yield* home.rows).toEqual(["a/1 running", "b/1 running"]);
    }),
  );
});

describe("a delete of what is deleted already", () => {
  it.scoped("looks, and ends what appeared of it after all", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const { incarnation } = yield* home.record("a");
      yield* pass(home.sessions.delete("a"));
      yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
      for (const [name, value] of [
        ["@troupe-inc", incarnation],
        ["@troupe-home", "home1"],
        ["@troupe-gen", "1"],
      ] as const) {
        yield* home.tmux.client(["set-option", "-t", "=a:", name, value]);
      }
      expect((yield* pass(home.sessions.delete("a"))).alreadyGone).toBe(false);
      expect(yield* home.inTmux).toEqual([]);
      expect((yield* pass(home.sessions.delete("a"))).alreadyGone).toBe(true);
    }),
  );

  it.scoped("is LookupFailed while tmux cannot be asked", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* pass(home.sessions.delete("a"));
      yield* home.tmux.stop;
      expect((yield* Effect.flip(pass(home.sessions.delete("a"))))._tag).toBe("LookupFailed");
    }),
  );
});

describe("a look that fails before the intent", () => {
  for (const [what, fault] of [
    ["is refused", Fault.refuse("error connecting to /x (Permission denied)\n")],
    ["says nothing", Fault.silent],
    ["is cut short", Fault.shortened],
    ["is garbled", Fault.garbled],
    ["is not answered", Fault.hang],
  ] as const) {
    it.scoped(`because it ${what} is LookupFailed, and nothing was changed`, () =>
      Effect.gen(function* () {
        const home = yield* withSession();
        const told = () => JSON.stringify([...home.store.records.values(), ...home.store.events]);
        const before = told();
        // One of which a part came is taken once more, without what it was to show.
        yield* home.tmux.inject({ fault, matches: look, times: 2 });
        expect((yield* Effect.flip(pass(home.sessions.delete("a"))))._tag).toBe("LookupFailed");
        expect(told()).toBe(before);
        expect(yield* home.inTmux).toEqual(["a"]);
      }),
    );
  }

  it.scoped("because the processes cannot be read is the same", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.failProcessTable("permission");
      const error = yield* Effect.flip(pass(home.sessions.delete("a")));
      expect(error).toMatchObject({ _tag: "LookupFailed", source: "processes" });
      expect(yield* home.rows).toEqual(["a/1 running"]);
    }),
  );
});

describe("a kill that", () => {
  for (const [what, fault] of [
    ["is not answered", Fault.hang],
    ["says nothing", Fault.silent],
    ["is answered with garbage", Fault.refuse("what?\n")],
  ] as const) {
    it.scoped(`${what} to the bound is KillUnconfirmed, and a second delete finishes`, () =>
      Effect.gen(function* () {
        const home = yield* withSession();
        yield* home.tmux.inject({ fault, matches: kill, times: 999 });
        const error = yield* Effect.flip(pass(home.sessions.delete("a")));
        expect(error).toMatchObject({ _tag: "KillUnconfirmed", session: "a" });
        expect(yield* home.rows).toEqual(["a/1 deleting"]);
        yield* home.tmux.clearFaults;
        yield* pass(home.sessions.delete("a"));
        expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted"], []]);
      }),
    );
  }

  for (const [what, fault] of [
    ["is cut off once", Fault.silent],
    ["takes effect and is garbled", Fault.garbled],
    ["meets a server that dies behind it", Fault.crashAfter],
  ] as const) {
    it.scoped(`${what} is looked up behind a raised fence, and the delete is true`, () =>
      Effect.gen(function* () {
        const home = yield* withSession();
        yield* home.tmux.inject({ fault, matches: kill });
        yield* pass(home.sessions.delete("a"));
        expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted"], []]);
      }),
    );
  }

  it.scoped("has no effect is KillUnconfirmed at the bound, and no event tells of an end", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.linger(10_000);
      const error = yield* Effect.flip(pass(home.sessions.delete("a")));
      expect(error._tag).toBe("KillUnconfirmed");
      expect(home.store.events.at(-1)?.body).toMatchObject({ state: "deleting" });
    }),
  );

  it.scoped("takes effect late does nothing to a session that was made meanwhile", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.inject({ fault: Fault.lateEffect, matches: kill });
      yield* Effect.flip(pass(home.sessions.delete("a")));
      yield* pass(home.sessions.delete("a"));
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* home.tmux.release;
      yield* TestClock.adjust("1 second");
      expect(yield* home.inTmux).toEqual(["a"]);
    }),
  );
});

describe("a second delete, of one in doubt,", () => {
  for (const [first, second] of [
    [true, false],
    [false, true],
  ]) {
    const says = (spares: boolean | undefined) => (spares ? "spares" : "spares nothing");
    it.scoped(
      `that ${says(second)} is finished by its own word, the first one ${says(first)}`,
      () =>
        Effect.gen(function* () {
          const home = yield* withSession();
          const { incarnation } = yield* home.record("a");
          const environment = { TROUPE_INCARNATION: incarnation };
          yield* home.tmux.spawn({ parent: 1, program: "daemon", environment, ignoresHup: true });
          yield* home.tmux.inject({ fault: Fault.hang, matches: kill, times: 999 });
          for (const spareDetached of [first, second]) {
            const error = yield* Effect.flip(pass(home.sessions.delete("a", { spareDetached })));
            expect(error._tag).toBe("KillUnconfirmed");
          }
          yield* home.tmux.clearFaults;
          expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ after: "deleted" });
          expect((yield* living(home, "daemon")).length).toBe(second ? 1 : 0);
        }),
    );
  }
});

describe("a process that cannot be ended", () => {
  it.scoped("is named in ProcessesSurvived, and the row stays until it is gone", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const { incarnation } = yield* home.record("a");
      const environment = { TROUPE_INCARNATION: incarnation };
      const spec = { parent: 1, program: "daemon", environment, stuck: true };
      const daemon = yield* home.tmux.spawn(spec);
      const error = yield* Effect.flip(pass(home.sessions.delete("a")));
      expect(error).toMatchObject({ _tag: "ProcessesSurvived", pids: [daemon] });
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleting"], []]);
      yield* home.tmux.unstick(daemon);
      expect((yield* pass(home.sessions.delete("a"))).killed).toEqual([daemon]);
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );
});
