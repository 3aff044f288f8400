/**
 * AdoptStranger: a session of somebody else is taken under management when that is asked for, whole
 * or not at all, and what runs in it is never touched, whatever fails on the way.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, RegistryUnavailable } from "@troupe/core";
import { type FakeMachineOptions, Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** A server of ours, and in it a session that a user made. */
const withStranger = Effect.fnUntraced(function* (options: FakeMachineOptions = {}) {
  const home = yield* fakeHome(options);
  yield* pass(home.sessions.create({ session: "ours", ...sleep }));
  const words = ["-s", "a", "-x", "91", "-y", "31", "-c", "/repo", "--", "sleep", "1000"];
  yield* home.tmux.client(["new-session", "-d", ...words]);
  return home;
});

const marking = (request: TmuxRequest): boolean => String(request.stdin).includes("@troupe-spec");

const programs = (home: FakeHome) =>
  Effect.map(home.tmux.processes, (all) =>
    all.flatMap((p) => (p.program === "sleep" && p.state === "running" ? [p.pid] : [])),
  );

describe("a session that a user made", () => {
  it.scoped("is adopted with its panes as terminals, and what runs in it runs on", () =>
    Effect.gen(function* () {
      const home = yield* withStranger();
      yield* home.tmux.client(["new-window", "-d", "-t", "=a:", "--", "sleep", "3000"]);
      const before = yield* programs(home);
      const view = yield* pass(home.sessions.adopt("a"));
      expect(view).toMatchObject({ state: "running", cause: "adopted", generation: 1 });
      expect(view.spec).toMatchObject({ cwd: "/repo", columns: 91, rows: 31 });
      expect(view.spec.command).toEqual(["/bin/sh", "-c", "sleep 1000"]);
      expect(view.terminals.map(({ state, terminal }) => [terminal, state])).toEqual([
        ["main", "running"],
        ["t2", "running"],
      ]);
      expect(yield* programs(home)).toEqual(before);
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ changed: false });
    }),
  );

  it.scoped("is ours from then on: its end has a code, it can be restored and deleted", () =>
    Effect.gen(function* () {
      const home = yield* withStranger();
      yield* pass(home.sessions.adopt("a"));
      yield* home.tmux.exitProgram("a", 7);
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ after: "exited" });
      expect((yield* home.record("a")).terminals[0]?.exit).toMatchObject({ code: 7 });
      expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ generation: 2 });
      yield* pass(home.sessions.delete("a"));
      expect(yield* home.inTmux).toEqual(["ours"]);
    }),
  );

  it.scoped("that has a name which ours had before is adopted as the next generation", () =>
    Effect.gen(function* () {
      const home = yield* withStranger();
      yield* home.tmux.client(["rename-session", "-t", "=a", "b"]);
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* pass(home.sessions.delete("a"));
      yield* home.tmux.client(["rename-session", "-t", "=b", "a"]);
      expect(yield* pass(home.sessions.adopt("a"))).toMatchObject({ generation: 2 });
    }),
  );

  it.scoped("is never adopted by anything but that: no reconcile, no create, no restore", () =>
    Effect.gen(function* () {
      const home = yield* withStranger();
      yield* pass(home.sessions.reconcileAll);
      yield* Effect.flip(pass(home.sessions.create({ session: "a", ...sleep })));
      yield* Effect.flip(pass(home.sessions.reconcile("a")));
      expect((yield* home.rows).filter((row) => row.startsWith("a/"))).toEqual([]);
      const shown = yield* home.tmux.client(["show-options", "-t", "=a:"]);
      expect(shown.stdout).not.toContain("@troupe");
    }),
  );
});

