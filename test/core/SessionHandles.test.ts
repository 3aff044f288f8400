/**
 * The writers of a program: one for a name, until it is over; nothing is claimed by asking.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Exit, Fiber, Scope, Stream } from "effect";
import { attachHome, later, stateOf } from "./AttachHome.js";
import { pass } from "./FakeHome.js";
import { logInto } from "./LoggedLines.js";
import { heldTurn, settle, told, turnHome } from "./TurnHome.js";

describe("the writer of a name", () => {
  it.scoped("is the same for who asks twice, also at once, and another when that is wanted", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const all = yield* Effect.all([handles.get("a"), handles.get("a"), handles.get("a")], {
        concurrency: "unbounded",
      });
      expect(new Set(all).size).toBe(1);
      const anew = yield* handles.get("a", { anew: true });
      expect(anew.actor).not.toBe(all[0]?.actor);
      expect(yield* handles.get("a")).toBe(anew);
      expect(home.leased()).toEqual([]);
    }),
  );

  it.scoped("that is there hears what who asks again wants of it", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      let works = true;
      const background = Effect.sync(() => works);
      const { handles } = home.one;
      yield* handles.get("a", { background: Effect.succeed(false) });
      const handle = yield* handles.get("a", { background, expectsClient: true });
      expect([handle === home.handle, yield* stateOf(handle)]).toEqual([true, "Detached 1"]);
      yield* later(60);
      expect(yield* stateOf(handle)).toBe("Detached 1");
      works = false;
      yield* later(20);
      expect(yield* stateOf(handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("is of a session that is there", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      expect(yield* told(handles.get("never"))).toBe("NotFound");
      expect(yield* told(handles.get("no name"))).toBe("InvalidName");
      yield* pass(home.sessions.delete("a"));
      expect(yield* told(handles.get("a"))).toBe("NotFound");
    }),
  );

  it.scoped("for a lease that a parent vouched for is one that works under that lease", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const child = yield* home.hosting("child");
      const parent = yield* one.handles.get("a");
      const own = yield* child.handles.get("a");
      yield* parent.runTurn(() =>
        Effect.gen(function* () {
          const vouch = yield* Effect.flatten(parent.vouch);
          const lease = yield* child.leases.borrow(vouch, parent.session);
          const lent = yield* child.handles.get("a", { lease });
          expect(lent).not.toBe(own);
          expect(yield* child.handles.get("a", { lease })).toBe(lent);
          expect(yield* lent.runTurn((_, used) => Effect.succeed(used))).toEqual(lease);
          expect(yield* told(own.runTurn(() => Effect.void))).toBe("LeaseHeld");
        }),
      );
      expect(home.leased()).toEqual(["a 1 session"]);
    }),
  );

  it.scoped("that has ended runs nothing, says so, and is replaced", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const old = yield* handles.get("a");
      yield* old.end("explicit_close");
      const refused = yield* Effect.flip(old.runTurn(() => Effect.void));
      expect(refused).toMatchObject({ _tag: "NotFound", stale: true });
      expect(refused.message).toContain("has ended");
      expect(yield* told(Effect.scoped(old.attend))).toBe("NotFound");
      const next = yield* handles.get("a");
      expect(next).not.toBe(old);
      yield* next.runTurn(() => Effect.void);
    }),
  );

  it.scoped("of a generation that has ended is told of, and replaced by one of the newest", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const heard = yield* Effect.fork(Stream.runHead(handles.reclaimed));
      yield* settle;
      const old = yield* handles.get("a");
      yield* pass(home.sessions.delete("a"));
      yield* pass(home.sessions.create({ session: "a", command: ["reader"], cwd: "/" }));
      const next = yield* handles.get("a");
      expect(next.incarnation).not.toBe(old.incarnation);
      expect(yield* Fiber.join(heard)).toMatchObject({
        value: { actor: old.actor, reason: "lease_lost" },
      });
    }),
  );

  it.scoped("that another took the place of is told of by nobody when it ends", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const heard: Array<string> = [];
      yield* Effect.forkScoped(
        Stream.runForEach(handles.reclaimed, (r) => Effect.sync(() => heard.push(r.actor))),
      );
      yield* settle;
      const old = yield* handles.get("a");
      const next = yield* handles.get("a", { anew: true });
      yield* old.end("orphan_reap");
      yield* settle;
      expect(heard).toEqual([]);
      yield* next.end("orphan_reap");
      yield* settle;
      expect(heard).toEqual([next.actor]);
    }),
  );

  it.scoped("that a client is at keeps its lease from its siblings until the client goes", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const old = yield* handles.get("a");
      const client = yield* Scope.make();
      yield* Scope.extend(old.attend, client);
      yield* Scope.extend(old.attend, client);
      yield* old.runTurn(() => Effect.void);
      const next = yield* handles.get("a", { anew: true });
      expect(yield* told(next.runTurn(() => Effect.void))).toBe("LeaseHeld");
      yield* Scope.close(client, Exit.void);
      yield* next.runTurn(() => Effect.void);
      expect(home.leased()).toEqual(["a 2 session"]);
      expect([yield* old.state, yield* next.state]).toEqual(["lost", "open"]);
    }),
  );

  it.scoped("vouches for its own lease, while it has one", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      expect((yield* handle.vouch)._tag).toBe("None");
      yield* handle.runTurn(() => Effect.void);
      expect((yield* handle.vouch)._tag).toBe("Some");
      const next = yield* handles.get("a", { anew: true });
      yield* next.runTurn(() => Effect.void);
      expect((yield* handle.vouch)._tag).toBe("None");
    }),
  );
});

describe("a program that closes", () => {
  it.scoped("says which of its writers it could not end whole", () =>
    Effect.gen(function* () {
      let isFailing = false;
      const home = yield* turnHome({
        registry: (real) => ({
          ...real,
          releaseLease: (...asked) =>
            Effect.suspend(() =>
              isFailing ? Effect.dieMessage("a store's bug") : real.releaseLease(...asked),
            ),
        }),
      });
      const lines: Array<string> = [];
      const scope = yield* Scope.make();
      const { handles } = yield* logInto(lines, Scope.extend(home.hosting("one"), scope));
      const handle = yield* handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      isFailing = true;
      yield* pass(logInto(lines, Scope.close(scope, Exit.void)));
      expect(lines.join("\n")).toMatch(/WARN.* of a .*\n?.*a store's bug/);
    }),
  );

  it.scoped("gives up its leases, ends no session, and waits for no turn", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({}, "a", "b");
      const scope = yield* Scope.make();
      const { handles } = yield* Scope.extend(home.hosting("one"), scope);
      const idle = yield* handles.get("b");
      yield* idle.runTurn(() => Effect.void);
      const held = yield* heldTurn(yield* handles.get("a"));
      yield* Scope.close(scope, Exit.void);
      yield* settle;
      expect(yield* told(Fiber.join(held.fiber))).toBe("Closing");
      expect(yield* told(handles.get("a"))).toBe("Closing");
      expect([yield* home.rows, home.leased().filter((l) => l.startsWith("b"))]).toEqual([
        ["a/1 running", "b/1 running"],
        [],
      ]);
    }),
  );
});
