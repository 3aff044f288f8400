/**
 * GcDryRun: a dry run tells what the real one then does, and changes nothing.
 */
import { describe, expect, it } from "@effect/vitest";
import type { GcReport } from "@troupe/core";
import { Effect } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** Everything that outlives a program, as text. */
const everything = (home: FakeHome) =>
  Effect.gen(function* () {
    const { claims, events, records, requests, servers } = home.store;
    const rows = [[...records], [...claims], [...requests], servers, events];
    return JSON.stringify([rows, [...home.snapshots.kept], yield* home.inTmux]);
  });

const shape = ({ deleted, failed, forgotten, repaired, server }: GcReport) => ({
  deleted: deleted.map(({ what }) => what),
  forgotten: forgotten.map(({ what }) => what).sort(),
  failed,
  repaired: repaired.map(({ after, session }) => [session, after]),
  server,
});

const homes: ReadonlyArray<
  readonly [string, (home: FakeHome) => Effect.Effect<unknown, unknown>, object]
> = [
  ["on which nothing ever ran", () => Effect.void, {}],
  [
    "with ended sessions and a server that is empty then",
    (home) =>
      Effect.gen(function* () {
        for (const session of ["a", "b"]) {
          yield* pass(home.sessions.create({ session, ...sleep }));
          yield* pass(home.sessions.delete(session));
        }
        yield* home.tmux.client(["set-option", "-s", "@troupe-fence-a", "2"]);
      }),
    { olderThanMs: 0 },
  ],
  [
    "with a session that exited",
    (home) =>
      Effect.gen(function* () {
        for (const session of ["a", "b", "a2"]) {
          yield* pass(home.sessions.create({ session, ...sleep }));
        }
        yield* home.tmux.exitProgram("a", 0);
        yield* pass(home.sessions.delete("a2"));
        yield* pass(home.sessions.reconcileAll);
      }),
    { olderThanMs: 0, exitedMs: 0 },
  ],
  [
    "with a session that vanished unseen, and a fence",
    (home) =>
      Effect.gen(function* () {
        for (const session of ["a", "b"]) {
          yield* pass(home.sessions.create({ session, ...sleep }));
        }
        yield* pass(home.sessions.delete("a"));
        yield* home.tmux.client(["set-option", "-s", "@troupe-fence-a", "2"]);
        yield* home.tmux.client(["new-session", "-d", "-s", "x", "--", "sleep", "1000"]);
        yield* home.tmux.client(["kill-session", "-t", "=b"]);
      }),
    { olderThanMs: 0 },
  ],
];

describe.each(homes)("of a home %s, a dry run", (_, arrange, options) => {
  it.scoped("does nothing, and tells what the real one does", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* Effect.orDie(arrange(home));
      const before = yield* everything(home);
      const told = yield* pass(home.sessions.gc({ ...options, dryRun: true }));
      expect(yield* everything(home)).toBe(before);
      expect(told.dryRun).toBe(true);
      const real = yield* pass(home.sessions.gc(options));
      expect(shape(told)).toEqual(shape(real));
    }),
  );
});

describe("a dry run", () => {
  it.scoped("fails where tmux cannot be asked, and says nothing of any session", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* home.tmux.denySocket(true);
      const failure = yield* Effect.flip(pass(home.sessions.gc({ dryRun: true })));
      expect(failure._tag).toBe("LookupFailed");
    }),
  );
});
