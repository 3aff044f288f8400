/**
 * GcSurvey: beside sessions a gc reads the server, which ends when nothing is in it, and files,
 * which go when no row knows them.
 */
import { describe, expect, it } from "@effect/vitest";
import { IncarnationId, type OutputFiles, type Registry } from "@troupe/core";
import { Effect, TestClock } from "effect";
import { create, gc, remove, whats, why, withEnded } from "./EndedHome.js";
import { sleep } from "./FakeHome.js";

describe("a server", () => {
  it.scoped("that is empty is ended, and with it goes what its fences kept", () =>
    Effect.gen(function* () {
      const home = yield* withEnded(["a"]);
      yield* home.tmux.client(["set-option", "-s", "@troupe-fence-a", "2"]);
      const kept = yield* gc(home, { olderThanMs: 0 });
      expect(whats(kept.forgotten)).toEqual(["session a, generation 1"]);
      expect(why(kept, "claim of a")).toMatch(/^its fence stands in tmux server [0-9]+/);
      expect([...home.store.claims.keys()].sort()).toEqual(["a", "runs"]);
      yield* remove(home, "runs");
      const report = yield* gc(home, { olderThanMs: 0 });
      expect(report.server).toBe("stopped");
      expect(whats(report.forgotten)).toEqual([
        "session runs, generation 1",
        "claim of a",
        "claim of runs",
      ]);
      expect([home.store.claims.size, home.store.records.size]).toEqual([0, 0]);
      expect((yield* gc(home, { olderThanMs: 0 })).server).toBe("none");
    }),
  );

  it.scoped("that has only sessions of others is kept, and so are they", () =>
    Effect.gen(function* () {
      const home = yield* withEnded([]);
      yield* home.tmux.client(["new-session", "-d", "-s", "theirs", "--", "sleep", "1000"]);
      yield* remove(home, "runs");
      const report = yield* gc(home, { olderThanMs: 0 });
      expect(report.server).toBe("kept");
      expect(yield* home.inTmux).toEqual(["theirs"]);
      expect(home.store.claims.size).toBe(0);
    }),
  );

  it.scoped("that died is forgotten with the last row of it", () =>
    Effect.gen(function* () {
      const home = yield* withEnded(["a"]);
      yield* home.tmux.crash;
      yield* create(home, "b");
      expect(home.store.servers.length).toBe(2);
      yield* gc(home, { olderThanMs: 0 });
      expect(home.store.servers.length).toBe(2);
      yield* remove(home, "runs");
      yield* gc(home, { olderThanMs: 0 });
      expect(home.store.servers.length).toBe(1);
    }),
  );
});

describe("files that no row knows", () => {
  const orphan = IncarnationId.make("incarnation-99");

  const withOrphan = (seen: { removed: boolean }) => ({
    output: (files: OutputFiles["Type"]): OutputFiles["Type"] => ({
      ...files,
      left: Effect.map(files.left, (left) =>
        seen.removed ? left : [...left, { incarnation: orphan, at: 0 }],
      ),
      remove: (incarnation) =>
        Effect.sync(() => {
          seen.removed ||= incarnation === orphan;
        }),
    }),
  });

  it.scoped(
    "are listed before rows are read: those of what is made meanwhile have one by then",
    () =>
      Effect.gen(function* () {
        let meanwhile: Effect.Effect<void> = Effect.void;
        const home = yield* withEnded([], {
          output: (files) => ({
            ...files,
            left: Effect.suspend(() => Effect.zipRight(meanwhile, files.left)),
          }),
        });
        const late = { session: "late", ...sleep, startWindowMs: 0 };
        meanwhile = Effect.orDie(Effect.asVoid(home.sessions.create(late)));
        const { forgotten } = yield* gc(home, { olderThanMs: 0 });
        expect(whats(forgotten)).toEqual([]);
      }),
  );

  it.scoped("go when they are old, and stay while they are new", () =>
    Effect.gen(function* () {
      const seen = { removed: false };
      const home = yield* withEnded(["a"], withOrphan(seen));
      const [[place, kept] = []] = home.snapshots.kept;
      if (place === undefined || kept === undefined) throw new Error("nothing was kept");
      home.snapshots.kept.set("loose", { ...kept, generation: 9 });
      const early = yield* gc(home);
      expect(whats(early.kept)).toContain("snapshots of a, generation 9");
      expect(why(early, `output of ${orphan}`)).toMatch(
        /^no row knows it, and it is .* old, not 7 d$/,
      );
      yield* TestClock.adjust("8 days");
      const late = yield* gc(home);
      expect(whats(late.forgotten)).toEqual([
        "session a, generation 1",
        "snapshots of a, generation 9",
        `output of ${orphan}`,
        "claim of a",
      ]);
      expect([seen.removed, home.snapshots.kept.size]).toEqual([true, 0]);
    }),
  );

  it.scoped(
    "stay where the registry was lost, and a server out of reach may have their session",
    () =>
      Effect.gen(function* () {
        const seen = { removed: false };
        const home = yield* withEnded([], withOrphan(seen));
        const { claims, records, servers } = home.store;
        for (const table of [claims, records]) table.clear();
        servers.length = 0;
        yield* home.tmux.unlinkSocket;
        const server = (yield* home.tmux.processes).find((p) =>
          p.program.startsWith("tmux: server"),
        );
        server?.handlers.set("USR1", () => undefined);
        for (const dryRun of [true, false]) {
          const failure = yield* Effect.flip(gc(home, { olderThanMs: 0, dryRun }));
          expect(failure).toMatchObject({ _tag: "LookupFailed", reason: "split-server" });
        }
        expect(seen.removed).toBe(false);
        yield* home.tmux.signal(server?.pid ?? 0, "KILL");
        expect(whats((yield* gc(home, { olderThanMs: 0 })).forgotten)).toContain(
          `output of ${orphan}`,
        );
      }),
  );

  it.scoped("stay while tmux shows their session, or a row cannot be read", () =>
    Effect.gen(function* () {
      const seen = { removed: false };
      let damaged = false;
      const registry = (store: Registry["Type"]): Registry["Type"] => ({
        ...store,
        history: (session) =>
          Effect.map(store.history(session), (history) => ({
            ...history,
            unreadable: damaged ? [{ session: "broken", detail: "not JSON" }] : [],
          })),
      });
      const home = yield* withEnded([], { ...withOrphan(seen), registry });
      yield* home.tmux.client(["new-session", "-d", "-s", "x", "--", "sleep", "1000"]);
      yield* home.tmux.client(["set-option", "-t", "=x:", "@troupe-inc", orphan]);
      const shown = yield* gc(home, { olderThanMs: 0 });
      // Of no home that it names: nothing adopts it.
      expect(whats(shown.forgotten)).toEqual([`output of ${orphan}`]);
      seen.removed = false;
      for (const [option, value] of [
        ["@troupe-home", "home2"],
        ["@troupe-gen", "1"],
      ] as const) {
        yield* home.tmux.client(["set-option", "-t", "=x:", option, value]);
      }
      const marked = yield* gc(home, { olderThanMs: 0 });
      expect(why(marked, `output of ${orphan}`)).toContain("tmux shows its session");
      yield* home.tmux.client(["kill-session", "-t", "=x"]);
      damaged = true;
      const unread = yield* gc(home, { olderThanMs: 0 });
      expect(why(unread, `output of ${orphan}`)).toContain("a row that cannot be read");
      expect(why(unread, "a row of broken")).toBe("it cannot be read: not JSON");
      expect(seen.removed).toBe(false);
    }),
  );
});
