/**
 * Children of one turn that are named while another is written down, or is looked at: all count,
 * also for whoever comes when the program is dead.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  AwakeMillis,
  childOwner,
  type ProcessId,
  type Registry,
  type RunningTurn,
  type TurnHandle,
  TurnId,
} from "@troupe/core";
import { Deferred, Effect, FiberId, TestClock } from "effect";
import { childrenGone } from "../../packages/core/src/TurnChild.js";
import { runs, type TurnHome, told, turnHome } from "./TurnHome.js";

const childOf = Effect.fnUntraced(function* (home: TurnHome) {
  const pid = yield* home.tmux.spawn({ parent: 1, program: "agent" });
  const found = yield* home.processes.look(pid);
  return found === null ? yield* Effect.dieMessage("no child") : found.id;
});

const turnOf = (child: ProcessId): RunningTurn => ({
  id: TurnId.make("turn"),
  startedAt: AwakeMillis(0),
  lastActivity: AwakeMillis(0),
  fiber: null,
  cause: null,
  settlesBy: null,
  children: [child],
  isOver: false,
  settled: Deferred.unsafeMake(FiberId.none),
});

/** A registry whose first write of one child alone comes late. */
const slowOnce = () => {
  let isSlow = true;
  return (registry: Registry["Type"]): Registry["Type"] => ({
    ...registry,
    writeLease: (lease, note) => {
      const write = registry.writeLease(lease, note);
      if (!isSlow || note.children?.length !== 1) return write;
      isSlow = false;
      return Effect.zipRight(Effect.sleep(300), write);
    },
  });
};

describe("two children of one turn", () => {
  it.scoped("are both in the row, also where the first is written down late", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({ registry: slowOnce() });
      const handle = yield* (yield* home.hosting("one")).handles.get("a");
      const [first, second] = [yield* childOf(home), yield* childOf(home)];
      const body = (turn: TurnHandle) =>
        Effect.zipRight(
          Effect.forEach(
            [first, second],
            (child, at) => Effect.zipRight(Effect.sleep(10 * at), turn.child(child)),
            { concurrency: "unbounded" },
          ),
          Effect.sleep("1 hour"),
        );
      yield* Effect.forkScoped(Effect.exit(handle.runTurn(body)));
      yield* TestClock.adjust("2 seconds");
      const [row] = home.store.leases.values();
      expect(row?.children).toEqual([first, second]);
      yield* home.store.declare(row?.owner ?? "", "dead");
      yield* home.tmux.signal(first.pid, "KILL");
      yield* home.store.declare(childOwner(first), "dead");
      const other = yield* (yield* home.hosting("two")).handles.get("a");
      const turn = yield* Effect.fork(told(other.runTurn(() => Effect.succeed("ran"))));
      yield* TestClock.adjust("1 second");
      expect(yield* turn.await).toMatchObject({ value: "LeaseHeld" });
    }),
  );

  it.scoped("are both waited for, also where the second is named during a look at the first", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const [first, second] = [yield* childOf(home), yield* childOf(home)];
      const turn = turnOf(first);
      const look = (pid: number) =>
        Effect.suspend(() => {
          if (turn.children.length === 1) turn.children = [first, second];
          return home.processes.look(pid);
        });
      yield* home.tmux.signal(first.pid, "KILL");
      const processes = { ...home.processes, look };
      const over = yield* Effect.fork(childrenGone({ processes }, turn));
      yield* TestClock.adjust("1 second");
      expect(yield* runs(over)).toBe(true);
      yield* home.tmux.signal(second.pid, "KILL");
      yield* TestClock.adjust("1 second");
      expect(yield* runs(over)).toBe(false);
    }),
  );
});
