/**
 * RollBack: what a create that did not end well leaves, whatever went wrong and wherever.
 *
 * Method: the registry fails at a chosen write, tmux at a chosen call, or the caller leaves at a
 * gate; then sessions in tmux, processes, rows, claims and values of the environment are compared
 * with what they must be.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, RegistryUnavailable } from "@troupe/core";
import { FakeTmux, Fault, type FaultRule } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Cause, Deferred, Effect, Exit, Fiber, Redacted, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const creation = (request: TmuxRequest): boolean => String(request.stdin).includes("new-session");
const kill = (request: TmuxRequest): boolean => request.attempted === "kill";

const create = (home: FakeHome, options: object = {}) =>
  home.sessions.create({ session: "a", ...sleep, ...options });

/** Lets every fiber that can go on do so, while no time passes. */
const settle = Effect.repeatN(Effect.yieldNow(), 200);

const living = (home: FakeHome) =>
  Effect.map(home.tmux.processes, (all) =>
    all.filter((p) => p.environment.has("TROUPE_INCARNATION") && p.state === "running"),
  );

/** Neither session nor process, nor an active row, nor a claim that is held. */
const expectNothing = Effect.fnUntraced(function* (home: FakeHome) {
  expect([yield* home.inTmux, yield* living(home)]).toEqual([[], []]);
  expect((yield* home.rows).filter((row) => !/ (failed|deleted)$/.test(row))).toEqual([]);
  expect([...home.store.claims.values()].filter(({ owner }) => owner !== null)).toEqual([]);
});

type Commit = Registry["Type"]["commit"];

/** A home whose registry does this in place of its `at`th write, and so many writes of a create. */
const brokenAt = (at: number, broken: Commit) => {
  let writes = 0;
  return fakeHome({
    registry: (registry) => ({
      ...registry,
      commit: (...args) => (++writes === at ? broken(...args) : registry.commit(...args)),
    }),
  });
};

const unavailable = new RegistryUnavailable({
  session: "a",
  attempted: "write",
  detail: "database is locked",
});

describe("a write of a create that fails", () => {
  const writes = [
    [1, "its intent", []],
    [2, "its last row", ["a/1 failed"]],
  ] as const;
  for (const [at, which, rows] of writes) {
    it.scoped(`at ${which} leaves nothing, and the failure comes out as it was`, () =>
      Effect.gen(function* () {
        const home = yield* brokenAt(at, () => unavailable);
        expect(yield* Effect.flip(pass(create(home)))).toEqual(unavailable);
        expect(yield* home.rows).toEqual(rows);
        yield* expectNothing(home);
        expect(yield* pass(create(home))).toMatchObject({ state: "running" });
      }),
    );

    it.scoped(`at ${which} with a defect leaves nothing, and the defect comes out`, () =>
      Effect.gen(function* () {
        const home = yield* brokenAt(at, () => Effect.die("a bug of the test"));
        const exit = yield* Effect.exit(pass(create(home)));
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBe("a bug of the test");
        yield* expectNothing(home);
      }),
    );
  }
});

describe("a rollback", () => {
  const failing = { command: ["sh", "-c", "exit 3"] };

  it.scoped("is over before the next message of its name begins", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const gate = yield* home.tmux.hold({ where: "before", matches: kill });
      const first = yield* Effect.fork(Effect.flip(create(home, failing)));
      yield* settle;
      yield* TestClock.adjust("100 millis");
      yield* gate.reached;
      const second = yield* Effect.fork(create(home));
      yield* settle;
      expect((yield* home.tmux.requests).filter(creation).length).toBe(1);
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      expect(yield* Fiber.join(first)).toMatchObject({ _tag: "StartFailed", code: 3 });
      expect((yield* Fiber.join(second)).generation).toBe(2);
      expect([yield* home.inTmux, (yield* living(home)).length]).toEqual([["a"], 1]);
    }),
  );

  it.scoped(
    "that cannot be confirmed keeps the name: a create undoes it first, or makes nothing",
    () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* home.tmux.inject({ fault: Fault.hang, matches: kill, times: 99 });
        yield* Effect.flip(pass(create(home, failing)));
        expect((yield* Effect.flip(pass(create(home))))._tag).toBe("KillUnconfirmed");
        expect((yield* home.tmux.requests).filter(creation).length).toBe(1);
        expect(yield* home.rows).toEqual(["a/1 creating"]);
        yield* home.tmux.clearFaults;
        expect((yield* pass(create(home))).generation).toBe(2);
        expect(yield* home.rows).toEqual(["a/1 failed", "a/2 running"]);
      }),
  );

  it.scoped("by a program that was overtaken meanwhile touches nothing of whoever came", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const other = yield* home.program("other");
      const command = ["sh", "-c", "sleep 5; exit 3"];
      const first = yield* Effect.fork(
        Effect.flip(create(home, { command, startWindowMs: 10_000 })),
      );
      yield* TestClock.adjust("1 second");
      // In no time, so that the first one still stands in its start window.
      yield* other.delete("a", { force: true });
      const made = yield* other.create({ session: "a", ...sleep, startWindowMs: 0 });
      expect(first.unsafePoll()).toBe(null);
      yield* TestClock.adjust("1 minute");
      expect(yield* Fiber.join(first)).toMatchObject({ _tag: "StartFailed", reason: "vanished" });
      expect(yield* home.record("a")).toMatchObject({
        incarnation: made.incarnation,
        state: "running",
      });
      expect([yield* home.inTmux, (yield* living(home)).length]).toEqual([["a"], 1]);
    }),
  );
});

