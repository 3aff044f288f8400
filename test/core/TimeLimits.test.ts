/**
 * Limits that the user asked for: what is over is deleted, with the reason in row and log, and
 * doubt never ends a session.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  enforceLimits,
  LookupFailed,
  limitsOf,
  OutputFiles,
  type RecorderState,
  Registry,
  type Sessions,
} from "@troupe/core";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Context, Effect, Exit, identity, Layer, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";
import { logInto } from "./LoggedLines.js";
import { told } from "./TurnHome.js";

const spec = { command: ["x"], cwd: "/", envNames: [], inheritEnv: false, log: true };
const record = (limits: { ttlMs?: number; idleTtlMs?: number }, state: "running" | "lost") => ({
  state,
  createdAt: 1_000,
  spec: { ...spec, columns: 80, rows: 24, ...limits },
});

/** When something was last printed, and what the recorder does, as a test says it. */
const recorded = () => {
  const facts: { at: number; recorder: RecorderState; fails: boolean } = {
    at: 0,
    recorder: "idle",
    fails: false,
  };
  const around = (files: OutputFiles["Type"]): OutputFiles["Type"] => ({
    ...files,
    read: (...asked) =>
      Effect.map(files.read(...asked), (range) => ({ ...range, recorder: facts.recorder })),
    left: Effect.suspend(() => {
      const where = { session: null, attempted: "look", detail: "hidden" };
      return facts.fails
        ? new LookupFailed({ ...where, source: "files", reason: "permission" })
        : Effect.map(files.left, (all) => all.map((one) => ({ ...one, at: facts.at })));
    }),
  });
  return { facts, around };
};

const events = (home: { readonly store: { readonly events: ReadonlyArray<{ body: unknown }> } }) =>
  home.store.events.flatMap(({ body }) =>
    typeof body === "object" && body !== null && "cause" in body && body.cause !== null
      ? [body]
      : [],
  );

describe("the limits of a session", () => {
  it("are its age, and the time since it last printed, which must be known", () => {
    const both = record({ ttlMs: 60_000, idleTtlMs: 5_000 }, "running");
    expect(limitsOf(both, 3_000)).toEqual([
      { at: 61_000, why: "time limit of 1m passed" },
      { at: 8_000, why: "time limit of 5s without output passed" },
    ]);
    expect(limitsOf(both, 0)[1]?.at).toBe(6_000);
    expect(limitsOf(both, null)).toHaveLength(1);
    expect(limitsOf(record({}, "running"), 0)).toEqual([]);
    expect(limitsOf(record({ ttlMs: 1 }, "lost"), 0)).toEqual([]);
  });
});

describe("a session whose limit passed", () => {
  it.scoped("is deleted by a reconcile, and row and log say why", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep, ttlMs: 200_000 }));
      yield* pass(home.sessions.create({ session: "b", ...sleep }));
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.rows).toEqual(["a/1 running", "b/1 running"]);
      yield* TestClock.adjust("1 minute");
      const [planned] = yield* home.sessions.reconcilePlan;
      expect(planned?.outcome).toMatchObject({
        right: { changed: true, after: "deleted", why: "time limit of 3m 20s passed" },
      });
      yield* pass(home.sessions.reconcileAll);
      expect([yield* home.rows, yield* home.inTmux]).toEqual([
        ["a/1 deleted", "b/1 running"],
        ["b"],
      ]);
      const cause = "time limit of 3m 20s passed";
      expect(events(home)).toEqual([
        { type: "session", state: "deleting", cause },
        { type: "session", state: "deleted", cause },
      ]);
    }),
  );

  it.scoped("stays while tmux cannot be asked, and while it is not seen there", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep, ttlMs: 1_000 }));
      yield* home.tmux.inject({
        fault: Fault.refuse("who knows"),
        matches: () => true,
      });
      expect(yield* told(pass(home.sessions.reconcile("a")))).toBe("LookupFailed");
      expect(yield* home.rows).toEqual(["a/1 running"]);
      yield* home.tmux.clearFaults;
      yield* home.tmux.crash;
      yield* pass(home.sessions.reconcile("a"));
      expect(yield* home.rows).toEqual(["a/1 lost"]);
      yield* pass(home.sessions.reconcile("a"));
      expect(yield* home.rows).toEqual(["a/1 lost"]);
    }),
  );

  it.scoped("stays while somebody else has windows in it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep, ttlMs: 1_000 }));
      yield* pass(home.sessions.create({ session: "b", ...sleep }));
      yield* home.tmux.client(["link-window", "-d", "-s", "=b:main", "-t", "=a:5"]);
      yield* home.tmux.client(["kill-session", "-t", "=b"]);
      const done = yield* pass(home.sessions.reconcile("a"));
      expect([done.after, yield* home.rows]).toEqual(["running", ["a/1 running", "b/1 running"]]);
    }),
  );

  it.scoped("and that is made anew by a restore lives its whole time again", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep, ttlMs: 150_000 }));
      yield* home.tmux.crash;
      yield* pass(home.sessions.reconcile("a"));
      yield* pass(home.sessions.restore("a"));
      yield* pass(home.sessions.reconcile("a"));
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
    }),
  );
});

