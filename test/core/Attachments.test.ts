/**
 * Clients of one writer: they come, join, wait, are refused, and go; what each of that changes.
 */
import { describe, expect, it } from "@effect/vitest";
import { Deferred, Effect, Exit, Fiber, Scope, TestClock } from "effect";
import { attachHome, come, later, stateOf } from "./AttachHome.js";
import { heldTurn, settle, told } from "./TurnHome.js";

/** A writer whose silent turn was interrupted, and does not settle before it is told to. */
const interrupting = Effect.gen(function* () {
  const home = yield* attachHome();
  const turn = yield* heldTurn(home.handle, { stubborn: true });
  yield* Effect.addFinalizer(() => turn.open);
  const client = yield* come(home.handle, "c");
  yield* client.leave;
  yield* later(20);
  expect(yield* stateOf(home.handle)).toBe("Interrupting 1");
  return { ...home, turn };
});

describe("a client that comes", () => {
  it.scoped("joins those who are there, and twice the same one is one", () =>
    Effect.gen(function* () {
      const { handle } = yield* attachHome();
      const one = yield* come(handle, "c1");
      const two = yield* come(handle, "c2");
      const again = yield* come(handle, "c1");
      expect(yield* stateOf(handle)).toBe("Attached 0 c1 c2");
      const before = yield* TestClock.currentTimeMillis;
      yield* one.leave;
      expect(yield* stateOf(handle)).toBe("Attached 0 c1 c2");
      yield* again.leave;
      expect(yield* stateOf(handle)).toBe("Attached 0 c2");
      yield* two.attachment.detach;
      yield* two.attachment.detach;
      yield* two.leave;
      expect([yield* stateOf(handle), yield* TestClock.currentTimeMillis]).toEqual([
        "Detached 1",
        before,
      ]);
    }),
  );

  it.scoped("is stamped with the time at which it came, in the order of coming", () =>
    Effect.gen(function* () {
      const { handle } = yield* attachHome();
      yield* come(handle, "c1");
      yield* later(5);
      yield* come(handle, "c2");
      const state = yield* handle.attachment;
      const since = state._tag === "Attached" ? state.viewers.map((viewer) => viewer.since) : [];
      expect([since.length, (since[1] ?? 0) - (since[0] ?? 0)]).toEqual([2, 5000]);
    }),
  );

  it.scoped("and whose peer is gone is no return: the deadline stays where it was", () =>
    Effect.gen(function* () {
      const { handle } = yield* attachHome();
      const client = yield* come(handle, "c");
      expect(yield* told(come(handle, { id: "d", isClosed: () => true }))).toBe("ClientGone");
      yield* client.leave;
      yield* later(10);
      const before = yield* handle.attachment;
      expect(yield* told(come(handle, { id: "c", isClosed: () => true }))).toBe("ClientGone");
      expect(yield* handle.attachment).toBe(before);
      yield* later(10);
      expect(yield* stateOf(handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("in a scope that closes, or whose fiber is interrupted, leaves with it", () =>
    Effect.gen(function* () {
      const { handle } = yield* attachHome();
      const body = Effect.scoped(Effect.zipRight(handle.attach({ id: "c" }), Effect.never));
      const fiber = yield* Effect.fork(body);
      yield* settle;
      expect(yield* stateOf(handle)).toBe("Attached 0 c");
      yield* Fiber.interrupt(fiber);
      expect(yield* stateOf(handle)).toBe("Detached 1");
    }),
  );

  it.scoped("to a writer that ends or has ended is told which, and nothing changes", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const { open } = yield* heldTurn(home.handle, { stubborn: true });
      const ending = yield* Effect.fork(home.handle.end("explicit_close"));
      yield* settle;
      const before = yield* home.handle.attachment;
      expect(yield* told(come(home.handle, "c"))).toBe("Closing");
      expect(yield* home.handle.attachment).toBe(before);
      yield* open;
      yield* settle;
      yield* Fiber.join(ending);
      const refused = yield* Effect.flip(come(home.handle, "c"));
      expect(refused).toMatchObject({ _tag: "NotFound", stale: true });
    }),
  );
});

describe("while an interrupt settles", () => {
  it.scoped("an attach is refused with the moment by which it is over, and changes nothing", () =>
    Effect.gen(function* () {
      const { handle, turn } = yield* interrupting;
      const before = yield* handle.attachment;
      const refused = yield* Effect.flip(come(handle, "c"));
      const settlesBy = before._tag === "Interrupting" ? before.settlesBy : null;
      expect(refused).toMatchObject({ _tag: "InterruptSettling", settlesBy });
      expect(yield* handle.attachment).toBe(before);
      yield* turn.open;
      yield* settle;
      expect(yield* stateOf(handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("one that waits has the writer when the turn has settled, and nothing is reaped", () =>
    Effect.gen(function* () {
      const home = yield* interrupting;
      const waiting = yield* Effect.fork(come(home.handle, "c", { waitForSettle: true }));
      yield* later(30);
      expect(yield* stateOf(home.handle)).toBe("Interrupting 1");
      yield* home.turn.open;
      const came = yield* Fiber.join(waiting);
      expect(yield* stateOf(home.handle)).toBe("Attached 1 c");
      yield* later(600);
      expect([yield* stateOf(home.handle), home.announced]).toEqual(["Attached 1 c", []]);
      yield* home.handle.runTurn(() => Effect.void);
      yield* came.leave;
      yield* later(20);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("one that waits for a turn that never settles hears that the writer closes", () =>
    Effect.gen(function* () {
      const { handle } = yield* interrupting;
      const waiting = yield* Effect.fork(come(handle, "c", { waitForSettle: true }));
      yield* later(60);
      expect(yield* told(Fiber.join(waiting))).toBe("Closing");
      yield* later(5);
    }),
  );

  it.scoped("one that waits and leaves, or whose peer goes, is waited for by nobody", () =>
    Effect.gen(function* () {
      const { handle, turn } = yield* interrupting;
      const peer = yield* Deferred.make<void>();
      const closed = Deferred.await(peer);
      const one = yield* Effect.fork(come(handle, "c", { waitForSettle: true }));
      const scope = yield* Scope.make();
      const two = yield* Effect.fork(
        Scope.extend(handle.attach({ id: "d", closed }, { waitForSettle: true }), scope),
      );
      yield* settle;
      yield* Fiber.interrupt(one);
      yield* Deferred.succeed(peer, undefined);
      yield* settle;
      expect(yield* handle.attachment).toMatchObject({ _tag: "Interrupting", waiting: [] });
      yield* turn.open;
      yield* settle;
      expect(yield* stateOf(handle)).toBe("Gone orphan_reap");
      expect(yield* told(Fiber.join(two))).toBe("ClientGone");
      yield* Scope.close(scope, Exit.void);
    }),
  );
});

describe("a client that goes", () => {
  const cases = [1, 2, 3].flatMap((count) =>
    [0, count - 1].flatMap((leaver) => [true, false].map((runs) => ({ count, leaver, runs }))),
  );

  it.scoped.each(cases)("as number $leaver of $count, turn: $runs, leaves the others alone", (of) =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const turn = of.runs ? yield* heldTurn(home.handle) : null;
      const ids = Array.from({ length: of.count }, (_, index) => `c${index}`);
      const all = yield* Effect.forEach(ids, (id) => come(home.handle, id));
      yield* all[of.leaver]?.leave ?? Effect.void;
      const left = ids.filter((_, index) => index !== of.leaver);
      const expected = left.length === 0 ? "Detached 1" : `Attached 0 ${left.join(" ")}`;
      expect(yield* stateOf(home.handle)).toBe(expected);
      if (left.length > 0) yield* later(3600);
      expect([yield* stateOf(home.handle), home.announced]).toEqual([expected, []]);
      yield* turn?.open ?? Effect.void;
    }),
  );

  it.scoped("by itself, because its peer is gone, is gone without anybody closing its scope", () =>
    Effect.gen(function* () {
      const { handle } = yield* attachHome();
      const peer = yield* Deferred.make<void>();
      const client = yield* come(handle, { id: "c", closed: Deferred.await(peer) });
      yield* Deferred.succeed(peer, undefined);
      yield* settle;
      expect(yield* stateOf(handle)).toBe("Detached 1");
      yield* client.leave;
      expect(yield* stateOf(handle)).toBe("Detached 1");
    }),
  );

  it.scoped("and had asked for it ends the writer at once, unless somebody else is there", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      yield* home.handle.runTurn(() => Effect.void);
      const flagged = yield* come(home.handle, "c", { closeOnDisconnect: true });
      const other = yield* come(home.handle, "d", { closeOnDisconnect: true });
      yield* flagged.leave;
      expect(yield* stateOf(home.handle)).toBe("Attached 0 d");
      yield* other.leave;
      yield* settle;
      expect([yield* stateOf(home.handle), home.leased(), home.announced]).toEqual([
        "Gone client_disconnect",
        [],
        [],
      ]);
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 running"], ["a"]]);
    }),
  );
});

it.scoped("a client that asks for the end behind it when it comes again has that", () =>
  Effect.gen(function* () {
    const home = yield* attachHome();
    const one = yield* come(home.handle, "c");
    const two = yield* come(home.handle, "c", { closeOnDisconnect: true });
    yield* one.leave;
    yield* two.leave;
    yield* settle;
    expect(yield* stateOf(home.handle)).toBe("Gone client_disconnect");
  }),
);

describe("a delete", () => {
  it.scoped.each([0, 1, 60])(
    "that is asked for %d s behind the end for a client that left is done all the same, once",
    (seconds) =>
      Effect.gen(function* () {
        const home = yield* attachHome();
        const turn = yield* heldTurn(home.handle, { stubborn: true });
        const { leave } = yield* come(home.handle, "c", { closeOnDisconnect: true });
        yield* leave;
        if (seconds > 0) yield* later(seconds);
        const asked = home.handle.end("explicit_delete");
        const deletes = yield* Effect.fork(Effect.all([asked, asked], { concurrency: 2 }));
        yield* settle;
        yield* turn.open;
        yield* later(60);
        yield* Fiber.join(deletes);
        expect([yield* stateOf(home.handle), yield* home.rows]).toEqual([
          "Gone client_disconnect",
          ["a/1 deleted"],
        ]);
        yield* asked;
      }),
  );
});

describe("the sibling of a writer", () => {
  it.scoped("does not get its lease while a client waits for an interrupt, either", () =>
    Effect.gen(function* () {
      const home = yield* interrupting;
      yield* Effect.forkScoped(come(home.handle, "c", { waitForSettle: true }));
      yield* settle;
      const next = yield* home.one.handles.get("a", { anew: true });
      expect(yield* told(next.runTurn(() => Effect.void))).toBe("LeaseHeld");
    }),
  );
});
