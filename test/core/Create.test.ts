/**
 * Create: all or nothing, whatever happens at each call to tmux, on the fake.
 *
 * Method: a fault is injected at the creation, or the program or the caller ends at a gate; then
 * sessions in tmux, rows, claims and the fence are what they must be.
 */
import { describe, expect, it } from "@effect/vitest";
import type { LookupFailed } from "@troupe/core";
import { FakeTmux, Fault, type FaultRule } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Exit, Fiber, Redacted, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const creation = (request: TmuxRequest): boolean =>
  request.attempted === "create" &&
  request.session !== null &&
  request.stdin !== null &&
  String(request.stdin).includes("new-session");

const create = (home: FakeHome, options: object = {}) =>
  home.sessions.create({ session: "a", ...sleep, ...options });

/** Neither session nor an active row, nor a claim that is held. */
const expectNothing = Effect.fnUntraced(function* (home: FakeHome) {
  expect(yield* home.inTmux).toEqual([]);
  expect((yield* home.rows).filter((row) => !/ (failed|deleted)$/.test(row))).toEqual([]);
  expect([...home.store.claims.values()].filter(({ owner }) => owner !== null)).toEqual([]);
});

describe("a create that is refused before anything is done", () => {
  for (const [what, options, tag] of [
    ["a directory that is missing", { cwd: "/missing" }, "InvalidCwd"],
    ["a relative directory", { cwd: "here" }, "InvalidCwd"],
    ["a program that is missing", { command: ["/no/such"] }, "StartFailed"],
    ["a variable with a bad name", { env: { "A=B": "x" } }, "InvalidEnv"],
  ] as const) {
    it.scoped(`for ${what} makes no row and asks tmux nothing`, () =>
      Effect.gen(function* () {
        const host = { missingDirectories: ["/missing"], missingPrograms: ["/no/such"] };
        const home = yield* fakeHome({ host });
        expect((yield* Effect.flip(create(home, options)))._tag).toBe(tag);
        expect([yield* home.tmux.requests, yield* home.rows]).toEqual([[], []]);
      }),
    );
  }

  it.scoped("because a session of ours has the name says AlreadyExists with its state", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(create(home));
      expect(yield* Effect.flip(pass(create(home)))).toMatchObject({
        _tag: "AlreadyExists",
        state: "running",
      });
    }),
  );

  it.scoped("because a stranger has the name says ForeignSession and leaves it alone", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
      expect((yield* Effect.flip(pass(create(home))))._tag).toBe("ForeignSession");
      expect([yield* home.inTmux, yield* home.rows]).toEqual([["a"], []]);
    }),
  );

  it.scoped("because a stranger takes the name behind the look says so, and rolls back", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const gate = yield* home.tmux.hold({ where: "before", matches: creation });
      const fiber = yield* Effect.fork(Effect.flip(pass(create(home))));
      yield* gate.reached;
      yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
      yield* gate.release;
      expect((yield* Fiber.join(fiber))._tag).toBe("ForeignSession");
      expect([yield* home.inTmux, yield* home.rows]).toEqual([["a"], ["a/1 failed"]]);
    }),
  );
});

describe("a create with a request id", () => {
  it.scoped("makes one session, however often it is sent, also after its caller was cut off", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const first = yield* pass(create(home, { requestId: "r1" }));
      const again = yield* pass(create(home, { requestId: "r1" }));
      expect(again).toMatchObject({ incarnation: first.incarnation, seen: { state: "present" } });
      expect(yield* home.rows).toEqual(["a/1 running"]);
      const other = yield* Effect.flip(pass(create(home, { requestId: "r2" })));
      expect(other._tag).toBe("AlreadyExists");
    }),
  );

  it.scoped("gives the session that it made after that was deleted, and makes no other", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(create(home, { requestId: "r1" }));
      yield* pass(home.sessions.delete("a"));
      expect(yield* pass(create(home, { requestId: "r1" }))).toMatchObject({
        generation: 1,
        state: "deleted",
        seen: { state: "absent" },
      });
    }),
  );

  it.scoped("tries again after a create that failed", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const bad = { requestId: "r1", command: ["false"] };
      yield* Effect.flip(pass(create(home, bad)));
      expect(yield* pass(create(home, { requestId: "r1" }))).toMatchObject({ generation: 2 });
    }),
  );

  it.scoped("that made a session of another name is AlreadyExists and names that", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(create(home, { requestId: "r1" }));
      const error = yield* Effect.flip(pass(create(home, { session: "b", requestId: "r1" })));
      expect(error).toMatchObject({ _tag: "AlreadyExists", session: "a" });
    }),
  );
});

describe("a create that replaces", () => {
  it.scoped("deletes what holds the name and creates, with nothing in between", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(create(home));
      const [replaced, reconciled] = yield* pass(
        Effect.all([create(home, { replace: true }), home.sessions.reconcile("a")], {
          concurrency: "unbounded",
        }),
      );
      expect([replaced.generation, reconciled.generation]).toEqual([2, 2]);
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
      expect(yield* home.inTmux).toEqual(["a"]);
    }),
  );

  it.scoped(
    "does not touch a stranger, and makes nothing when the delete cannot be confirmed",
    () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* pass(create(home));
        yield* home.tmux.inject({ fault: Fault.hang, matches: (r) => r.attempted === "kill" });
        const error = yield* Effect.flip(pass(create(home, { replace: true })));
        expect(error._tag).toBe("KillUnconfirmed");
        expect(yield* home.rows).toEqual(["a/1 deleting"]);
        const other = yield* fakeHome();
        yield* other.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
        const stranger = yield* Effect.flip(pass(create(other, { replace: true })));
        expect(stranger._tag).toBe("ForeignSession");
      }),
  );
});

