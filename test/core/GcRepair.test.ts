/**
 * GcRepair: what was cut off is finished before a gc judges it, and what fails stops nothing else.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, RegistryUnavailable } from "@troupe/core";
import { Effect } from "effect";
import { create, gc } from "./EndedHome.js";
import { fakeHome } from "./FakeHome.js";

describe("before a gc judges", () => {
  it.scoped("each name that has something due is reconciled, and a failure is told", () =>
    Effect.gen(function* () {
      let broken = false;
      const failure = new RegistryUnavailable({ session: "a", attempted: "claim", detail: "no" });
      const home = yield* fakeHome({
        registry: (store: Registry["Type"]) => ({
          ...store,
          claim: (session, how) =>
            broken && session === "a" ? failure : store.claim(session, how),
        }),
      });
      for (const name of ["a", "b", "c"]) yield* create(home, name);
      for (const name of ["a", "b"]) yield* home.tmux.client(["kill-session", "-t", `=${name}`]);
      broken = true;
      const { failed, kept, repaired } = yield* gc(home);
      expect(failed).toEqual([{ what: "session a", session: "a", failure }]);
      expect(repaired).toMatchObject([{ session: "b", before: "running", after: "lost" }]);
      expect(kept.map(({ what }) => what)).toContain("session a, generation 1");
      expect(yield* home.rows).toEqual(["a/1 running", "b/1 lost", "c/1 running"]);
    }),
  );

  it.scoped("a session that no row knows is left to a reconcile", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "a");
      home.store.records.clear();
      const { repaired } = yield* gc(home, { olderThanMs: 0 });
      expect([repaired, yield* home.rows, yield* home.inTmux]).toEqual([[], [], ["a"]]);
    }),
  );
});
