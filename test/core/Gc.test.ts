/**
 * Gc: what ended long ago is forgotten with all that was kept of it, and everything else stays and
 * says why.
 */
import { describe, expect, it } from "@effect/vitest";
import { LookupFailed, type OutputFiles, type Registry, RegistryUnavailable } from "@troupe/core";
import { Effect, TestClock } from "effect";
import { durable } from "./Arranged.js";
import { create, gc, remove, whats, why, withEnded } from "./EndedHome.js";
import { type FakeHome, pass, sleep } from "./FakeHome.js";

const claim = (home: FakeHome, session: string, owner: string) => {
  for (const [name, row] of home.store.claims) {
    if (name === session) home.store.claims.set(name, { ...row, owner });
  }
};

describe("a session that ended", () => {
  it.scoped("is forgotten whole when that is long ago, and its name with it", () =>
    Effect.gen(function* () {
      const home = yield* withEnded([]);
      yield* pass(home.sessions.create({ session: "a", ...sleep, requestId: "once" }));
      const { incarnation } = yield* home.record("a");
      yield* remove(home, "a");
      expect(home.snapshots.kept.size).toBe(1);
      const report = yield* gc(home, { olderThanMs: 0 });
      expect(whats(report.forgotten)).toEqual(["session a, generation 1", "claim of a"]);
      expect(report.failed).toEqual([]);
      expect(yield* home.rows).toEqual(["runs/1 running"]);
      expect([...home.store.claims.keys()]).toEqual(["runs"]);
      expect([home.store.requests.size, home.snapshots.kept.size]).toEqual([0, 0]);
      // The newest event of all alone is of it still.
      const of = home.store.events.filter((event) => event.incarnation === incarnation);
      expect(of).toEqual(home.store.events.slice(-1));
      expect(yield* Effect.flip(home.sessions.get("a"))).toMatchObject({ _tag: "NotFound" });
    }),
  );

  it.scoped("is kept for a week when nothing is said, and for as long as is said", () =>
    Effect.gen(function* () {
      const home = yield* withEnded(["a"]);
      yield* TestClock.adjust("6 days");
      const early = yield* gc(home);
      expect(early.forgotten).toEqual([]);
      expect(why(early, "session a, generation 1")).toBe("deleted 6 d ago, and kept for 7 d");
      const asked = yield* gc(home, { olderThanMs: 30 * 86_400_000 });
      expect(asked.forgotten).toEqual([]);
      yield* TestClock.adjust("1 day");
      expect(whats((yield* gc(home)).forgotten)).toContain("session a, generation 1");
    }),
  );

  it.scoped("is forgotten while its name is used again, which is not touched", () =>
    Effect.gen(function* () {
      const home = yield* withEnded(["a"]);
      yield* create(home, "a");
      const before = yield* home.record("a");
      const report = yield* gc(home, { olderThanMs: 0 });
      expect(whats(report.forgotten)).toEqual(["session a, generation 1"]);
      expect(yield* home.rows).toEqual(["runs/1 running", "a/2 running"]);
      const { claim: _, ...after } = yield* home.record("a");
      expect(before).toMatchObject(after);
      yield* remove(home, "a");
      yield* create(home, "a");
      expect((yield* home.record("a")).generation).toBe(3);
    }),
  );

  it.scoped("and that tmux shows again is ended first, and then forgotten", () =>
    Effect.gen(function* () {
      const home = yield* withEnded(["a"]);
      const { incarnation } = yield* home.record("a");
      yield* home.tmux.client(["new-session", "-d", "-s", "ghost", "--", "sleep", "1000"]);
      for (const [option, value] of [
        ["@troupe-inc", incarnation],
        ["@troupe-home", "home1"],
        ["@troupe-gen", "1"],
      ] as const) {
        yield* home.tmux.client(["set-option", "-t", "=ghost:", option, value]);
      }
      const report = yield* gc(home, { olderThanMs: 0 });
      expect(report.repaired).toMatchObject([{ session: "a", changed: true }]);
      expect(whats(report.forgotten)).toContain("session a, generation 1");
      expect(yield* home.inTmux).toEqual(["runs"]);
    }),
  );

  it.scoped("by a delete that was cut off is ended first, and is new then", () =>
    Effect.gen(function* () {
      const home = yield* withEnded([]);
      yield* create(home, "a");
      const record = yield* home.record("a");
      home.store.records.set(record.incarnation, { ...record, state: "deleting" });
      const report = yield* gc(home);
      expect(report.repaired).toMatchObject([{ session: "a", after: "deleted" }]);
      expect(why(report, "session a, generation 1")).toMatch(/^deleted .* ago, and kept for 7 d$/);
      expect(yield* home.inTmux).toEqual(["runs"]);
    }),
  );
});