describe("a session that prints nothing", () => {
  it.scoped("is deleted when that is known, and printing in time keeps it", () =>
    Effect.gen(function* () {
      const { around, facts } = recorded();
      const home = yield* fakeHome({ output: around });
      yield* pass(home.sessions.create({ session: "a", ...sleep, idleTtlMs: 300_000 }));
      yield* TestClock.adjust("4 minutes");
      facts.at = yield* TestClock.currentTimeMillis;
      yield* TestClock.adjust("4 minutes");
      yield* home.sessions.reconcile("a");
      expect(yield* home.rows).toEqual(["a/1 running"]);
      yield* TestClock.adjust("1 minute");
      yield* pass(home.sessions.reconcile("a"));
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
      expect(events(home).at(-1)).toMatchObject({
        cause: "time limit of 5m without output passed",
      });
    }),
  );

  for (const recorder of ["absent", "broken"] as const) {
    it.scoped(`stays while its recorder is ${recorder}: it may have printed`, () =>
      Effect.gen(function* () {
        const { around, facts } = recorded();
        const home = yield* fakeHome({ output: around });
        yield* pass(home.sessions.create({ session: "a", ...sleep, idleTtlMs: 1_000 }));
        facts.recorder = recorder;
        yield* pass(home.sessions.reconcile("a"));
        expect(yield* home.rows).toEqual(["a/1 running"]);
      }),
    );
  }

  it.scoped("stays while what it printed cannot be read, and cannot be asked for unrecorded", () =>
    Effect.gen(function* () {
      const { around, facts } = recorded();
      const home = yield* fakeHome({ output: around });
      facts.fails = true;
      yield* pass(home.sessions.create({ session: "a", ...sleep, idleTtlMs: 1_000 }));
      yield* pass(home.sessions.reconcile("a"));
      expect(yield* home.rows).toEqual(["a/1 running"]);
      const limits = { idleTtlMs: 1_000, log: false };
      const exit = yield* Effect.exit(home.sessions.create({ session: "b", ...sleep, ...limits }));
      expect([Exit.isFailure(exit), yield* home.rows]).toEqual([true, ["a/1 running"]]);
    }),
  );
});

/** Time limits as a host program has them, over what this home remembers. */
const hosted = Effect.fnUntraced(function* (
  { store }: FakeHome,
  sessions: Pick<Sessions["Type"], "reconcile">,
  around: (registry: Registry["Type"]) => Registry["Type"] = identity,
) {
  const files = { left: Effect.succeed([]) };
  const output = Layer.succeed(OutputFiles, files as unknown as OutputFiles["Type"]);
  const registry = yield* Layer.build(Registry.layerMemory(store, { owner: "host" }));
  return yield* enforceLimits(sessions).pipe(
    Effect.provide(output),
    Effect.provideService(Registry, around(Context.get(registry, Registry))),
  );
});

