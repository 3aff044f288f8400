/**
 * The end of a writer: every reason against the table, every step whatever became of the others,
 * the lease last.
 */
import { describe, expect, it } from "@effect/vitest";
import { endPolicy, endReasons, RegistryUnavailable } from "@troupe/core";
import { Cause, Chunk, Deferred, Effect, Exit, Fiber, Scope, Stream, TestClock } from "effect";
import { pass } from "./FakeHome.js";
import { logInto } from "./LoggedLines.js";
import { heldTurn, runs, settle, told, turnHome } from "./TurnHome.js";

const busy = new RegistryUnavailable({ session: "a", attempted: "release", detail: "busy" });

describe("an end", () => {
  for (const reason of endReasons) {
    const policy = endPolicy[reason];
    it.scoped(`by ${reason} leaves row, tmux, lease and announcements as its policy says`, () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const { handles } = yield* home.hosting("one");
        const handle = yield* handles.get("a");
        yield* handle.runTurn(() => Effect.void);
        const heard: Array<string> = [];
        yield* Effect.forkScoped(
          Stream.runForEach(handles.reclaimed, (r) => Effect.sync(() => heard.push(r.reason))),
        );
        yield* settle;
        yield* pass(handle.end(reason));
        yield* settle;
        expect(yield* home.rows).toEqual([policy.endsRow ? "a/1 deleted" : "a/1 running"]);
        expect(yield* home.inTmux).toEqual(policy.killsTmux ? [] : ["a"]);
        expect(home.leased()).toEqual([]);
        expect(heard).toEqual(policy.announces ? [reason] : []);
      }),
    );

    it.scoped(`by ${reason} of one whose lease another took touches nothing of that`, () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const { handles } = yield* home.hosting("one");
        const old = yield* handles.get("a");
        yield* old.runTurn(() => Effect.void);
        const winner = yield* handles.get("a", { anew: true });
        let isOpen = true;
        yield* Scope.addFinalizer(
          winner.scope,
          Effect.sync(() => {
            isOpen = false;
          }),
        );
        yield* winner.runTurn(() => Effect.void);
        const exit = yield* Effect.exit(pass(old.end(reason)));
        expect(Exit.isFailure(exit)).toBe(policy.endsRow);
        expect([yield* home.rows, home.leased(), isOpen]).toEqual([
          ["a/1 running"],
          ["a 2 session"],
          true,
        ]);
        yield* winner.runTurn(() => Effect.void);
      }),
    );
  }

  it.scoped("does its steps in order, the lease last, and nobody gets that before", () =>
    Effect.gen(function* () {
      const log: Array<string> = [];
      const home = yield* turnHome({
        registry: (registry) => ({
          ...registry,
          releaseLease: (lease) =>
            Effect.zipRight(
              Effect.sync(() => log.push("lease")),
              registry.releaseLease(lease),
            ),
        }),
      });
      const one = yield* home.hosting("one");
      const two = yield* (yield* home.hosting("two")).handles.get("a");
      const gate = yield* Deferred.make<void>();
      const handle = yield* one.handles.get("a");
      const step = (what: string) => Effect.sync(() => void log.push(what));
      yield* Scope.addFinalizer(handle.scope, Effect.zipRight(Deferred.await(gate), step("scope")));
      const begun = yield* Deferred.make<void>();
      const body = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never);
      yield* Effect.forkScoped(
        handle.runTurn(() => Effect.ensuring(body, step("turn"))).pipe(Effect.exit),
      );
      yield* Deferred.await(begun);
      const end = yield* Effect.fork(handle.end("explicit_close"));
      yield* settle;
      expect(yield* told(two.runTurn(() => Effect.void))).toBe("LeaseHeld");
      yield* Deferred.succeed(gate, undefined);
      yield* Fiber.join(end);
      expect(log).toEqual(["turn", "scope", "lease"]);
      yield* two.runTurn(() => Effect.void);
    }),
  );

  it.scoped("does every step although others fail or die, and tells of all in one", () =>
    Effect.gen(function* () {
      let releases = 0;
      const home = yield* turnHome({
        settings: { leaseBackoffMs: 0 },
        registry: (registry) => ({
          ...registry,
          releaseLease: (lease) =>
            Effect.suspend(() => {
              releases += 1;
              return releases <= 3 ? busy : registry.releaseLease(lease);
            }),
        }),
      });
      const { handles, leases } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      const ran: Array<number> = [];
      for (const at of [1, 2, 3]) {
        const note = Effect.sync(() => void ran.push(at));
        const dies = Effect.zipRight(note, Effect.dieMessage(`finalizer ${at}`));
        yield* Scope.addFinalizer(handle.scope, dies);
      }
      const exit = yield* Effect.exit(pass(handle.end("explicit_close")));
      const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty;
      expect(Chunk.size(Cause.defects(cause))).toBe(3);
      expect([...Cause.failures(cause)]).toEqual([busy]);
      expect([ran, home.leased()]).toEqual([[3, 2, 1], ["a 1 session"]]);
      yield* leases.sweep;
      expect([home.leased(), releases]).toEqual([[], 4]);
    }),
  );

  it.scoped("of several at once is one, for the first reason, and all hear what came of it", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      let ended = 0;
      yield* Scope.addFinalizer(
        handle.scope,
        Effect.sync(() => {
          ended += 1;
        }),
      );
      const ends = (["explicit_close", "explicit_delete", "idle_timeout"] as const).map(handle.end);
      yield* pass(Effect.all(ends, { concurrency: "unbounded" }));
      expect([ended, yield* home.rows]).toEqual([1, ["a/1 running"]]);
      let late = 0;
      yield* Scope.addFinalizer(
        handle.scope,
        Effect.sync(() => {
          late += 1;
        }),
      );
      expect(late).toBe(1);
    }),
  );

  it.scoped("answers at once all who wait for a turn, and each hears that it closes", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const held = yield* heldTurn(handle, { stubborn: true });
      const waiting = yield* Effect.forEach([1, 2, 3], () =>
        Effect.fork(told(handle.runTurn(() => Effect.void))),
      );
      yield* settle;
      yield* Effect.fork(handle.end("explicit_close"));
      const answers = yield* Effect.forEach(waiting, Fiber.join);
      expect(answers).toEqual(Array(3).fill("Closing"));
      yield* held.open;
    }),
  );

  it.scoped("by a delete is nothing to an incarnation that came since, and no failure", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* pass(home.sessions.delete("a"));
      yield* pass(home.sessions.create({ session: "a", command: ["reader"], cwd: "/" }));
      yield* pass(handle.end("explicit_delete"));
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
    }),
  );
});

