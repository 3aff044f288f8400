/**
 * RestoreHomes: homes with a session that is to be restored, each reached by the real flows.
 *
 * The row says already what became of the session: a reconcile has been there.
 */
import { expect } from "@effect/vitest";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** Whether the list makes a session. */
export const creation = (request: TmuxRequest): boolean =>
  String(request.stdin).includes("new-session");

/** Whether the list kills one. */
export const kill = (request: TmuxRequest): boolean => request.attempted === "kill";

/** Makes the session, with more of it. */
export const create = (home: FakeHome, options: object = {}) =>
  pass(home.sessions.create({ session: "a", ...sleep, ...options }));

/** A session that was running when its server died; a program of it that ignores HUP lives on. */
export const lost = Effect.fnUntraced(function* (options: Parameters<typeof fakeHome>[0] = {}) {
  const home = yield* fakeHome(options);
  yield* create(home, { cwd: "/repo", columns: 101, rows: 33 });
  yield* home.tmux.crash;
  yield* pass(home.sessions.reconcile("a"));
  expect(yield* home.rows).toEqual(["a/1 lost"]);
  return home;
});

/** A session whose program has ended with 3. */
export const exited = Effect.fnUntraced(function* (options: Parameters<typeof fakeHome>[0] = {}) {
  const home = yield* fakeHome(options);
  yield* create(home);
  yield* home.tmux.exitProgram("a", 3);
  yield* pass(home.sessions.reconcile("a"));
  expect(yield* home.rows).toEqual(["a/1 exited"]);
  return home;
});
