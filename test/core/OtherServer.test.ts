/**
 * OtherServer: a server of the socket that lives beside the one that answers, recorded or not: who
 * changes something refuses, who reads says that it could not find out, and nobody goes through
 * the processes where the one that answers is known.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const split = { _tag: "LookupFailed", reason: "split-server" };

const servers = (home: FakeHome) =>
  Effect.map(home.tmux.processes, (all) =>
    all
      .filter(({ program, state }) => state === "running" && program.startsWith("tmux: server"))
      .map(({ pid }) => pid),
  );

/** Loses the registry. */
const forget = ({ store }: FakeHome) => {
  store.records.clear();
  store.claims.clear();
  store.servers.length = 0;
};

/** Session `a` in a server out of reach, and a stranger's `z` in one that took its place. */
const beside = (how: { readonly forgotten: boolean }) =>
  Effect.gen(function* () {
    const home = yield* fakeHome();
    yield* pass(home.sessions.create({ session: "a", ...sleep }));
    if (how.forgotten) forget(home);
    yield* home.tmux.unlinkSocket;
    yield* home.tmux.client(["new-session", "-d", "-s", "z", "--", "cat"]);
    return home;
  });

const stranger = ["new-session", "-d", "-s", "z", "--", "cat"];

/** Commands that give `z` the marks that `a` has. */
const marksOf = (home: FakeHome) =>
  Effect.forEach(["inc", "home", "gen", "spec"], (word) => {
    const name = `@troupe-${word}`;
    return Effect.map(
      Effect.orDie(home.tmux.client(["show-options", "-v", "-t", "=a:", name])),
      ({ stdout }) => ["set-option", "-t", "=z:", name, stdout.trimEnd()],
    );
  });

/** Session `a`, and what happens when a claim is taken. */
const swapping = Effect.gen(function* () {
  let swap: Effect.Effect<unknown> = Effect.void;
  const home = yield* fakeHome({
    registry: (store) => ({
      ...store,
      claim: (...args) => Effect.zipRight(swap, store.claim(...args)),
    }),
  });
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  const onClaim = (what: Effect.Effect<unknown>) => {
    swap = what;
  };
  return { home, onClaim };
});

const changes = {
  create: ({ sessions }: FakeHome) => sessions.create({ session: "b", ...sleep }),
  "create of the same name": ({ sessions }: FakeHome) =>
    sessions.create({ session: "a", ...sleep }),
  "adopt of a stranger": ({ sessions }: FakeHome) => sessions.adopt("z"),
  "adopt of nobody": ({ sessions }: FakeHome) => sessions.adopt("nobody"),
  reconcile: ({ sessions }: FakeHome) => sessions.reconcile("a"),
  rebuild: ({ sessions }: FakeHome) => sessions.rebuild,
  gc: ({ sessions }: FakeHome) => sessions.gc({ olderThanMs: 0 }),
  stopServer: ({ sessions }: FakeHome) => sessions.stopServer,
  serverStatus: ({ sessions }: FakeHome) => sessions.serverStatus,
} as const;

describe("beside a server of the socket that is out of reach", () => {
  for (const forgotten of [false, true]) {
    for (const [name, change] of Object.entries(changes)) {
      const what = forgotten ? "no row tells of" : "is recorded";
      it.scoped(`that ${what}, the one that answers is not used by ${name}`, () =>
        Effect.gen(function* () {
          const home = yield* beside({ forgotten });
          const both = yield* servers(home);
          const before = yield* home.rows;
          const marks = ["show-options", "-t", "=z:", "-q", "@troupe-inc"];
          expect(yield* Effect.flip(pass<unknown, object, never>(change(home)))).toMatchObject(
            split,
          );
          expect([yield* servers(home), yield* home.inTmux]).toEqual([both, ["z"]]);
          expect([yield* home.rows, (yield* home.tmux.client(marks)).stdout]).toEqual([before, ""]);
        }),
      );
    }
  }

  it.scoped("a stranger is not even marked, where the servers change behind the first look", () =>
    Effect.gen(function* () {
      const { home, onClaim } = yield* swapping;
      yield* home.tmux.client(stranger);
      onClaim(Effect.zipRight(home.tmux.unlinkSocket, Effect.orDie(home.tmux.client(stranger))));
      const asked = (yield* home.tmux.requests).length;
      expect(yield* Effect.flip(pass(home.sessions.adopt("z")))).toMatchObject(split);
      const texts = (yield* home.tmux.requests).slice(asked).map(({ stdin }) => String(stdin));
      expect(texts.filter((text) => text.includes("set-option"))).toEqual([]);
      expect(yield* home.inTmux).toEqual(["z"]);
    }),
  );

  it.scoped("a session with our mark is not taken up, where they change behind that, too", () =>
    Effect.gen(function* () {
      const { home, onClaim } = yield* swapping;
      const marks = yield* marksOf(home);
      const marked = Effect.forEach([stranger, ...marks], (words) =>
        Effect.orDie(home.tmux.client(words)),
      );
      home.store.records.clear();
      yield* marked;
      onClaim(Effect.zipRight(home.tmux.unlinkSocket, marked));
      expect(yield* Effect.flip(pass(home.sessions.reconcile("z")))).toMatchObject(split);
      expect([yield* home.rows, yield* home.inTmux]).toEqual([[], ["z"]]);
    }),
  );

  it.scoped("sessions with our mark that no row knows are not taken up until it has ended", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const marks = yield* marksOf(home);
      yield* home.tmux.unlinkSocket;
      for (const words of [stranger, ...marks]) yield* home.tmux.client(words);
      forget(home);
      const [item] = yield* pass(home.sessions.reconcileAll);
      const failure = item?.outcome._tag === "Left" ? item.outcome.left : null;
      expect([item?.session, failure]).toMatchObject(["z", split]);
      for (const verb of [home.sessions.reconcile("z"), home.sessions.adopt("z")]) {
        expect(yield* Effect.flip(pass<unknown, object, never>(verb))).toMatchObject(split);
      }
      expect(yield* home.rows).toEqual([]);
      const [first] = yield* servers(home);
      yield* home.tmux.signal(first ?? 0, "KILL");
      expect(yield* home.sessions.list()).toMatchObject({ unasked: { reason: "unclear" } });
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.rows).toEqual(["z/1 exited"]);
    }),
  );
});

