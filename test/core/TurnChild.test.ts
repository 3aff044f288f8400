/**
 * A turn that other processes run is over when all of them are gone, and the row names them.
 */
import { describe, expect, it } from "@effect/vitest";
import type { TurnHandle } from "@troupe/core";
import { Deferred, Effect, Exit, Fiber, Scope, TestClock } from "effect";
import { pass } from "./FakeHome.js";
import { runs, type TurnHome, turnHome } from "./TurnHome.js";

/** A process that could run a turn. */
const agentOf = Effect.fnUntraced(function* (home: TurnHome) {
  const pid = yield* home.tmux.spawn({ parent: 1, program: "agent" });
  const found = yield* home.processes.look(pid);
  return found === null ? yield* Effect.dieMessage("no child") : { child: found.id, pid };
});

describe("a turn that a child process runs", () => {
  it.scoped("is over when the child is gone, and not before, whoever waits for it", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, turns } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const { child, pid } = yield* agentOf(home);
      const turn = yield* Effect.fork(handle.runTurn((t) => t.child(child)));
      yield* TestClock.adjust("2 minutes");
      expect([yield* runs(turn), (yield* turns.activity).running]).toEqual([true, 1]);
      expect([...home.store.leases.values()][0]).toMatchObject({ children: [{ pid }] });
      yield* Fiber.interrupt(turn);
      const next = yield* Effect.fork(handle.runTurn(() => Effect.succeed("in")));
      yield* TestClock.adjust("1 second");
      expect(yield* runs(next)).toBe(true);
      yield* home.tmux.signal(pid, "KILL");
      yield* TestClock.adjust("1 second");
      expect(yield* pass(Fiber.join(next))).toBe("in");
      expect([...home.store.leases.values()][0]).toMatchObject({ children: [] });
    }),
  );

  it.scoped("is left to the child where its program closes, and its caller is answered", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const scope = yield* Scope.make();
      const { handles } = yield* Scope.extend(home.hosting("one"), scope);
      const handle = yield* handles.get("a");
      const { child, pid } = yield* agentOf(home);
      const turn = yield* Effect.fork(handle.runTurn((t) => Effect.as(t.child(child), "done")));
      yield* TestClock.adjust("1 minute");
      expect(yield* runs(turn)).toBe(true);
      yield* pass(Scope.close(scope, Exit.void));
      expect(yield* pass(Fiber.join(turn))).toBe("done");
      expect([...home.store.leases.values()][0]).toMatchObject({ children: [{ pid }] });
    }),
  );

  it.scoped("is over when all that it named are gone, whichever was named last", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a", { kind: "turn" });
      const [first, second] = [yield* agentOf(home), yield* agentOf(home)];
      const body = (turn: TurnHandle) =>
        Effect.zipRight(turn.child(first.child), turn.child(second.child));
      const turn = yield* Effect.fork(handle.runTurn(body));
      yield* TestClock.adjust("1 second");
      expect([...home.store.leases.values()][0]?.children).toEqual([first.child, second.child]);
      yield* home.tmux.signal(second.pid, "KILL");
      yield* TestClock.adjust("10 seconds");
      expect([yield* runs(turn), home.leased()]).toEqual([true, ["a 1 session"]]);
      yield* home.tmux.signal(first.pid, "KILL");
      yield* TestClock.adjust("1 second");
      yield* pass(Fiber.join(turn));
      expect(home.leased()).toEqual([]);
    }),
  );

  it.scoped("keeps its lease behind a close also for a child that it names only then", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const [first, second] = [yield* agentOf(home), yield* agentOf(home)];
      const closed = yield* Deferred.make<void>();
      const body = (turn: TurnHandle) =>
        Effect.uninterruptible(
          Effect.gen(function* () {
            yield* turn.child(first.child);
            yield* Deferred.await(closed);
            yield* turn.child(second.child);
          }),
        );
      const turn = yield* Effect.fork(handle.runTurn(body));
      yield* TestClock.adjust("1 second");
      yield* pass(Effect.exit(handle.end("explicit_close")));
      yield* Deferred.succeed(closed, undefined);
      yield* home.tmux.signal(first.pid, "KILL");
      yield* TestClock.adjust("65 minutes");
      expect([yield* runs(turn), home.leased().length]).toEqual([true, 1]);
      yield* home.tmux.signal(second.pid, "KILL");
      yield* TestClock.adjust("1 hour");
      expect([yield* runs(turn), home.leased()]).toEqual([false, []]);
    }),
  );

  it.scoped("names those that are left, and forgets those that are gone", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const agents = [yield* agentOf(home), yield* agentOf(home), yield* agentOf(home)];
      const named: Array<ReadonlyArray<number>> = [];
      const body = (turn: TurnHandle) =>
        Effect.gen(function* () {
          for (const { child, pid } of agents) {
            yield* turn.child(child);
            const [row] = home.store.leases.values();
            named.push(row?.children.map((one) => one.pid) ?? []);
            yield* home.tmux.signal(pid, "KILL");
          }
          yield* turn.child(null);
        });
      yield* pass(handle.runTurn(body));
      expect(named).toEqual(agents.map(({ pid }) => [pid]));
    }),
  );

  it.scoped("leaves the child to a sibling that takes the lease, whose turn lasts as long", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const { child, pid } = yield* agentOf(home);
      const first = yield* handles.get("a");
      yield* Effect.fork(Effect.exit(first.runTurn((t) => t.child(child))));
      yield* TestClock.adjust("1 second");
      const sibling = yield* handles.get("a", { anew: true });
      const body = (t: TurnHandle) => Effect.as(t.child(null), "in");
      const turn = yield* Effect.fork(sibling.runTurn(body));
      yield* TestClock.adjust("1 minute");
      expect([yield* runs(turn), home.leased()]).toEqual([true, ["a 2 session"]]);
      expect([...home.store.leases.values()][0]).toMatchObject({ children: [{ pid }] });
      yield* home.tmux.signal(pid, "KILL");
      yield* TestClock.adjust("1 second");
      expect(yield* pass(Fiber.join(turn))).toBe("in");
    }),
  );
});
