/**
 * ListenAgain: a server whose socket was removed: what heals it, what leaves it alone, and who must
 * never be told to listen.
 */
import { describe, expect, it } from "@effect/vitest";
import type { FakeProcess } from "@troupe/testing";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const isServer = ({ program, state }: FakeProcess) =>
  state === "running" && program.startsWith("tmux: server");

const servers = (home: FakeHome) =>
  Effect.map(home.tmux.processes, (all) => all.filter(isServer).map(({ pid }) => pid));

/** A home with session `a`, a second program, and how often its server was told to listen. */
const withSession = Effect.gen(function* () {
  const home = yield* fakeHome();
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  const [server] = (yield* home.tmux.processes).filter(isServer);
  if (server === undefined) throw new Error("there is no server");
  let told = 0;
  let hears = true;
  const listen = server.handlers.get("USR1");
  server.handlers.set("USR1", () => {
    told += 1;
    if (hears && typeof listen === "function") listen();
  });
  const deafen = (deaf: boolean) =>
    Effect.sync(() => {
      hears = !deaf;
    });
  return { ...home, server, deafen, told: () => told };
});

/** Loses the registry. */
const forget = ({ store }: FakeHome) => {
  store.records.clear();
  store.claims.clear();
  store.servers.length = 0;
};

const reachable = (home: FakeHome) =>
  Effect.map(Effect.orDie(home.tmux.client(["list-sessions"])), ({ exitCode }) => exitCode === 0);

type Verb = (home: FakeHome) => Effect.Effect<unknown, object>;

const verbs: Readonly<Record<string, Verb>> = {
  create: (home) => home.sessions.create({ session: "b", ...sleep }),
  delete: (home) => home.sessions.delete("a"),
  addTerminal: (home) => home.sessions.addTerminal({ session: "a", ...sleep }),
  deleteTerminal: (home) => home.sessions.deleteTerminal("a", "main"),
  reconcile: (home) => home.sessions.reconcile("a"),
  "reconcile of a name that no row has": (home) => Effect.flip(home.sessions.reconcile("nobody")),
  reconcileAll: (home) => home.sessions.reconcileAll,
  rebuild: (home) => home.sessions.rebuild,
  stopServer: (home) => home.sessions.stopServer,
  adopt: (home) => Effect.flip(home.sessions.adopt("nobody")),
};

/** Verbs of sessions that have a row; where there is none they look, and go no further. */
const byRow = ["delete", "addTerminal", "deleteTerminal"];