describe("what does not go", () => {
  it.scoped("is what runs, what is lost, and what exited when nothing else was said", () =>
    Effect.gen(function* () {
      const home = yield* withEnded([]);
      for (const session of ["exits", "vanishes"]) yield* create(home, session);
      yield* home.tmux.exitProgram("exits", 0);
      yield* home.tmux.client(["kill-session", "-t", "=vanishes"]);
      yield* pass(home.sessions.reconcileAll);
      yield* TestClock.adjust("12 hours");
      const before = yield* durable(home);
      const report = yield* gc(home, { olderThanMs: 0 });
      expect([report.forgotten, report.deleted, report.failed]).toEqual([[], [], []]);
      expect(report.kept.map(({ session, why }) => [session, why])).toEqual([
        ["exits", "its programs ended 12 h ago; it is kept until it is deleted"],
        ["runs", "it is running"],
        ["vanishes", "it is lost: kept until it is restored or deleted"],
        [null, "it has a session"],
      ]);
      expect(yield* durable(home)).toEqual(before);
    }),
  );

  for (const life of ["alive", "unknown"] as const) {
    it.scoped(`is what a program holds that is ${life}, and the server that it may need`, () =>
      Effect.gen(function* () {
        const home = yield* withEnded(["a"]);
        yield* remove(home, "runs");
        claim(home, "a", "other");
        yield* home.store.declare("other", life);
        const report = yield* gc(home, { olderThanMs: 0 });
        expect(why(report, "session a, generation 1")).toBe("held by other");
        expect(why(report, "tmux server")).toBe("other is at work on a");
        expect(yield* home.rows).toEqual(["a/1 deleted"]);
      }),
    );
  }

  it.scoped("is whatever cannot be looked up: nothing is touched where tmux cannot be asked", () =>
    Effect.gen(function* () {
      const home = yield* withEnded(["a"]);
      yield* home.tmux.denySocket(true);
      const text = () => JSON.stringify([[...home.store.records], [...home.store.claims]]);
      const before = text();
      const failure = yield* Effect.flip(gc(home, { olderThanMs: 0, exitedMs: 0 }));
      expect(failure._tag).toBe("LookupFailed");
      expect(text()).toBe(before);
      expect(home.snapshots.kept.size).toBe(1);
    }),
  );

  it.scoped("is what ended in a server that lives out of reach", () =>
    Effect.gen(function* () {
      const home = yield* withEnded(["a"]);
      const [known] = home.store.servers;
      if (known === undefined) throw new Error("no server is known");
      home.store.servers.push({ ...known, server: { ...known.server, pid: 7 } });
      const failure = yield* Effect.flip(gc(home, { olderThanMs: 0 }));
      expect(failure).toMatchObject({ _tag: "LookupFailed", reason: "split-server" });
      expect(yield* home.rows).toEqual(["runs/1 running", "a/1 deleted"]);
    }),
  );

  it.scoped("is what its files could not be removed of; the next name goes on", () =>
    Effect.gen(function* () {
      let stuck: string | null = null;
      const failure = new LookupFailed({
        session: null,
        attempted: "remove output",
        source: "files",
        reason: "permission",
        detail: "EACCES",
      });
      const output = (files: OutputFiles["Type"]): OutputFiles["Type"] => ({
        ...files,
        remove: (incarnation) =>
          incarnation === stuck ? Effect.fail(failure) : files.remove(incarnation),
      });
      const home = yield* withEnded(["a", "b"], { output });
      stuck = (yield* home.record("a")).incarnation;
      const report = yield* gc(home, { olderThanMs: 0 });
      expect(report.failed).toMatchObject([{ session: "a", failure: { _tag: "LookupFailed" } }]);
      expect(why(report, "session a, generation 1")).toContain("EACCES");
      expect(whats(report.forgotten)).toContain("session b, generation 1");
      expect(yield* home.rows).toEqual(["runs/1 running", "a/1 deleted"]);
      stuck = null;
      expect(whats((yield* gc(home, { olderThanMs: 0 })).forgotten)).toContain("claim of a");
    }),
  );

  it.scoped("is a row that could not be removed behind its files; the next gc does the rest", () =>
    Effect.gen(function* () {
      let full = true;
      const failure = new RegistryUnavailable({
        session: "a",
        attempted: "forget",
        detail: "full",
      });
      const registry = (store: Registry["Type"]): Registry["Type"] => ({
        ...store,
        forget: (...args) => (full ? failure : store.forget(...args)),
      });
      const home = yield* withEnded(["a"], { registry });
      const report = yield* gc(home, { olderThanMs: 0 });
      expect(report.failed).toMatchObject([{ failure: { _tag: "RegistryUnavailable" } }]);
      expect(yield* home.rows).toEqual(["runs/1 running", "a/1 deleted"]);
      expect(home.snapshots.kept.size).toBe(0);
      full = false;
      const again = yield* gc(home, { olderThanMs: 0 });
      expect(whats(again.forgotten)).toEqual(["session a, generation 1", "claim of a"]);
    }),
  );
});
