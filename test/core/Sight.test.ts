/**
 * Sight: what a listing proves of a session, with each way in which a server can be out of reach.
 */
import { describe, expect, it } from "@effect/vitest";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const seen = (home: FakeHome) => Effect.map(home.sessions.get("a"), (view) => view.seen);

const withSession = Effect.gen(function* () {
  const home = yield* fakeHome();
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  return home;
});

describe("a session is", () => {
  it.scoped("present by its mark, under whatever name", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.client(["rename-session", "-t", "=a", "b"]);
      expect((yield* seen(home)).state).toBe("present");
    }),
  );

  it.scoped("present with its terminal, whatever a program or a user calls the window", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.client(["rename-window", "-t", "=a:", "b"]);
      expect((yield* seen(home)).state).toBe("present");
      expect((yield* home.sessions.capture("a")).text).toBe("");
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ changed: false });
      expect((yield* pass(home.sessions.delete("a"))).alreadyGone).toBe(false);
      expect(yield* home.inTmux).toEqual([]);
    }),
  );

  it.scoped("what its own server says, where no table of processes can be read at all", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.failProcessTable("missing-program");
      expect((yield* seen(home)).state).toBe("present");
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ changed: false });
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ after: "lost" });
    }),
  );

  it.scoped("absent when its own server answers without it", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      expect(yield* seen(home)).toMatchObject({ state: "absent", detail: "vanished" });
    }),
  );

  it.scoped("absent when its server is dead, although the socket's file is there", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.crash;
      expect(yield* seen(home)).toMatchObject({ state: "absent", detail: "server gone" });
    }),
  );

  it.scoped("absent after a reboot, whatever process has the server's pid now", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.unlinkSocket;
      const [server] = home.store.servers;
      if (server === undefined) throw new Error("no server was recorded");
      home.store.servers[0] = { ...server, process: { ...server.process, bootId: "before" } };
      expect(yield* seen(home)).toMatchObject({ state: "absent", detail: "reboot" });
    }),
  );

  it.scoped("unknown to a program in another pid namespace, which sees none of its processes", () =>
    Effect.gen(function* () {
      const home = yield* withSession;
      yield* home.tmux.unlinkSocket;
      const [server] = home.store.servers;
      if (server === undefined) throw new Error("no server was recorded");
      const bootId = `${server.process.bootId}.4026531836`;
      home.store.servers[0] = { ...server, process: { ...server.process, bootId } };
      expect((yield* seen(home)).state).toBe("unknown");
      expect((yield* Effect.flip(pass(home.sessions.delete("a"))))._tag).toBe("LookupFailed");
    }),
  );

  for (const [what, trouble] of [
    [
      "its server lives, its socket is gone, and it does not listen again",
      (home: FakeHome) =>
        Effect.zipRight(
          home.tmux.unlinkSocket,
          Effect.map(home.tmux.processes, (all) => {
            for (const p of all) p.stuck = p.program.startsWith("tmux: server");
          }),
        ),
    ],
    [
      "another server took the path",
      (home: FakeHome) =>
        Effect.zipRight(home.tmux.unlinkSocket, home.tmux.client(["new-session", "-d", "-s", "x"])),
    ],
    ["the socket is denied to us", (home: FakeHome) => home.tmux.denySocket(true)],
    [
      "the processes cannot be read",
      (home: FakeHome) =>
        Effect.zipRight(home.tmux.unlinkSocket, home.tmux.failProcessTable("permission")),
    ],
  ] as const) {
    it.scoped(`unknown while ${what}, and no verb changes or ends anything`, () =>
      Effect.gen(function* () {
        const home = yield* withSession;
        yield* trouble(home);
        expect((yield* seen(home)).state).toBe("unknown");
        const verbs: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
          home.sessions.delete("a"),
          home.sessions.reconcile("a"),
          home.sessions.create({ session: "b", ...sleep }),
        ];
        for (const verb of verbs) {
          expect((yield* Effect.flip(pass(verb)))._tag).toBe("LookupFailed");
        }
        expect(yield* home.rows).toEqual(["a/1 running"]);
        const sleeping = (yield* home.tmux.processes).filter((p) => p.program === "sleep");
        expect(sleeping.map((p) => p.state)).toEqual(["running"]);
      }),
    );
  }
});

describe("a create that looked while there was no server", () => {
  const look = (request: TmuxRequest): boolean =>
    request.attempted === "create" && request.stdin === null && !request.startsServer;

  it.scoped("uses the one that the create of another name started meanwhile", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const gate = yield* home.tmux.hold({ where: "after", matches: look });
      const first = yield* Effect.fork(home.sessions.create({ session: "a", ...sleep }));
      yield* gate.reached;
      yield* home.sessions.create({ session: "b", ...sleep, startWindowMs: 0 });
      yield* gate.release;
      yield* TestClock.adjust("1 second");
      expect((yield* Fiber.join(first)).state).toBe("running");
      expect([yield* home.inTmux, home.store.servers.length]).toEqual([["a", "b"], 1]);
    }),
  );
});