describe("an adopt that is refused", () => {
  it.scoped("for a name that tmux does not have makes no home, also for a part of one", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      expect((yield* Effect.flip(home.sessions.adopt("a")))._tag).toBe("NotFound");
      expect(home.store.claims.size).toBe(0);
      const other = yield* withStranger();
      yield* other.tmux.client(["rename-session", "-t", "=a", "abc"]);
      expect((yield* Effect.flip(pass(other.sessions.adopt("a"))))._tag).toBe("NotFound");
    }),
  );

  it.scoped("for a session of ours is AlreadyExists with its state", () =>
    Effect.gen(function* () {
      const home = yield* withStranger();
      const error = yield* Effect.flip(pass(home.sessions.adopt("ours")));
      expect(error).toMatchObject({ _tag: "AlreadyExists", state: "running" });
    }),
  );

  for (const [what, options] of [
    ["the mark of another home", { inc: "incarnation-9", home: "home2", gen: "1" }],
    ["half a mark", { inc: "incarnation-9" }],
    ["a mark with nothing in it that can be read", { home: "two words" }],
  ] as const) {
    it.scoped(`for one that carries ${what} is ForeignSession, and nothing is changed`, () =>
      Effect.gen(function* () {
        const home = yield* withStranger();
        for (const [name, value] of Object.entries(options)) {
          yield* home.tmux.client(["set-option", "-t", "=a:", `@troupe-${name}`, value]);
        }
        const show = ["show-options", "-t", "=a:"];
        const before = (yield* home.tmux.client(show)).stdout;
        expect((yield* Effect.flip(pass(home.sessions.adopt("a"))))._tag).toBe("ForeignSession");
        expect((yield* home.tmux.client(show)).stdout).toBe(before);
        expect((yield* home.rows).length).toBe(1);
      }),
    );
  }

  it.scoped("when tmux cannot be asked is unknown, and nothing is changed", () =>
    Effect.gen(function* () {
      const home = yield* withStranger();
      const looks = (request: TmuxRequest) => request.attempted === "adopt";
      yield* home.tmux.inject({ fault: Fault.silent, matches: looks, times: 9 });
      expect((yield* Effect.flip(pass(home.sessions.adopt("a"))))._tag).toBe("LookupFailed");
      expect((yield* home.rows).length).toBe(1);
    }),
  );
});

describe("an adopt whose server loses its socket", () => {
  /** How an adopt ends whose socket goes before so many calls of tmux; `null`: it was over. */
  const lostBefore = Effect.fnUntraced(function* (calls: number) {
    let left = Number.POSITIVE_INFINITY;
    let unlink: Effect.Effect<void> = Effect.void;
    const home = yield* fakeHome({
      transport: (real) => ({
        ...real,
        run: (request) =>
          Effect.zipRight(
            Effect.suspend(() => (--left === 0 ? unlink : Effect.void)),
            real.run(request),
          ),
      }),
    });
    yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
    unlink = home.tmux.unlinkSocket;
    left = calls;
    const adopted = yield* Effect.either(pass(home.sessions.adopt("a")));
    if (left > 0) return null;
    return adopted._tag === "Left" ? adopted.left._tag : adopted.right.state;
  });

  it.scoped("never says that there is no such session, which is out of reach", () =>
    Effect.gen(function* () {
      const told: Array<string> = [];
      for (let calls = 1; ; calls++) {
        const end = yield* lostBefore(calls);
        if (end === null) break;
        told.push(end);
      }
      expect(told.length).toBeGreaterThan(4);
      expect(told).toContain("LookupFailed");
      expect(told).not.toContain("NotFound");
    }),
  );
});

