/**
 * Writers that nobody uses are let go; whatever speaks against it keeps them, each by itself.
 */
import { describe, expect, it } from "@effect/vitest";
import { ActorId, AwakeMillis, type SessionHandle } from "@troupe/core";
import { Deferred, Effect, Exit, Scope } from "effect";
import { idleRelease } from "../../packages/core/src/IdleRelease.js";
import { type AttachHome, attachHome, come, later, stateOf } from "./AttachHome.js";
import { pass } from "./FakeHome.js";
import { heldTurn, settle, turnHome } from "./TurnHome.js";

const hours = 3600;

describe("a writer that nobody uses", () => {
  it.scoped("goes after more than 6 h, with its lease, and is told of; the session stays", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      yield* home.handle.runTurn(() => Effect.void);
      yield* later(6 * hours);
      expect([yield* stateOf(home.handle), home.leased()]).toEqual([
        "Unattended 0",
        ["a 1 session"],
      ]);
      yield* later(0.001);
      yield* settle;
      expect([yield* stateOf(home.handle), home.leased()]).toEqual(["Gone idle_timeout", []]);
      expect(home.announced.map(({ reason }) => reason)).toEqual(["idle_timeout"]);
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 running"], ["a"]]);
      const next = yield* home.one.handles.get("a");
      yield* next.runTurn(() => Effect.void);
    }),
  );

  it.scoped("counts from its last use, and in time awake", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      yield* later(5 * hours);
      yield* home.suspend("24 hours");
      yield* home.handle.runTurn(() => Effect.void);
      yield* later(6 * hours);
      expect(yield* stateOf(home.handle)).toBe("Unattended 0");
      yield* later(301);
      expect(yield* stateOf(home.handle)).toBe("Gone idle_timeout");
    }),
  );
});

/** What keeps a writer, each by itself. */
const exempt: ReadonlyArray<
  readonly [string, (home: AttachHome) => Effect.Effect<SessionHandle, unknown, Scope.Scope>]
> = [
  ["a client", (home) => Effect.as(home.handle.attach({ id: "c" }), home.handle)],
  ["a turn that runs", (home) => Effect.as(heldTurn(home.handle), home.handle)],
  ["work that is held", (home) => Effect.as(home.handle.busy, home.handle)],
  [
    "work that is not known",
    ({ one }) => one.handles.get("a", { anew: true, background: Effect.fail("no") }),
  ],
  ["a tmux client", (home) => Effect.as(home.tmux.attach("a", "/dev/pts/1"), home.handle)],
  ["that nobody can look", (home) => Effect.as(home.tmux.denySocket(true), home.handle)],
];

it.scoped("who is refused has not used the writer", () =>
  Effect.gen(function* () {
    const home = yield* attachHome();
    for (let hour = 0; hour < 8; hour += 1) {
      yield* later(3600);
      yield* Effect.exit(come(home.handle, { id: "c", isClosed: () => true }));
    }
    expect(yield* stateOf(home.handle)).toBe("Gone idle_timeout");
  }),
);

describe("idle", () => {
  it.scoped("counts from the end of work, and from the look that saw somebody", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({}, "a", "b");
      const { handles } = yield* home.hosting("one");
      const [a, b] = [yield* handles.get("a"), yield* handles.get("b")];
      const work = yield* Scope.make();
      yield* Scope.extend(a.busy, work);
      yield* home.tmux.attach("b", "/dev/pts/1");
      yield* later(7 * hours);
      yield* Scope.close(work, Exit.void);
      yield* home.tmux.detach("/dev/pts/1");
      yield* later(301);
      expect([yield* stateOf(a), yield* stateOf(b)]).toEqual(["Unattended 0", "Unattended 0"]);
      yield* later(7 * hours);
      expect([yield* stateOf(a), yield* stateOf(b)]).toEqual([
        "Gone idle_timeout",
        "Gone idle_timeout",
      ]);
    }),
  );
});

describe("what is in use", () => {
  it.scoped.each(exempt)("by %s stays, however long", ([, made]) =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const handle = yield* Effect.orDie(made(home));
      yield* later(7 * hours);
      expect((yield* handle.attachment)._tag).not.toMatch(/Reaping|Gone/);
    }),
  );

  it.scoped("by a turn that begins between the look and the end stays", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const asked = yield* Deferred.make<void>();
      const answer = yield* Deferred.make<boolean>();
      const background = Effect.zipRight(
        Deferred.succeed(asked, undefined),
        Deferred.await(answer),
      );
      const handle = yield* home.one.handles.get("a", { anew: true, background });
      yield* later(6 * hours + 0.001);
      yield* Deferred.await(asked);
      const turn = yield* heldTurn(handle);
      yield* Deferred.succeed(answer, false);
      yield* settle;
      expect(yield* handle.state).toBe("open");
      yield* turn.open;
    }),
  );
});