describe("a server whose socket was removed", () => {
  for (const [name, verb] of Object.entries(verbs).filter(([name]) => name !== "rebuild")) {
    it.scoped(`listens again, told once, for ${name}`, () =>
      Effect.gen(function* () {
        const home = yield* withSession;
        yield* home.tmux.unlinkSocket;
        yield* pass(verb(home));
        expect([yield* reachable(home), home.told()]).toEqual([true, 1]);
        expect(yield* servers(home)).toEqual([home.server.pid]);
      }),
    );
  }

  it.scoped("is unknown to whoever reads, and is left alone by that", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.unlinkSocket;
      expect((yield* home.sessions.get("a")).seen.state).toBe("unknown");
      expect((yield* home.sessions.list()).sessions[0]?.seen.state).toBe("unknown");
      const [planned] = yield* home.sessions.reconcilePlan;
      const unplanned = planned?.outcome._tag === "Left" ? planned.outcome.left._tag : "planned";
      const unread = yield* Effect.flip(home.sessions.capture("a"));
      expect([unplanned, unread._tag]).toEqual(["LookupFailed", "LookupFailed"]);
      expect([yield* reachable(home), home.told()]).toEqual([false, 0]);
    }),
  );

  for (const [name, verb] of Object.entries(verbs).filter(([name]) => !byRow.includes(name))) {
    it.scoped(`listens again although no row tells of it, for ${name}`, () =>
      Effect.gen(function* () {
        const home = yield* withSession;
        forget(home);
        yield* home.tmux.unlinkSocket;
        yield* pass(Effect.either(verb(home)));
        expect([yield* reachable(home), home.told()]).toEqual([true, 1]);
        expect(yield* servers(home)).toEqual([home.server.pid]);
      }),
    );
  }

  it.scoped("and whose registry was lost with it, is taken up again whole by a reconcile", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      const { incarnation } = yield* home.record("a");
      forget(home);
      yield* home.tmux.removeSocketDirectory;
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.rows).toEqual(["a/1 running"]);
      expect((yield* home.record("a")).incarnation).toBe(incarnation);
      const again = yield* Effect.flip(pass(home.sessions.create({ session: "a", ...sleep })));
      expect(again).toMatchObject({ _tag: "AlreadyExists", state: "running" });
    }),
  );

  it.scoped("listens again beside a client of it, which is not told", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.attach("a", "viewer");
      const client = (yield* home.tmux.processes).findLast((p) => p.program === "tmux: client");
      yield* home.tmux.unlinkSocket;
      yield* pass(home.sessions.reconcile("a"));
      expect([yield* reachable(home), home.told(), client?.state]).toEqual([true, 1, "running"]);
    }),
  );

  it.scoped("has its directory made again", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.removeSocketDirectory;
      expect((yield* pass(home.sessions.delete("a"))).alreadyGone).toBe(false);
      expect([yield* home.inTmux, home.told()]).toEqual([[], 1]);
    }),
  );

  it.scoped("listens where the socket of one that died was left", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.unlinkSocket;
      yield* home.tmux.client(["new-session", "-d", "-s", "x"]);
      yield* home.tmux.crash;
      expect((yield* pass(home.sessions.delete("a"))).alreadyGone).toBe(false);
      expect(yield* servers(home)).toEqual([home.server.pid]);
    }),
  );

  it.scoped("is found by two programs at once", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      const other = yield* home.program("other");
      yield* home.tmux.unlinkSocket;
      yield* pass(
        Effect.all(
          [
            home.sessions.create({ session: "b", ...sleep }),
            other.create({ session: "c", ...sleep }),
          ],
          { concurrency: "unbounded" },
        ),
      );
      expect(yield* home.inTmux).toEqual(["a", "b", "c"]);
      expect(yield* servers(home)).toEqual([home.server.pid]);
    }),
  );

  it.scoped("raises the fence that was due while nobody answered", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      const claim = home.store.claims.get((yield* home.record("a")).session);
      if (claim === undefined) throw new Error("there is no claim row");
      home.store.claims.set((yield* home.record("a")).session, { ...claim, fenceDue: true });
      yield* home.deafen(true);
      yield* home.tmux.unlinkSocket;
      expect((yield* Effect.flip(pass(home.sessions.delete("a"))))._tag).toBe("LookupFailed");
      yield* home.deafen(false);
      yield* pass(home.sessions.reconcile("a"));
      const fence = yield* home.tmux.client(["show-options", "-sv", "@troupe-fence-a"]);
      expect(fence.stdout).toBe(`${claim.epoch + 2}\n`);
    }),
  );
});

/** Every verb fails, and row, program and server stay as they are; how many verbs those were. */
const expectUnknown = (home: Effect.Effect.Success<typeof withSession>) =>
  Effect.gen(function* () {
    let asked = 0;
    for (const [name, verb] of Object.entries(verbs).filter(([name]) => name !== "reconcileAll")) {
      const error = yield* pass(Effect.either(verb(home)));
      const tag = error._tag === "Left" ? error.left : error.right;
      expect(tag, name).toMatchObject({ _tag: "LookupFailed" });
      asked += 1;
    }
    expect(yield* home.rows).toEqual(["a/1 running"]);
    const sleeping = (yield* home.tmux.processes).filter((p) => p.program === "sleep");
    expect(sleeping.map((p) => p.state)).toEqual(["running"]);
    expect(home.server.state).toBe("running");
    return asked;
  });