describe("an adopt that is cut off", () => {
  it.scoped("before it marked anything leaves a stranger", () =>
    Effect.gen(function* () {
      const home = yield* withStranger();
      const other = yield* home.program("crashed");
      const gate = yield* home.tmux.hold({ where: "before", matches: marking });
      yield* Effect.forkScoped(Effect.exit(other.adopt("a")));
      yield* gate.reached;
      yield* home.store.declare("crashed", "dead");
      yield* pass(home.sessions.reconcileAll);
      expect([yield* home.inTmux, yield* home.rows]).toEqual([["a", "ours"], ["ours/1 running"]]);
    }),
  );

  it.scoped("behind the mark is finished by a reconcile, and never undone by a kill", () =>
    Effect.gen(function* () {
      const home = yield* withStranger();
      const before = yield* programs(home);
      const other = yield* home.program("crashed");
      const gate = yield* home.tmux.hold({ where: "after", matches: marking });
      yield* Effect.forkScoped(Effect.exit(other.adopt("a")));
      yield* gate.reached;
      yield* home.store.declare("crashed", "dead");
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.rows).toEqual(["ours/1 running", "a/1 running"]);
      expect(yield* programs(home)).toEqual(before);
    }),
  );

  it.scoped("behind the mark is finished also where the name had an older generation", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* pass(home.sessions.delete("a"));
      yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
      const other = yield* home.program("crashed");
      const gate = yield* home.tmux.hold({ where: "after", matches: marking });
      yield* Effect.forkScoped(Effect.exit(other.adopt("a")));
      yield* gate.reached;
      yield* home.store.declare("crashed", "dead");
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
    }),
  );

  it.scoped("by an answer that is lost is looked up behind a raised fence", () =>
    Effect.gen(function* () {
      const home = yield* withStranger();
      yield* home.tmux.inject({ fault: Fault.effectWithoutReply, matches: marking });
      expect(yield* pass(home.sessions.adopt("a"))).toMatchObject({ state: "running" });
      expect(yield* home.rows).toContain("a/1 running");
    }),
  );

  it.scoped(
    "by a client that did nothing is unknown, and leaves a stranger also when it is late",
    () =>
      Effect.gen(function* () {
        const home = yield* withStranger();
        yield* home.tmux.inject({ fault: Fault.lateEffect, matches: marking });
        expect((yield* Effect.flip(pass(home.sessions.adopt("a"))))._tag).toBe("LookupFailed");
        yield* home.tmux.release;
        yield* pass(home.sessions.reconcileAll);
        expect(yield* home.rows).toEqual(["ours/1 running"]);
        const shown = yield* home.tmux.client(["show-options", "-t", "=a:"]);
        expect(shown.stdout).not.toContain("@troupe");
      }),
  );
});

describe("an adopt that fails behind its mark", () => {
  const full = new RegistryUnavailable({ session: "a", attempted: "commit", detail: "no room" });

  /** A home whose registry fails so, once `now` is set. */
  const failing = (fail: (store: Registry["Type"]) => Partial<Registry["Type"]>) =>
    Effect.gen(function* () {
      const fault = { now: false };
      const home = yield* withStranger({
        registry: (store: Registry["Type"]) => {
          const { commit = store.commit, find = store.find } = fail(store);
          return {
            ...store,
            commit: (...args) => (fault.now ? commit : store.commit)(...args),
            find: (incarnation) => (fault.now ? find : store.find)(incarnation),
          };
        },
      });
      fault.now = true;
      const error = yield* Effect.flip(pass(home.sessions.adopt("a")));
      expect(error).toMatchObject({ _tag: "RegistryUnavailable", detail: "no room" });
      fault.now = false;
      const options = ["show-options", "-t", "=a:"];
      return { home, options: (yield* home.tmux.client(options)).stdout };
    });

  it.scoped("takes it off again: the session is a stranger, and can be adopted later", () =>
    Effect.gen(function* () {
      const { home, options } = yield* failing(() => ({ commit: () => full }));
      expect(options).not.toContain("@troupe");
      const shown = yield* home.tmux.client(["show-options", "-p", "-t", "=a:"]);
      expect(shown.stdout).not.toContain("@troupe");
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.rows).toEqual(["ours/1 running"]);
      expect(yield* pass(home.sessions.adopt("a"))).toMatchObject({ generation: 1 });
    }),
  );

  it.scoped("leaves it where the row was written all the same", () =>
    Effect.gen(function* () {
      const { home, options } = yield* failing((store) => ({
        commit: (...args) => Effect.zipRight(store.commit(...args), full),
      }));
      expect(options).toContain("@troupe-inc");
      expect(yield* home.rows).toEqual(["ours/1 running", "a/1 running"]);
    }),
  );

  it.scoped("leaves it where it cannot be known whether a row was written", () =>
    Effect.gen(function* () {
      const { home, options } = yield* failing(() => ({ commit: () => full, find: () => full }));
      expect(options).toContain("@troupe-inc");
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.rows).toEqual(["ours/1 running", "a/1 running"]);
    }),
  );
});
