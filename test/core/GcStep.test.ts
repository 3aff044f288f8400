/**
 * GcStep: what gc does under the claim of a name rests on what is read and seen there, not on the
 * plan.
 */
import { describe, expect, it } from "@effect/vitest";
import type { GcReport, Registry } from "@troupe/core";
import { Effect, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const gc = (home: FakeHome, options = {}) => pass(home.sessions.gc(options));

const why = (report: GcReport, session: string) =>
  report.kept.find((item) => item.session === session)?.why;

/** Sessions whose programs ended, which was seen. */
const withExited = Effect.fnUntraced(function* (
  names: ReadonlyArray<string>,
  registry?: (store: Registry["Type"]) => Registry["Type"],
) {
  const home = yield* fakeHome({ registry });
  for (const session of names) {
    yield* pass(home.sessions.create({ session, ...sleep }));
    yield* home.tmux.exitProgram(session, 0);
  }
  yield* pass(home.sessions.reconcileAll);
  return home;
});

describe("a session whose programs ended", () => {
  it.scoped("is deleted when that is recorded for as long as was asked, with what it showed", () =>
    Effect.gen(function* () {
      const home = yield* withExited(["a"]);
      yield* TestClock.adjust("2 hours");
      const early = yield* gc(home, { exitedMs: 3 * 3_600_000 });
      expect(early.deleted).toEqual([]);
      expect(why(early, "a")).toBe("its programs ended 2 h ago, and not 3 h");
      const report = yield* gc(home, { exitedMs: 3_600_000 });
      expect(report.deleted).toMatchObject([{ what: "session a, generation 1", session: "a" }]);
      expect(why(report, "a")).toMatch(/^deleted .* ago, and kept for 7 d$/);
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted"], []]);
      expect([...home.snapshots.kept.keys()]).toEqual(["a/1-main"]);
    }),
  );

  it.scoped("is deleted and forgotten at once when every age is old enough", () =>
    Effect.gen(function* () {
      const home = yield* withExited(["a", "b"]);
      const report = yield* gc(home, { exitedMs: 0, olderThanMs: 0 });
      expect(report.deleted.map(({ session }) => session)).toEqual(["a", "b"]);
      expect([home.store.records.size, home.store.claims.size, report.server]).toEqual([
        0,
        0,
        "stopped",
      ]);
    }),
  );

  it.scoped("is left alone while a window that a user made in it runs something", () =>
    Effect.gen(function* () {
      const home = yield* withExited(["a"]);
      yield* home.tmux.client(["new-window", "-d", "-t", "=a:", "--", "sleep", "1000"]);
      const report = yield* gc(home, { exitedMs: 0, olderThanMs: 0 });
      expect([report.deleted, why(report, "a")]).toEqual([[], "a program runs in it"]);
      expect(yield* home.inTmux).toEqual(["a"]);
    }),
  );

  it.scoped("is left alone when its program was started again", () =>
    Effect.gen(function* () {
      const home = yield* withExited(["a"]);
      yield* home.tmux.client(["respawn-pane", "-t", "=a:", "--", "sleep", "1000"]);
      const report = yield* gc(home, { exitedMs: 0, olderThanMs: 0 });
      expect([report.deleted, why(report, "a")]).toEqual([[], "it is running"]);
      expect(report.repaired).toMatchObject([{ before: "exited", after: "running" }]);
    }),
  );

  it.scoped("is not deleted when somebody removed it from tmux: then it is lost", () =>
    Effect.gen(function* () {
      const home = yield* withExited(["a"]);
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      const report = yield* gc(home, { exitedMs: 0, olderThanMs: 0 });
      expect(report.deleted).toEqual([]);
      expect(why(report, "a")).toBe("it is lost: kept until it is restored or deleted");
      expect(yield* home.rows).toEqual(["a/1 lost"]);
    }),
  );

  it.scoped("that changed behind the plan is as old as that change", () =>
    Effect.gen(function* () {
      let touch: (() => void) | null = null;
      const registry = (store: Registry["Type"]): Registry["Type"] => ({
        ...store,
        // The step reads its own name alone.
        history: (session) =>
          Effect.suspend(() => {
            if (session !== null) touch?.();
            return store.history(session);
          }),
      });
      const home = yield* withExited(["a"], registry);
      yield* TestClock.adjust("2 hours");
      const record = yield* home.record("a");
      const updatedAt = record.updatedAt + 7_200_000;
      touch = () => void home.store.records.set(record.incarnation, { ...record, updatedAt });
      const report = yield* gc(home, { exitedMs: 3_600_000 });
      expect([report.deleted, yield* home.inTmux]).toEqual([[], ["a"]]);
      expect(why(report, "a")).toMatch(/and not 1 h$/);
    }),
  );

  for (const [what, act, reason] of [
    [
      "was removed from tmux",
      (home: FakeHome) => home.tmux.client(["kill-session", "-t", "=a"]),
      "tmux does not have it: vanished",
    ],
    [
      "was started again",
      (home: FakeHome) => home.tmux.client(["respawn-pane", "-t", "=a:", "--", "sleep", "1000"]),
      "a program runs in it",
    ],
    [
      "was deleted and made again",
      (home: FakeHome) =>
        Effect.gen(function* () {
          const other = yield* home.program("other");
          yield* other.delete("a", { graceMs: 0 });
          yield* other.create({ session: "a", ...sleep, startWindowMs: 0 });
        }),
      "deleted 0 ms ago, and kept for 7 d",
    ],
  ] as const) {
    it.scoped(`that ${what} behind the plan is left as it is then`, () =>
      Effect.gen(function* () {
        let between: Effect.Effect<unknown, unknown> | null = null;
        const registry = (store: Registry["Type"]): Registry["Type"] => ({
          ...store,
          history: (session) =>
            Effect.tap(store.history(session), ({ records }) => {
              const due = session === null && records.some(({ state }) => state === "exited");
              const now = due && reads++ === 1 ? between : null;
              return Effect.orDie(now ?? Effect.void);
            }),
        });
        let reads = 0;
        const home = yield* withExited(["a"], registry);
        reads = 0;
        between = Effect.scoped(act(home));
        const report = yield* gc(home, { exitedMs: 0 });
        expect(report.deleted).toEqual([]);
        expect(report.kept.map((item) => item.why)).toContain(reason);
      }),
    );
  }
});
