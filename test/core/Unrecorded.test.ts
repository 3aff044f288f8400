/**
 * Unrecorded: a registry that was lost while the server and its sessions live: nobody is told that
 * there is nothing, and a reconcile takes up what is there.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** Session `a`, of which no row tells any more. */
const lost = Effect.gen(function* () {
  const home = yield* fakeHome();
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  home.store.records.clear();
  home.store.claims.clear();
  home.store.servers.length = 0;
  return home;
});

const unclear = { _tag: "LookupFailed", source: "tmux", reason: "unclear" };

const verbs = {
  get: ({ sessions }: FakeHome) => sessions.get("a"),
  delete: ({ sessions }: FakeHome) => sessions.delete("a"),
  send: ({ sessions }: FakeHome) => sessions.send("a", "x"),
  restore: ({ sessions }: FakeHome) => sessions.restore("a"),
} as const;

describe("where the registry was lost and the server answers", () => {
  for (const [name, verb] of Object.entries(verbs)) {
    it.scoped(`${name} does not say that there is no such session`, () =>
      Effect.gen(function* () {
        const home = yield* lost;
        const error = yield* Effect.flip(pass<unknown, object, never>(verb(home)));
        expect(error).toMatchObject({ ...unclear, session: "a" });
        expect([yield* home.rows, yield* home.inTmux]).toEqual([[], ["a"]]);
      }),
    );
  }

  it.scoped("a list does not say that there are none, and names them", () =>
    Effect.gen(function* () {
      const home = yield* lost;
      const { sessions, unasked } = yield* home.sessions.list();
      expect([sessions, unasked]).toMatchObject([[], unclear]);
      expect(unasked?.detail).toMatch(/: a$/);
    }),
  );

  it.scoped("another name is not there all the same", () =>
    Effect.gen(function* () {
      const home = yield* lost;
      const error = yield* Effect.flip(home.sessions.delete("b"));
      expect(error).toMatchObject({ _tag: "NotFound", session: "b" });
    }),
  );

  it.scoped("a create of the name does not call it a stranger's, nor make a second one", () =>
    Effect.gen(function* () {
      const home = yield* lost;
      for (const replace of [false, true]) {
        const create = home.sessions.create({ session: "a", ...sleep, replace });
        const error = yield* Effect.flip(pass(create));
        expect(error).toMatchObject({ _tag: "AlreadyExists", state: "unrecorded" });
      }
      expect([yield* home.rows, yield* home.inTmux]).toEqual([[], ["a"]]);
    }),
  );

  it.scoped("a reconcile takes them up, and everything is as it was", () =>
    Effect.gen(function* () {
      const home = yield* lost;
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.sessions.list()).toMatchObject({ unasked: null });
      expect((yield* pass(home.sessions.delete("a"))).alreadyGone).toBe(false);
      expect(yield* home.sessions.list()).toMatchObject({ sessions: [], unasked: null });
    }),
  );
});
