/**
 * Readers: they tell what they know whatever fails, write nothing, and agree.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, RegistryUnavailable, type Sessions } from "@troupe/core";
import { Fault } from "@troupe/testing";
import { Effect, Option, Stream } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

type Store = Registry["Type"];

/** What `list` and `get` say of the state of a name, once where they agree. */
const statesBy = Effect.fnUntraced(function* (sessions: Sessions["Type"]) {
  const got = yield* sessions.get("a");
  const listed = (yield* sessions.list({ all: true })).sessions.map(({ state }) => state);
  return [...new Set([got.state, ...listed])];
});

/** A home of which the registry does this to a write, once `now` is set. */
const withWrites = (onWrite: (write: Effect.Effect<never>) => Effect.Effect<never, unknown>) => {
  const writes = { now: false };
  const instead = (name: string) =>
    onWrite(Effect.dieMessage(`${name} was called by a reader`)) as Effect.Effect<never>;
  const registry = (store: Store): Store => ({
    ...store,
    claim: (...args) => (writes.now ? instead("claim") : store.claim(...args)),
    renew: (...args) => (writes.now ? instead("renew") : store.renew(...args)),
    commit: (...args) => (writes.now ? instead("commit") : store.commit(...args)),
    release: (...args) => (writes.now ? instead("release") : store.release(...args)),
  });
  return Effect.map(fakeHome({ registry }), (home) => ({ home, writes }));
};

const create = (home: FakeHome) => pass(home.sessions.create({ session: "a", ...sleep }));

describe("a reader", () => {
  it.scoped("on a home where troupe never ran asks tmux nothing and finds nothing", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const empty = { sessions: [], unreadable: [], unasked: null };
      expect(yield* home.sessions.list({ all: true })).toEqual(empty);
      expect(yield* home.tmux.requests).toEqual([]);
    }),
  );

  it.scoped("tells when the first time limit passes, also where tmux cannot be asked", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const limits = { ttlMs: 90_000, idleTtlMs: 60_000 };
      const made = yield* pass(home.sessions.create({ session: "a", ...sleep, ...limits }));
      yield* pass(home.sessions.create({ session: "b", ...sleep }));
      const at = made.createdAt + 60_000;
      expect(made.limitAt).toBe(at);
      yield* home.tmux.inject({ fault: Fault.shortened });
      expect((yield* home.sessions.get("a")).limitAt).toBe(at);
      const { sessions } = yield* home.sessions.list();
      expect(sessions.map(({ limitAt }) => limitAt)).toEqual([at, null]);
      yield* pass(home.sessions.delete("a"));
      expect((yield* home.sessions.get("a")).limitAt).toBeNull();
    }),
  );

  it.scoped("tells the rows although tmux cannot be asked, and why it cannot", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* home.tmux.inject({ fault: Fault.shortened, times: 2 });
      const list = yield* home.sessions.list();
      expect(list.unasked).toMatchObject({ _tag: "LookupFailed", reason: "garbled" });
      expect(list.sessions).toMatchObject([{ state: "running", seen: { state: "unknown" } }]);
      const one = yield* home.sessions.get("a");
      expect(one).toMatchObject({ state: "running", seen: { state: "unknown" } });
      expect(one.seen.reason).toBe("garbled");
    }),
  );

  it.scoped(
    "of a hundred sessions asks tmux once, and so does a reconcile with nothing to do",
    () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
        const make = (session: string) => home.sessions.create({ session, ...sleep });
        yield* pass(Effect.forEach(names, make, { concurrency: "unbounded" }));
        const asked = Effect.map(home.tmux.requests, (all) => all.length);
        const before = yield* asked;
        const { sessions } = yield* home.sessions.list();
        expect(sessions.filter(({ seen }) => seen.state === "present")).toHaveLength(100);
        expect((yield* asked) - before).toBe(1);
        expect(yield* home.sessions.reconcileAll).toHaveLength(100);
        expect((yield* asked) - before).toBe(2);
      }),
  );

  it.scoped("writes nothing, also where a reconcile would", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      const before = JSON.stringify([[...home.store.records], [...home.store.claims]]);
      const [listed] = (yield* home.sessions.list()).sessions;
      const got = yield* home.sessions.get("a");
      expect([listed?.state, got.state]).toEqual(["running", "running"]);
      expect([listed?.seen.state, got.seen.state]).toEqual(["absent", "absent"]);
      expect((yield* Effect.flip(home.sessions.capture("a")))._tag).toBe("NotFound");
      expect(JSON.stringify([[...home.store.records], [...home.store.claims]])).toBe(before);
    }),
  );
});

