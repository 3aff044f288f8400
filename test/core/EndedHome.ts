/**
 * EndedHome: a fake home in which sessions have ended, for the tests of gc.
 *
 * The sessions that ended were made and deleted by the real flows; one more runs.
 */
import type { GcReport } from "@troupe/core";
import type { FakeMachineOptions } from "@troupe/testing";
import { Effect } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** Makes a session that lives for ever. */
export const create = (home: FakeHome, session: string) =>
  pass(home.sessions.create({ session, ...sleep }));

/** Deletes it. */
export const remove = (home: FakeHome, session: string) => pass(home.sessions.delete(session));

/** A home in which these sessions were created and deleted, and one more runs. */
export const withEnded = Effect.fnUntraced(function* (
  ended: ReadonlyArray<string>,
  options: FakeMachineOptions = {},
) {
  const home = yield* fakeHome(options);
  yield* create(home, "runs");
  for (const session of ended) {
    yield* create(home, session);
    yield* remove(home, session);
  }
  return home;
});

/** Collects. */
export const gc = (home: FakeHome, options = {}) => pass(home.sessions.gc(options));

/** What the items are of. */
export const whats = (items: GcReport["kept"]) => items.map(({ what }) => what);
/** Why it was kept. */
export const why = (report: GcReport, what: string) =>
  report.kept.find((item) => item.what === what)?.why;
