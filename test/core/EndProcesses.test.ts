/**
 * EndProcesses: what is asked with TERM, what gets KILL, and what is spared on request.
 *
 * Through a delete on the fake; the pids that it names as killed are those that did not go by
 * themselves.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** A session with a child in its pane, one in a process session of its own, and two that left. */
const setting = Effect.gen(function* () {
  const home = yield* fakeHome();
  const made = yield* pass(home.sessions.create({ session: "a", ...sleep }));
  const pane = made.terminals[0]?.panePid ?? 0;
  const environment = { TROUPE_INCARNATION: made.incarnation };
  const spawn = (parent: number, leader?: number) =>
    home.tmux.spawn({
      parent,
      program: "x",
      environment,
      ignoresHup: true,
      ...(leader ? { leader } : {}),
    });
  const child = yield* spawn(pane, pane);
  const ownSession = yield* spawn(pane);
  const doubleFork = yield* spawn(1, pane);
  const daemon = yield* spawn(1);
  return { home, pane, child, left: [ownSession, doubleFork, daemon] };
});

const living = (home: FakeHome, pids: ReadonlyArray<number>) =>
  Effect.map(home.tmux.processes, (all) =>
    all.filter((p) => p.state === "running" && pids.includes(p.pid)).map(({ pid }) => pid),
  );

/**
 * A session in whose start window two processes were recorded that do not bear its mark: one stays
 * in the pane, the shell of the other has ended since.
 */
const recordedEarly = Effect.gen(function* () {
  const home = yield* fakeHome();
  const spec = { session: "a", ...sleep, startWindowMs: 5000 };
  const creating = yield* Effect.fork(home.sessions.create(spec));
  yield* TestClock.adjust("1 second");
  const pane = (yield* home.tmux.processes).find((p) => p.program === "sleep")?.pid ?? 0;
  const inPane = { leader: pane, ignoresHup: true };
  const shell = yield* home.tmux.spawn({ ...inPane, parent: pane, program: "shell" });
  const stayer = yield* home.tmux.spawn({ ...inPane, parent: pane, program: "stayer" });
  const left = yield* home.tmux.spawn({ ...inPane, parent: shell, program: "left" });
  yield* TestClock.adjust("10 seconds");
  yield* Fiber.join(creating);
  expect((yield* home.record("a")).processes.map((p) => p.pid)).toContain(left);
  yield* home.tmux.signal(shell, "KILL");
  return { home, stayer, left };
});

const spare = { spareDetached: true };
const kill = (request: TmuxRequest): boolean => String(request.stdin).includes("kill-session");

describe("a delete that spares what left the session", () => {
  it.scoped("ends what is in the panes, and neither a process session nor a double fork", () =>
    Effect.gen(function* () {
      const { child, home, left } = yield* setting;
      yield* pass(home.sessions.delete("a", spare));
      expect(yield* living(home, [child, ...left])).toEqual(left);
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );

  it.scoped("is finished by a reconcile that spares the same", () =>
    Effect.gen(function* () {
      const { child, home, left } = yield* setting;
      yield* home.tmux.inject({ fault: Fault.hang, matches: kill, times: 99 });
      expect((yield* Effect.flip(pass(home.sessions.delete("a", spare))))._tag).toBe(
        "KillUnconfirmed",
      );
      yield* home.tmux.clearFaults;
      yield* pass(home.sessions.reconcile("a"));
      expect(yield* living(home, [child, ...left])).toEqual(left);
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );

  for (const finish of ["delete", "reconcile"] as const) {
    it.scoped(`ends what it named when a ${finish} finishes it, and nothing that it spared`, () =>
      Effect.gen(function* () {
        const { home, stayer, left } = yield* recordedEarly;
        yield* home.tmux.inject({ fault: Fault.silent, matches: kill, times: 10_000 });
        yield* Effect.flip(pass(home.sessions.delete("a", spare)));
        yield* home.tmux.clearFaults;
        const again = Effect.asVoid(home.sessions.delete("a", spare));
        const reconcile = Effect.asVoid(home.sessions.reconcile("a"));
        yield* pass(finish === "delete" ? again : reconcile);
        expect(yield* living(home, [stayer, left])).toEqual([left]);
      }),
    );
  }

  it.scoped("spares what left also behind a delete that did not, which it would have ended", () =>
    Effect.gen(function* () {
      const { home, stayer, left } = yield* recordedEarly;
      yield* home.tmux.inject({ fault: Fault.silent, matches: kill, times: 10_000 });
      yield* Effect.flip(pass(home.sessions.delete("a")));
      yield* home.tmux.clearFaults;
      yield* pass(home.sessions.delete("a", spare));
      expect(yield* living(home, [stayer, left])).toEqual([left]);
    }),
  );

  it.scoped("and is in doubt has spared nothing for a delete that spares nothing", () =>
    Effect.gen(function* () {
      const { home, stayer, left } = yield* recordedEarly;
      yield* home.tmux.inject({ fault: Fault.silent, matches: kill, times: 10_000 });
      yield* Effect.flip(pass(home.sessions.delete("a", spare)));
      yield* home.tmux.clearFaults;
      yield* pass(home.sessions.delete("a"));
      expect(yield* living(home, [stayer, left])).toEqual([]);
    }),
  );

  it.scoped("is finished by a delete of its last terminal that spares the same", () =>
    Effect.gen(function* () {
      const { child, home, left } = yield* setting;
      yield* home.tmux.inject({ fault: Fault.hang, matches: kill, times: 99 });
      yield* Effect.flip(pass(home.sessions.delete("a", spare)));
      yield* home.tmux.clearFaults;
      const told = yield* pass(home.sessions.deleteTerminal("a", "main"));
      expect(told).toMatchObject({ sessionDeleted: true });
      expect(yield* living(home, [child, ...left])).toEqual(left);
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );

  it.scoped("and was cut off is finished without sparing by a delete that does not say so", () =>
    Effect.gen(function* () {
      const { child, home, left } = yield* setting;
      yield* home.tmux.inject({ fault: Fault.hang, matches: kill, times: 99 });
      yield* Effect.flip(pass(home.sessions.delete("a", spare)));
      yield* home.tmux.clearFaults;
      yield* pass(home.sessions.delete("a"));
      expect(yield* living(home, [child, ...left])).toEqual([]);
    }),
  );
});

describe("a delete that does not", () => {
  it.scoped("ends all of them, and names those that did not go by themselves", () =>
    Effect.gen(function* () {
      const { child, home, left } = yield* setting;
      const { killed } = yield* pass(home.sessions.delete("a"));
      expect(yield* living(home, [child, ...left])).toEqual([]);
      expect(killed).toEqual(expect.arrayContaining(left.slice(0, 1)));
    }),
  );
});