describe("what a writer held", () => {
  it.scoped("is not waited for by who ends the writer in a turn of its scope", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const at: Array<string> = [];
      const body = Effect.onInterrupt(
        Effect.zipRight(handle.end("explicit_close"), Effect.never),
        () => Effect.sync(() => void at.push(...home.leased())),
      );
      const turn = yield* Effect.forkIn(
        handle.runTurn(() => body),
        handle.scope,
      );
      yield* TestClock.adjust(0);
      expect([yield* runs(turn), at, home.leased()]).toEqual([false, ["a 1 session"], []]);
      yield* (yield* handles.get("a")).runTurn(() => Effect.void);
    }),
  );

  it.scoped("is not waited for by who ends the writer in a fiber of its scope", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      const fiber = yield* Effect.forkIn(handle.end("explicit_close"), handle.scope);
      yield* TestClock.adjust(0);
      expect([yield* runs(fiber), home.leased()]).toEqual([false, []]);
    }),
  );

  it.scoped("is left behind after 5 s where it does not end, also at a shutdown", () =>
    Effect.gen(function* () {
      const lines: Array<string> = [];
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const gate = yield* Deferred.make<void>();
      const begun = yield* Deferred.make<void>();
      const stubborn = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gate));
      const turn = yield* Effect.forkIn(
        handle.runTurn(() => Effect.uninterruptible(stubborn)),
        handle.scope,
      );
      yield* Deferred.await(begun);
      const end = yield* Effect.fork(logInto(lines, handle.end("runtime_shutdown")));
      yield* TestClock.adjust("4999 millis");
      expect(yield* runs(end)).toBe(true);
      yield* TestClock.adjust("1 millis");
      yield* Fiber.join(end);
      expect(lines.join("\n")).toContain("what a writer of a held does not end");
      expect([home.leased(), yield* runs(turn)]).toEqual([["a 1 session"], true]);
      yield* Deferred.succeed(gate, undefined);
      yield* TestClock.adjust("1 second");
      expect(home.leased()).toEqual([]);
    }),
  );

  it.scoped("and that ends the writer itself as it goes hangs nobody", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const ends = Effect.ignore(handle.end("explicit_close"));
      yield* Effect.forkIn(Effect.ensuring(Effect.never, ends), handle.scope);
      yield* settle;
      const end = yield* Effect.fork(handle.end("runtime_shutdown"));
      yield* TestClock.adjust("5 seconds");
      expect(yield* runs(end)).toBe(false);
    }),
  );

  it.scoped("is closed before the lease goes, although who ends the writer is interrupted", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      const gate = yield* Deferred.make<void>();
      yield* Scope.addFinalizer(handle.scope, Deferred.await(gate));
      const early = yield* Effect.fork(handle.end("explicit_close"));
      yield* settle;
      const left = yield* Effect.fork(Fiber.interrupt(early));
      yield* TestClock.adjust("1 second");
      expect([yield* runs(left), home.leased()]).toEqual([true, ["a 1 session"]]);
      yield* Deferred.succeed(gate, undefined);
      yield* Fiber.join(left);
      expect(home.leased()).toEqual([]);
    }),
  );

  it.scoped("is no matter of a turn that joins the end of its writer, which waits for it", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const begun = yield* Deferred.make<void>();
      const ends = Effect.ignore(handle.end("explicit_close"));
      const body = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never);
      yield* Effect.fork(handle.runTurn(() => Effect.ensuring(body, ends)));
      yield* Deferred.await(begun);
      const end = yield* Effect.fork(handle.end("explicit_close"));
      yield* TestClock.adjust(0);
      expect([yield* runs(end), home.leased()]).toEqual([false, []]);
    }),
  );
});