describe("a list beside a server that is out of reach", () => {
  it.scoped("of a registry without rows says that it could not find out", () =>
    Effect.gen(function* () {
      const home = yield* beside({ forgotten: true });
      expect(yield* home.sessions.list()).toMatchObject({ sessions: [], unasked: split });
      expect(yield* Effect.flip(home.sessions.reconcilePlan)).toMatchObject(split);
      for (const verb of [home.sessions.get("a"), home.sessions.delete("a")]) {
        expect(yield* Effect.flip(pass<unknown, object, never>(verb))).toMatchObject(split);
      }
    }),
  );

  it.scoped("says so although nobody answers at all", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      forget(home);
      yield* home.tmux.removeSocketDirectory;
      expect(yield* home.sessions.list()).toMatchObject({ sessions: [], unasked: split });
      expect(yield* Effect.flip(home.sessions.serverStatus)).toMatchObject(split);
      expect(yield* Effect.flip(home.sessions.reconcilePlan)).toMatchObject(split);
    }),
  );

  it.scoped("is whole again when that has ended", () =>
    Effect.gen(function* () {
      const home = yield* beside({ forgotten: true });
      const [first] = yield* servers(home);
      yield* home.tmux.signal(first ?? 0, "KILL");
      expect(yield* home.sessions.list()).toMatchObject({ sessions: [], unasked: null });
      expect(yield* home.sessions.serverStatus).toMatchObject({ server: { foreign: ["z"] } });
      yield* pass(home.sessions.create({ session: "b", ...sleep }));
      expect(yield* home.inTmux).toEqual(["b", "z"]);
    }),
  );
});

describe("the processes", () => {
  it.scoped("are not gone through where the server that answers is recorded", () =>
    Effect.gen(function* () {
      let scans = 0;
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const { snapshot } = home.processes;
      Object.assign(home.processes, {
        snapshot: Effect.suspend(() => {
          scans += 1;
          return snapshot;
        }),
      });
      const { sessions } = home;
      yield* sessions.list();
      yield* sessions.get("a");
      yield* sessions.serverStatus;
      yield* sessions.reconcileAll;
      const known = scans;
      home.store.servers.length = 0;
      yield* sessions.serverStatus;
      expect([known, scans]).toEqual([0, 1]);
    }),
  );
});

describe("a server that starts behind the answer that there is none", () => {
  const reads = {
    list: ({ sessions }: FakeHome) => Effect.map(sessions.list(), ({ unasked }) => unasked),
    serverStatus: ({ sessions }: FakeHome) =>
      Effect.map(sessions.serverStatus, ({ server }) => (server === null ? "none" : null)),
    "dry run of a gc": ({ sessions }: FakeHome) =>
      Effect.as(sessions.gc({ olderThanMs: 0, dryRun: true }), null),
    reconcilePlan: ({ sessions }: FakeHome) => Effect.as(sessions.reconcilePlan, null),
  } as const;
  for (const [name, read] of Object.entries(reads)) {
    it.scoped(`is asked once more by ${name}`, () =>
      Effect.gen(function* () {
        let start: Effect.Effect<unknown> = Effect.void;
        const home = yield* fakeHome({
          registry: (store) => ({
            ...store,
            servers: Effect.zipRight(
              Effect.suspend(() => start),
              store.servers,
            ),
          }),
        });
        start = Effect.suspend(() => {
          start = Effect.void;
          return Effect.orDie(home.tmux.client(stranger));
        });
        expect(yield* read(home)).toBeNull();
        expect(yield* servers(home)).toHaveLength(1);
      }),
    );
  }
});