describe("a caller that leaves its create", () => {
  const boot = (request: TmuxRequest) => request.startsServer;
  const look = (request: TmuxRequest) => request.attempted === "create" && !creation(request);
  const places = [
    ["at the first look", { where: "before", matches: look }, 0],
    ["at the start of the server", { where: "before", matches: boot }, 0],
    ["before tmux makes the session", { where: "before", matches: creation }, 0],
    ["behind that", { where: "after", matches: creation }, 0],
    ["at the last look", { where: "before", matches: look, skip: 2 }, 100],
  ] as const;
  for (const [place, rule, startWindowMs] of places) {
    it.scoped(`${place} is interrupted when nothing of it is left`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        const gate = yield* home.tmux.hold(rule);
        const creating = yield* Effect.fork(create(home, { startWindowMs }));
        yield* settle;
        yield* TestClock.adjust(startWindowMs);
        yield* gate.reached;
        const leaving = yield* Effect.fork(Fiber.interrupt(creating));
        yield* settle;
        expect(leaving.unsafePoll()).toBe(null);
        yield* gate.release;
        expect(Exit.isInterrupted(yield* Fiber.join(leaving))).toBe(true);
        yield* expectNothing(home);
        expect(yield* pass(create(home))).toMatchObject({ state: "running" });
      }),
    );
  }

  it.scoped("while the last row is written has a session that is whole", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>();
      const go = yield* Deferred.make<void>();
      const held = Effect.zipRight(Deferred.succeed(reached, undefined), Deferred.await(go));
      let writes = 0;
      const home = yield* fakeHome({
        registry: (registry) => ({
          ...registry,
          commit: (...args) =>
            Effect.zipRight(++writes === 2 ? held : Effect.void, registry.commit(...args)),
        }),
      });
      const creating = yield* Effect.fork(create(home, { startWindowMs: 0 }));
      yield* Deferred.await(reached);
      const leaving = yield* Effect.fork(Fiber.interrupt(creating));
      yield* settle;
      yield* Deferred.succeed(go, undefined);
      yield* Fiber.join(leaving);
      expect([yield* home.inTmux, yield* home.rows]).toEqual([["a"], ["a/1 running"]]);
      expect((yield* home.sessions.reconcile("a")).changed).toBe(false);
    }),
  );

  it.scoped("twice, and has somebody wait for the name, is waited for all the same", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const gate = yield* home.tmux.hold({ where: "before", matches: kill });
      const creating = yield* Effect.fork(create(home, { startWindowMs: 60_000 }));
      yield* settle;
      const leaving = yield* Effect.fork(Fiber.interrupt(creating));
      yield* gate.reached;
      const contender = yield* Effect.fork(create(home));
      const again = yield* Effect.fork(Fiber.interrupt(creating));
      yield* settle;
      expect([leaving.unsafePoll(), again.unsafePoll()]).toEqual([null, null]);
      expect((yield* home.tmux.requests).filter(creation).length).toBe(1);
      yield* gate.release;
      yield* Fiber.joinAll([leaving, again]);
      yield* TestClock.adjust("1 minute");
      expect((yield* Fiber.join(contender)).generation).toBe(2);
      expect(yield* home.rows).toEqual(["a/1 failed", "a/2 running"]);
      expect((yield* living(home)).length).toBe(1);
    }),
  );
});

describe("values of the environment", () => {
  const canary = "canary-value";
  const env = { TOKEN: Redacted.make(canary) };
  const endings: ReadonlyArray<readonly [string, FaultRule | null]> = [
    ["is confirmed", null],
    ["is refused", { fault: Fault.refuse("no\n"), matches: kill, times: 99 }],
    ["says nothing", { fault: Fault.silent, matches: kill, times: 99 }],
    ["is not answered", { fault: Fault.hang, matches: kill, times: 99 }],
    ["takes effect late", { fault: Fault.lateEffect, matches: kill, times: 99 }],
    ["meets a server that dies", { fault: Fault.crashBefore, matches: kill }],
  ];

  /** A program that tells the value it got, and one that ends. */
  const telling = Effect.sync(() => {
    const got: Array<string | undefined> = [];
    const agent = FakeTmux.program((run) => void got.push(run.env.get("TOKEN")));
    const failing = FakeTmux.program((run) => run.exit(9));
    return { got, programs: { agent, failing } };
  });

  for (const [how, rule] of endings) {
    it.scoped(`are nowhere behind a rollback whose kill ${how}, nor in the next session`, () =>
      Effect.gen(function* () {
        const { got, programs } = yield* telling;
        const home = yield* fakeHome({ tmux: { programs } });
        if (rule !== null) yield* home.tmux.inject(rule);
        const exit = yield* Effect.exit(pass(create(home, { command: ["failing"], env })));
        const shown = yield* home.tmux.client(["show-environment", "-t", "=a:"]);
        expect(JSON.stringify([exit, shown, ...home.store.records.values()])).not.toContain(canary);
        yield* home.tmux.clearFaults;
        yield* pass(create(home, { command: ["agent"] }));
        yield* home.tmux.release;
        expect([got, yield* home.inTmux]).toEqual([[undefined], ["a"]]);
      }),
    );
  }

  it.scoped("are forgotten by tmux also when the list that made the session broke off", () =>
    Effect.gen(function* () {
      const { got, programs } = yield* telling;
      const pipe = "pipe-pane -O -t =a:";
      const home = yield* fakeHome({
        tmux: { programs },
        transport: (tmux) => ({
          ...tmux,
          run: (request) =>
            tmux.run({
              ...request,
              stdin:
                request.stdin === null ? null : String(request.stdin).replace(pipe, `${pipe}x`),
            }),
        }),
      });
      yield* Effect.exit(pass(create(home, { command: ["agent"], env })));
      expect(got).toEqual([canary]);
      const shown = yield* home.tmux.client(["show-environment", "-t", "=a:"]);
      expect(shown.stdout).not.toContain("TOKEN=");
    }),
  );
});