describe("a host program", () => {
  it.scoped("sleeps until the next limit, and finds within a minute those that others made", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep, ttlMs: 90_000 }));
      yield* Effect.forkScoped(hosted(home, home.sessions));
      yield* TestClock.adjust("29 seconds");
      expect(yield* home.rows).toEqual(["a/1 running"]);
      yield* TestClock.adjust("10 seconds");
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
      const other = yield* home.program("other");
      yield* pass(other.create({ session: "b", ...sleep, ttlMs: 1_000 }));
      yield* TestClock.adjust("2 minutes");
      expect(yield* home.rows).toEqual(["a/1 deleted", "b/1 deleted"]);
    }),
  );

  it.scoped("ends in time what began while it slept, and does not look for anything else", () =>
    Effect.gen(function* () {
      let looks = 0;
      const home = yield* fakeHome();
      const watched = (registry: Registry["Type"]): Registry["Type"] => ({
        ...registry,
        list: (options) =>
          Effect.suspend(() => {
            looks += 1;
            return registry.list(options);
          }),
      });
      yield* Effect.forkScoped(hosted(home, home.sessions, watched));
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* TestClock.adjust("5 seconds");
      const before = looks;
      yield* Effect.fork(home.sessions.addTerminal({ session: "a", command: ["sleep", "9"] }));
      yield* TestClock.adjust("5 seconds");
      expect([looks, (yield* home.record("a")).terminals.length]).toEqual([before, 2]);
      yield* Effect.fork(home.sessions.create({ session: "b", ...sleep, ttlMs: 1_000 }));
      yield* TestClock.adjust("4 seconds");
      expect(yield* home.rows).toEqual(["a/1 running", "b/1 deleted"]);
    }),
  );

  it.scoped("finishes at its next look what it began and could not end", () =>
    Effect.gen(function* () {
      const lines: Array<string> = [];
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep, ttlMs: 90_000 }));
      yield* Effect.forkScoped(logInto(lines, hosted(home, home.sessions)));
      const matches = ({ attempted }: TmuxRequest): boolean => attempted === "kill";
      yield* home.tmux.inject({ fault: Fault.hang, matches, times: 999 });
      yield* TestClock.adjust("1 minute");
      expect(yield* home.rows).toEqual(["a/1 deleting"]);
      yield* home.tmux.clearFaults;
      yield* TestClock.adjust("1 minute");
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted"], []]);
      expect(lines.join("\n")).toMatch(/^WARN a is over,time limit of 1m 30s passed/);
      expect((yield* home.record("a")).cause).toBe("time limit of 1m 30s passed");
      const asked = (yield* home.tmux.requests).length;
      yield* TestClock.adjust("5 minutes");
      expect(yield* home.tmux.requests).toHaveLength(asked);
    }),
  );

  it.scoped("finishes what it began although somebody had the name at its next look", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep, ttlMs: 90_000 }));
      yield* Effect.forkScoped(hosted(home, home.sessions));
      const matches = ({ attempted }: TmuxRequest): boolean => attempted === "kill";
      yield* home.tmux.inject({ fault: Fault.hang, matches, times: 999 });
      yield* TestClock.adjust("1 minute");
      yield* home.tmux.clearFaults;
      const { session } = yield* home.record("a");
      yield* home.store.declare("other", "alive");
      const [claim] = home.store.claims.values();
      if (claim === undefined) return yield* Effect.dieMessage("nobody had the name");
      home.store.claims.set(session, { ...claim, owner: "other", epoch: claim.epoch + 1 });
      yield* TestClock.adjust("1 minute");
      expect(yield* home.rows).toEqual(["a/1 deleting"]);
      home.store.claims.set(session, { ...claim, owner: null, epoch: claim.epoch + 1 });
      yield* TestClock.adjust("1 minute");
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted"], []]);
    }),
  );

  it.scoped("says so where a bug ends its looks", () =>
    Effect.gen(function* () {
      const lines: Array<string> = [];
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep, ttlMs: 1_000 }));
      const broken = { reconcile: () => Effect.dieMessage("a reconcile's bug") };
      const exit = yield* Effect.exit(logInto(lines, hosted(home, broken)));
      expect(Exit.isFailure(exit)).toBe(true);
      expect(lines.join("\n")).toMatch(/^ERROR time limits are not.*a reconcile's bug/s);
    }),
  );
});