describe("no server is told to listen", () => {
  it.scoped("that is about to answer for the first time: the signal would end it", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      forget(home);
      yield* home.tmux.unlinkSocket;
      const creating = yield* Effect.fork(home.sessions.create({ session: "b", ...sleep }));
      yield* TestClock.adjust("50 millis");
      // It listens by itself, in the time that a start takes.
      yield* home.tmux.signal(home.server.pid, "USR1");
      const told = home.told();
      yield* TestClock.adjust("1 minute");
      yield* Fiber.join(creating);
      expect([told, home.told(), yield* servers(home)]).toEqual([1, 1, [home.server.pid]]);
      expect(yield* home.inTmux).toEqual(["a", "b"]);
    }),
  );

  it.scoped("a tmux server of another socket is not told, although ours has ended", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.spawn({ parent: 1, program: "tmux: server" });
      const other = (yield* home.tmux.processes).findLast(isServer);
      yield* home.tmux.crash;
      yield* pass(home.sessions.reconcile("a"));
      expect([other?.state, other?.pid === home.server.pid]).toEqual(["running", false]);
      expect(yield* home.rows).toEqual(["a/1 lost"]);
    }),
  );

  it.scoped("and none is started, where the one that was told does not: each message once", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.deafen(true);
      yield* home.tmux.unlinkSocket;
      expect(yield* expectUnknown(home)).toBe(home.told());
      expect(yield* servers(home)).toEqual([home.server.pid]);
    }),
  );

  it.scoped("where two of them live, recorded or not, and none answers", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.unlinkSocket;
      yield* home.tmux.client(["new-session", "-d", "-s", "x", "--", "cat"]);
      yield* home.tmux.unlinkSocket;
      const both = yield* servers(home);
      yield* expectUnknown(home);
      expect([home.told(), yield* servers(home), yield* reachable(home)]).toEqual([0, both, false]);
    }),
  );

  for (const [what, program] of [
    ["a client of it, which the signal ends", "tmux: client"],
    ["a tmux server that was started for another socket", "tmux: server"],
  ] as const) {
    it.scoped(`where the recorded process is ${what}`, () =>
      Effect.gen(function* () {
        const home = yield* withSession;
        if (program === "tmux: client") yield* home.tmux.attach("a", "viewer");
        else yield* home.tmux.spawn({ parent: 1, program });
        const process = (yield* home.tmux.processes).findLast((p) => p.program === program);
        const [known] = home.store.servers;
        if (known === undefined || process === undefined) throw new Error("no server");
        const id = { ...known.process, pid: process.pid, startTime: process.startTicks };
        home.store.servers[0] = { ...known, process: id };
        yield* home.tmux.unlinkSocket;
        const error = yield* Effect.flip(pass(home.sessions.delete("a")));
        expect(error).toMatchObject({ _tag: "LookupFailed", reason: "split-server" });
        expect([process.state, home.told(), yield* reachable(home)]).toEqual(["running", 0, false]);
      }),
    );
  }

  it.scoped("where a second one took the path, which is not used and not ended either", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.unlinkSocket;
      yield* home.tmux.client(["new-session", "-d", "-s", "x", "--", "sleep", "100000"]);
      const both = yield* servers(home);
      for (const verb of [verbs.create, verbs.delete, verbs.reconcile]) {
        const error = yield* Effect.flip(pass(verb?.(home) ?? Effect.void));
        expect(error).toMatchObject({ _tag: "LookupFailed", reason: "split-server" });
      }
      expect([home.told(), yield* servers(home), yield* home.inTmux]).toEqual([0, both, ["x"]]);
    }),
  );

  it.scoped("where its path cannot be looked at", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.unlinkSocket;
      yield* home.tmux.denySocket(true);
      yield* expectUnknown(home);
      expect(home.told()).toBe(0);
    }),
  );
});