describe("where too many writers are there", () => {
  it.scoped(
    "those used longest ago go, a moment later and down to the bound, but none in use",
    () =>
      Effect.gen(function* () {
        const names = ["a", "b", "c", "d", "e"];
        const home = yield* turnHome({ settings: { liveWriters: 3 } }, ...names);
        const { handles } = yield* home.hosting("one");
        const all: Array<SessionHandle> = [];
        for (const name of names) {
          all.push(yield* handles.get(name));
          yield* later(0.01);
        }
        yield* later(0.06);
        expect(yield* Effect.forEach(all, stateOf)).toEqual(names.map(() => "Unattended 0"));
        yield* later(0.1);
        yield* settle;
        expect(yield* Effect.forEach(all, stateOf)).toEqual([
          ...["Gone lru_evict", "Gone lru_evict"],
          ...["Unattended 0", "Unattended 0", "Unattended 0"],
        ]);
        const scope = yield* Scope.make();
        for (const handle of all.slice(2)) yield* Scope.extend(handle.attend, scope);
        const again = yield* handles.get("a");
        yield* later(1);
        yield* settle;
        expect([yield* again.state, yield* Effect.forEach(all.slice(2), (h) => h.state)]).toEqual([
          "ending",
          ["open", "open", "open"],
        ]);
        yield* Scope.close(scope, Exit.void);
        expect(yield* pass(home.rows)).toHaveLength(5);
        yield* come(yield* handles.get("b"), "c");
      }),
  );
});

/** Writers of these names, beyond a bound, of which the first is looked at for a second. */
const beyond = (liveWriters: number, ...names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const home = yield* turnHome({ settings: { liveWriters } }, ...names);
    const { handles } = yield* home.hosting("one");
    const background = Effect.as(Effect.sleep("1 second"), false);
    const all: Array<SessionHandle> = [];
    for (const name of names) {
      all.push(yield* handles.get(name, name === names[0] ? { background } : {}));
      yield* later(0.001);
    }
    yield* later(0.3);
    return all;
  });

describe("down to the bound and no further go those that are too many,", () => {
  it.scoped.each([
    [1, ["Gone lru_evict", "Gone explicit_close", "Unattended 0", "Unattended 0", "Unattended 0"]],
    [
      2,
      [
        "Unattended 0",
        "Gone explicit_close",
        "Gone explicit_close",
        ...[0, 0].map(() => "Unattended 0"),
      ],
    ],
  ] as const)("also where %d others end while the first is looked at", ([count, expected]) =>
    Effect.gen(function* () {
      const all = yield* beyond(3, "a", "b", "c", "d", "e");
      for (const handle of all.slice(1, 1 + count)) yield* handle.end("explicit_close");
      yield* later(5);
      yield* settle;
      expect(yield* Effect.forEach(all, stateOf)).toEqual(expected);
    }),
  );

  it.scoped("and a bound of none is no bound, for which nobody looks", () =>
    Effect.gen(function* () {
      let looks = 0;
      const sleepUntil = () =>
        Effect.zipRight(
          Effect.sync(() => void looks++),
          Effect.never,
        );
      const at = AwakeMillis(0);
      const writer = { openedAt: at, usedAt: at, isIdle: true, actor: ActorId.make("x") };
      const opened = yield* idleRelease({
        awake: { now: Effect.succeed(at), sleepUntil },
        bounds: { idleReleaseMs: 0, liveWriters: 0, idleLookMs: 1, evictDelayMs: 1 },
        writers: () => [{ ...writer, evict: () => Effect.succeed(false) }],
        scope: yield* Effect.scope,
      });
      yield* opened;
      yield* settle;
      expect(looks).toBe(0);
    }),
  );
});

describe("the bound on their number is kept", () => {
  it.scoped("by the next one where the one used longest ago is looked at", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({ settings: { liveWriters: 2 } }, "a", "b", "c");
      const { handles } = yield* home.hosting("one");
      yield* home.tmux.attach("a", "/dev/pts/1");
      const states: Array<SessionHandle> = [];
      for (const name of ["a", "b", "c"]) {
        states.push(yield* handles.get(name));
        yield* later(0.001);
      }
      yield* later(60);
      expect(yield* Effect.forEach(states, stateOf)).toEqual([
        "Unattended 0",
        "Gone lru_evict",
        "Unattended 0",
      ]);
    }),
  );

  it.scoped("when those that were in use are not any more", () =>
    Effect.gen(function* () {
      const settings = { liveWriters: 1, orphanGraceMs: 0 };
      const home = yield* turnHome({ settings }, "a", "b");
      const { handles } = yield* home.hosting("one");
      const [a, b] = [yield* handles.get("a"), yield* handles.get("b")];
      const [one, two] = [yield* come(a, "c"), yield* come(b, "c")];
      yield* later(1);
      yield* one.leave;
      yield* later(1);
      yield* two.leave;
      yield* later(3600);
      expect([yield* stateOf(a), yield* stateOf(b)]).toEqual(["Gone lru_evict", "Detached 1"]);
    }),
  );
});
