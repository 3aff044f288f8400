/**
 * KnownName: a name that nobody used is NotFound before any claim; a reconcile also takes one that
 * tmux has with the mark of this home.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

describe("a name", () => {
  it.scoped(
    "that nobody used is NotFound for every verb, takes no claim and asks tmux nothing",
    () =>
      Effect.gen(function* () {
        const { sessions, store, tmux } = yield* fakeHome();
        const calls: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          sessions.delete("a"),
          sessions.send("a", "x"),
          sessions.restore("a"),
        ];
        for (const call of calls) {
          expect(yield* Effect.flip(call)).toMatchObject({ _tag: "NotFound" });
        }
        expect(store.claims.size).toBe(0);
        expect(yield* tmux.requests).toEqual([]);
      }),
  );

  it.scoped("that only tmux knows can be reconciled, and a stranger's cannot", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* home.tmux.client(["new-session", "-d", "-s", "b", "--", "sleep", "1000"]);
      home.store.records.clear();
      expect(yield* Effect.flip(pass(home.sessions.reconcile("b")))).toMatchObject({
        _tag: "NotFound",
      });
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ changed: true });
    }),
  );
});
