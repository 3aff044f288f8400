/**
 * ReconcileAll beside another program that does the same at this moment.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
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
});
