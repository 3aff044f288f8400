/**
 * Plan: what a reconcile would do, told from one listing and one query, with nothing done.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, RegistryCorrupt, RegistryUnavailable } from "@troupe/core";
import { Effect } from "effect";
import { durable } from "./Arranged.js";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const create = (home: FakeHome, session: string) =>
  pass(home.sessions.create({ session, ...sleep }));

/** Somebody's session with this mark. */
const marked = Effect.fnUntraced(function* (home: FakeHome, name: string, incarnation: string) {
  yield* home.tmux.client(["new-session", "-d", "-s", name, "--", "sleep", "1000"]);
  for (const [option, value] of [
    ["@troupe-inc", incarnation],
    ["@troupe-home", "home1"],
    ["@troupe-gen", "3"],
  ] as const) {
    yield* home.tmux.client(["set-option", "-t", `=${name}:`, option, value]);
  }
});

describe("a plan", () => {
  it.scoped("tells each name with what would become of it and why, in one listing", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      for (const name of ["a", "b", "c"]) yield* create(home, name);
      yield* home.tmux.exitProgram("b", 0);
      yield* home.tmux.client(["kill-session", "-t", "=c"]);
      const [rows, requests] = [yield* durable(home), (yield* home.tmux.requests).length];
      const claims = JSON.stringify([...home.store.claims]);
      expect(yield* home.sessions.reconcilePlan).toMatchObject([
        { session: "a", outcome: { right: { changed: false, after: "running" } } },
        { session: "b", outcome: { right: { changed: true, after: "exited" } } },
        { session: "c", outcome: { right: { changed: true, after: "lost", why: "vanished" } } },
      ]);
      expect((yield* home.tmux.requests).length - requests).toBe(1);
      expect(yield* durable(home)).toEqual(rows);
      expect(JSON.stringify([...home.store.claims])).toBe(claims);
    }),
  );

  it.scoped("has late effects and sessions that no row knows in it, and nobody else's", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "a");
      const { incarnation } = yield* home.record("a");
      yield* pass(home.sessions.delete("a"));
      yield* marked(home, "ghost", incarnation);
      yield* marked(home, "orphan", "incarnation-99");
      yield* home.tmux.client(["new-session", "-d", "-s", "theirs", "--", "sleep", "1000"]);
      yield* marked(home, "others", "incarnation-98");
      yield* home.tmux.client(["set-option", "-t", "=others:", "@troupe-home", "home2"]);
      expect(yield* home.sessions.reconcilePlan).toMatchObject([
        {
          session: "a",
          outcome: { right: { after: "deleted", why: "it appeared after it was deleted" } },
        },
        { session: "orphan", outcome: { right: { generation: 3, after: "exited" } } },
      ]);
    }),
  );

  it.scoped("says of one that ended and lives on what generation left it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "a");
      const { incarnation } = yield* home.record("a");
      yield* pass(home.sessions.delete("a"));
      yield* create(home, "a");
      yield* marked(home, "ghost", incarnation);
      const [item] = yield* home.sessions.reconcilePlan;
      const why = "a program of it lives; ends what generation 1 left";
      expect(item?.outcome).toMatchObject({ right: { changed: true, after: "running", why } });
    }),
  );

  it.scoped("leaves alone what a living program holds, and says who", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "a");
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      for (const [name, claim] of home.store.claims) {
        home.store.claims.set(name, { ...claim, owner: "other" });
      }
      yield* home.store.declare("other", "alive");
      const [item] = yield* home.sessions.reconcilePlan;
      expect(item?.outcome).toMatchObject({ right: { changed: false, why: "held by other" } });
    }),
  );

  it.scoped("tells a row that cannot be read, and goes on past what cannot be looked up", () =>
    Effect.gen(function* () {
      const failure = new RegistryUnavailable({ session: null, attempted: "find", detail: "x" });
      const home = yield* fakeHome({
        registry: (store: Registry["Type"]) => ({
          ...store,
          find: (which) => (which === "incarnation-99" ? failure : store.find(which)),
          list: (options) =>
            Effect.map(store.list(options), (list) => ({
              ...list,
              unreadable: [{ session: "broken", detail: "not JSON" }],
            })),
        }),
      });
      yield* create(home, "a");
      yield* marked(home, "ghost", "incarnation-99");
      expect(yield* home.sessions.reconcilePlan).toMatchObject([
        { session: "a", outcome: { _tag: "Right" } },
        { session: "ghost", outcome: { left: { _tag: "RegistryUnavailable" } } },
        { session: "broken", outcome: { left: { _tag: "RegistryCorrupt", detail: "not JSON" } } },
      ]);
    }),
  );

  it.scoped("tells a row that cannot be read once, also where tmux shows its session", () =>
    Effect.gen(function* () {
      const damaged = { session: "broken", detail: "not JSON" };
      const home = yield* fakeHome({
        registry: (store: Registry["Type"]) => ({
          ...store,
          find: () => new RegistryCorrupt({ attempted: "find", ...damaged }),
          list: () => Effect.succeed({ records: [], unreadable: [damaged] }),
        }),
      });
      yield* marked(home, "broken", "incarnation-99");
      yield* marked(home, "ghost", "incarnation-98");
      expect(yield* home.sessions.reconcilePlan).toMatchObject([
        { session: "ghost", outcome: { left: { _tag: "RegistryCorrupt" } } },
        { session: "broken", outcome: { left: { _tag: "RegistryCorrupt", detail: "not JSON" } } },
      ]);
    }),
  );
});