describe("what tmux says of each terminal", () => {
  const nowOf = Effect.fnUntraced(function* (sessions: Sessions["Type"]) {
    const got = yield* sessions.get("a");
    const [listed] = (yield* sessions.list({ all: true })).sessions;
    expect(listed?.seen.terminals).toEqual(got.seen.terminals);
    return got.seen.terminals.map(({ exit, terminal }) => [terminal, exit?.code ?? exit]);
  });

  it.scoped("is told beside what is recorded: a program that has ended, and how", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const made = yield* create(home);
      const [main] = made.terminals;
      const now = [{ terminal: "main", panePid: main?.panePid, exit: null }];
      expect(made.seen.terminals).toEqual(now);
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      yield* home.tmux.client(["new-window", "-d", "-t", "=a:", "--", "sleep", "1000"]);
      expect(yield* nowOf(home.sessions)).toEqual([
        ["main", null],
        ["t2", null],
      ]);
      yield* home.tmux.exitProgram(main?.paneId ?? "", 7);
      expect(yield* nowOf(home.sessions)).toEqual([
        ["main", 7],
        ["t2", null],
      ]);
      const view = yield* home.sessions.get("a");
      expect(view.terminals).toMatchObject([{ state: "running", exit: null }, {}]);
      yield* home.tmux.client(["kill-window", "-t", "=a:t2"]);
      expect(yield* nowOf(home.sessions)).toEqual([["main", 7]]);
    }),
  );

  it.scoped("is nothing where the session is absent or unknown", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home);
      yield* home.tmux.inject({ fault: Fault.shortened, times: 2 });
      expect(yield* nowOf(home.sessions)).toEqual([]);
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      expect(yield* nowOf(home.sessions)).toEqual([]);
    }),
  );

  it.scoped("is told of a session that has just been made and ended within its window", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const call = home.sessions.create({
        session: "a",
        command: ["sh", "-c", "exit 0"],
        cwd: "/",
      });
      const { seen, state } = yield* pass(call);
      expect([state, seen.state]).toEqual(["exited", "present"]);
      expect(seen.terminals).toMatchObject([{ terminal: "main", exit: { code: 0 } }]);
    }),
  );
});

describe("when writing is impossible", () => {
  it.scoped("every read is served, and none of them tries to write", () =>
    Effect.gen(function* () {
      const { home, writes } = yield* withWrites((write) => write);
      yield* create(home);
      yield* home.tmux.exitProgram("a", 7);
      writes.now = true;
      const { sessions } = home;
      expect(yield* sessions.list()).toMatchObject({ sessions: [{ state: "running" }] });
      expect(yield* sessions.get("a")).toMatchObject({ seen: { state: "present" } });
      expect(yield* sessions.reconcilePlan).toMatchObject([
        { outcome: { right: { before: "running", after: "exited", changed: true } } },
      ]);
      yield* sessions.capture("a");
      expect(yield* sessions.snapshots("a")).toEqual([]);
      const first = yield* Stream.runHead(sessions.events({ since: 0 }));
      expect(Option.isSome(first)).toBe(true);
    }),
  );

  it.scoped(
    "a delete fails as that, the session is listed as it was, and a later one ends it",
    () =>
      Effect.gen(function* () {
        const where = { session: "a", attempted: "write", detail: "database or disk is full" };
        const full = new RegistryUnavailable(where);
        const { home, writes } = yield* withWrites(() => full);
        yield* create(home);
        yield* home.tmux.exitProgram("a", 0);
        yield* pass(home.sessions.reconcile("a"));
        writes.now = true;
        expect(yield* Effect.flip(pass(home.sessions.delete("a")))).toEqual(full);
        expect(yield* statesBy(home.sessions)).toEqual(["exited"]);
        expect(yield* home.inTmux).toEqual(["a"]);
        writes.now = false;
        yield* pass(home.sessions.delete("a"));
        expect(yield* statesBy(home.sessions)).toEqual(["deleted"]);
      }),
  );
});

describe("beside a delete", () => {
  it.scoped("readers tell what stood before or stands behind each of its writes, and agree", () =>
    Effect.gen(function* () {
      const seen: Array<ReadonlyArray<string>> = [];
      const reader: { sessions: Sessions["Type"] | null } = { sessions: null };
      const look = Effect.suspend(() =>
        reader.sessions === null
          ? Effect.void
          : Effect.map(statesBy(reader.sessions), (states) => void seen.push(states)),
      ).pipe(Effect.orDie);
      const home = yield* fakeHome({
        registry: (store) => ({
          ...store,
          commit: (...args) => Effect.zipLeft(Effect.zipRight(look, store.commit(...args)), look),
        }),
      });
      yield* create(home);
      reader.sessions = yield* home.program("reader");
      yield* pass(home.sessions.delete("a"));
      const told = ["running", "deleting", "deleting", "deleted"];
      expect(seen).toEqual(told.map((state) => [state]));
      expect(yield* statesBy(home.sessions)).toEqual(["deleted"]);
    }),
  );
});