const faults: ReadonlyArray<readonly [string, FaultRule["fault"], string]> = [
  ["is refused with a text that nobody knows", Fault.refuse("what?\n"), "LookupFailed"],
  ["ends with 0 and does nothing", Fault.silent, "LookupFailed"],
  ["is never answered and never done", Fault.hang, "LookupFailed"],
  ["is done later, when nobody waits any more", Fault.lateEffect, "LookupFailed"],
  ["meets a server that dies before it", Fault.crashBefore, "LookupFailed"],
  ["meets a server that dies behind it", Fault.crashAfter, "LookupFailed"],
];

describe("a creation in tmux that", () => {
  for (const [what, fault, tag] of faults) {
    it.scoped(`${what} leaves nothing, also when it takes effect late`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* home.tmux.inject({ fault, matches: creation });
        expect((yield* Effect.flip(pass(create(home))))._tag).toBe(tag);
        yield* home.tmux.release;
        yield* expectNothing(home);
        yield* home.tmux.clearFaults;
        expect(yield* pass(create(home))).toMatchObject({ generation: 2, state: "running" });
      }),
    );
  }

  for (const [what, fault] of [
    ["loses its reply", Fault.effectWithoutReply],
    ["has its reply cut", Fault.shortened],
    ["has its reply garbled", Fault.garbled],
  ] as const) {
    it.scoped(`${what} is found by its mark, and the create succeeds`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* home.tmux.inject({ fault, matches: creation });
        expect(yield* pass(create(home))).toMatchObject({ state: "running" });
        expect(yield* home.inTmux).toEqual(["a"]);
      }),
    );
  }
});

describe("the start window", () => {
  it.scoped(
    "that a program does not live through is StartFailed with its code and last words",
    () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        const command = ["sh", "-c", "echo why; exit 7"];
        expect(yield* Effect.flip(pass(create(home, { command })))).toMatchObject({
          _tag: "StartFailed",
          code: 7,
          output: "why",
        });
        yield* expectNothing(home);
      }),
  );

  it.scoped("in which a program ends with 0 makes a session that is exited", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const view = yield* pass(create(home, { command: ["true"] }));
      expect(view).toMatchObject({ state: "exited", terminals: [{ exit: { code: 0 } }] });
    }),
  );

  it.scoped("in which the session vanishes is StartFailed", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const fiber = yield* Effect.fork(Effect.flip(create(home, { startWindowMs: 5000 })));
      yield* TestClock.adjust("1 second");
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* TestClock.adjust("1 minute");
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "StartFailed", reason: "vanished" });
      yield* expectNothing(home);
    }),
  );

  it.scoped("of 0 does not wait and does not look again", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      expect(yield* create(home, { startWindowMs: 0 })).toMatchObject({ state: "running" });
    }),
  );

  it.scoped("that a caller leaves ends in a rollback before the caller is interrupted", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const fiber = yield* Effect.fork(create(home, { startWindowMs: 5000 }));
      yield* TestClock.adjust("1 second");
      expect(yield* home.inTmux).toEqual(["a"]);
      const interrupting = yield* Effect.fork(Fiber.interrupt(fiber));
      yield* TestClock.adjust("10 seconds");
      expect(Exit.isInterrupted(yield* Fiber.join(interrupting))).toBe(true);
      yield* expectNothing(home);
    }),
  );

  it.scoped("masks the values of this create in what the program printed", () =>
    Effect.gen(function* () {
      const leak = FakeTmux.program((run) => {
        run.write(`token ${run.env.get("TOKEN")}\n`);
        run.exit(1);
      });
      const home = yield* fakeHome({ tmux: { programs: { leak } } });
      const env = { TOKEN: Redacted.make("canary-value") };
      const error = yield* Effect.flip(pass(create(home, { command: ["leak"], env })));
      expect(error).toMatchObject({ _tag: "StartFailed", output: "token ***" });
      expect(JSON.stringify([...home.store.records.values()])).not.toContain("canary");
    }),
  );
});

describe("a rollback", () => {
  it.scoped("whose kill cannot be confirmed says so with both causes, and leaves the row", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const kill = (request: TmuxRequest) => String(request.stdin).includes("kill-session");
      yield* home.tmux.inject({ fault: Fault.hang, matches: kill, times: 99 });
      const command = ["sh", "-c", "exit 3"];
      const error = yield* Effect.flip(pass(create(home, { command })));
      expect(error).toMatchObject({ _tag: "KillUnconfirmed" });
      expect((error as { after?: string }).after).toContain("code 3");
      expect(yield* home.rows).toEqual(["a/1 creating"]);
      yield* home.tmux.clearFaults;
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ after: "failed" });
      yield* expectNothing(home);
    }),
  );

  it.scoped("of an unknown server changes nothing", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(create(home));
      const before = JSON.stringify([...home.store.records.values()]);
      yield* home.tmux.stop;
      const other = home.sessions.create({ session: "b", ...sleep });
      const error = yield* Effect.flip(pass(other));
      expect((error as LookupFailed).reason).toBe("timeout");
      expect(JSON.stringify([...home.store.records.values()])).toBe(before);
    }),
  );
});
