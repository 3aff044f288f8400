/**
 * EndProcesses: what is asked with TERM, what gets KILL, and what is spared on request.
 *
 * Through a delete on the fake; the pids that it names as killed are those that did not go by
 * themselves.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
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
