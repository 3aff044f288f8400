/**
 * ReconcileAll beside another program that does the same at this moment, or died before.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { arranged } from "./Arranged.js";
import { fakeHome, pass, sleep } from "./FakeHome.js";

describe("a reconcile of all", () => {
  it.scoped("leaves alone what a living program is adopting, and says so", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      home.store.records.clear();
      for (const [name, claim] of home.store.claims) {
        home.store.claims.set(name, { ...claim, owner: "other" });
      }
      yield* home.store.declare("other", "alive");
      const items = yield* pass(home.sessions.reconcileAll);
      const right = { before: "running", after: "running", changed: false, why: "held by other" };
      expect(items).toMatchObject([{ session: "a", outcome: { _tag: "Right", right } }]);
      yield* home.store.declare("other", "dead");
      expect(yield* pass(home.sessions.reconcileAll)).toMatchObject([
        { outcome: { right: { changed: true, why: "adopted: no row knew it" } } },
      ]);
    }),
  );

  it.scoped("bars what a program that died asked of tmux, also where nothing is to be done", () =>
    Effect.gen(function* () {
      const home = yield* arranged("exited", "present, its program ended", "dead");
      const fences = Effect.map(home.tmux.requests, (all) =>
        all.filter(({ stdin }) => String(stdin).includes("@troupe-fence-a ")),
      );
      const before = (yield* fences).length;
      const items = yield* pass(home.sessions.reconcileAll);
      expect(items).toMatchObject([{ outcome: { right: { after: "exited", changed: false } } }]);
      expect([...home.store.claims.values()].map(({ owner }) => owner)).toEqual([null]);
      expect((yield* fences).length).toBe(before + 1);
      yield* pass(home.sessions.reconcileAll);
      expect((yield* fences).length).toBe(before + 1);
    }),
  );
});
