/**
 * A client that comes: what speaks against it in the step that binds it, what it is told from, and
 * what of it is left in whose hands.
 *
 * Method: peers that hear no interruption, attaches where nothing can be interrupted, and a turn
 * that settles when the test says so, while it changes what was true as somebody began to wait.
 */
import { describe, expect, it } from "@effect/vitest";
import type { AttachmentOptions, SessionClient, SessionHandle } from "@troupe/core";
import { Deferred, Effect, Exit, Fiber, Scope, Stream } from "effect";
import { type AttachHome, attachHome, come, later, listener, stateOf } from "./AttachHome.js";
import { pass } from "./FakeHome.js";
import { heldTurn, runs, settle, told } from "./TurnHome.js";

/** A client as whoever holds a connection has it: attached in an acquire, detached in a release. */
const acquired = (handle: SessionHandle, client: SessionClient) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make();
    const attach = Effect.acquireRelease(handle.attach(client), ({ detach }) => detach);
    yield* Scope.extend(attach, scope);
    return { leave: Scope.close(scope, Exit.void) };
  });

/** How the writer stands when the client was taken back, and whether that came to an end. */
const behind = ({ handle }: AttachHome, leave: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const leaving = yield* Effect.forkDaemon(leave);
    yield* settle;
    return [yield* runs(leaving), yield* stateOf(handle)];
  });

describe("a client that is attached where nothing can be interrupted", () => {
  it.scoped("is taken out at once, by who attached it and because its peer is gone", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      for (const client of [
        { id: "c", closed: Effect.never },
        { id: "c", isClosed: () => false },
      ]) {
        const { leave } = yield* acquired(home.handle, client);
        expect(yield* behind(home, leave)).toEqual([false, expect.stringContaining("Detached")]);
      }
      const peer = yield* Deferred.make<void>();
      yield* acquired(home.handle, { id: "c", closed: Deferred.await(peer) });
      yield* Deferred.succeed(peer, undefined);
      yield* settle;
      expect(yield* stateOf(home.handle)).toBe("Detached 3");
    }),
  );
});

/** Peers that do not end when they are asked to. */
const deaf: ReadonlyArray<readonly [string, Effect.Effect<void>]> = [
  ["hears no interruption", Effect.uninterruptible(Effect.never)],
  ["takes ten minutes to end", Effect.onInterrupt(Effect.never, () => Effect.sleep("10 minutes"))],
];

describe("a peer that", () => {
  it.scoped.each(deaf)("%s has nobody wait for it", ([, closed]) =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const client = yield* come(home.handle, { id: "c", closed });
      yield* settle;
      expect(yield* behind(home, client.leave)).toEqual([false, "Detached 1"]);
      let isGone = false;
      yield* come(home.handle, { id: "c", closed, isClosed: () => isGone });
      isGone = true;
      yield* later(300);
      expect(yield* stateOf(home.handle)).toBe("Detached 2");
    }),
  );
});

/** A writer whose silent turn was interrupted, and somebody who waits for that. */
const waitedFor = (client: SessionClient, options: AttachmentOptions = {}) =>
  Effect.gen(function* () {
    const home = yield* attachHome();
    const turn = yield* heldTurn(home.handle, { stubborn: true });
    yield* Effect.addFinalizer(() => turn.open);
    yield* (yield* come(home.handle, "first")).leave;
    yield* later(20);
    const attach = come(home.handle, client, { ...options, waitForSettle: true });
    const waiting = yield* Effect.fork(told(attach));
    yield* settle;
    expect([yield* stateOf(home.handle), yield* runs(waiting)]).toEqual(["Interrupting 1", true]);
    const settled = Effect.zipRight(turn.open, settle);
    return { ...home, settled, answer: Fiber.join(waiting), waiting };
  });

describe("who waits for an interrupt that settles", () => {
  it.scoped("is not bound to a writer whose lease was taken meanwhile", () =>
    Effect.gen(function* () {
      const home = yield* waitedFor({ id: "c" });
      yield* Effect.fork(pass(home.one.handles.takeOver("a", { force: true })));
      yield* settle;
      expect(yield* home.handle.state).toBe("lost");
      yield* home.settled;
      expect([yield* home.answer, yield* stateOf(home.handle)]).toEqual([
        "NotFound",
        "Gone orphan_reap",
      ]);
    }),
  );

  it.scoped("is not bound where its peer is gone by then, and the writer ends", () =>
    Effect.gen(function* () {
      let isGone = false;
      const home = yield* waitedFor({ id: "c", isClosed: () => isGone });
      isGone = true;
      yield* home.settled;
      expect([yield* home.answer, yield* stateOf(home.handle)]).toEqual([
        "ClientGone",
        "Gone orphan_reap",
      ]);
    }),
  );

  it.scoped("holds up no other peer of the same client, which is bound", () =>
    Effect.gen(function* () {
      let isGone = false;
      const home = yield* waitedFor({ id: "c", isClosed: () => isGone });
      const live = yield* Effect.fork(come(home.handle, "c", { waitForSettle: true }));
      yield* settle;
      isGone = true;
      yield* home.settled;
      const { leave } = yield* Fiber.join(live);
      expect([yield* home.answer, yield* stateOf(home.handle)]).toEqual([
        "ClientGone",
        "Attached 1 c",
      ]);
      yield* leave;
      expect(yield* stateOf(home.handle)).toBe("Detached 2");
    }),
  );

  it.scoped("is answered at once when its peer is gone, and when it is said to be", () =>
    Effect.gen(function* () {
      const peer = yield* Deferred.make<void>();
      const home = yield* waitedFor({ id: "c", closed: Deferred.await(peer) });
      const other = yield* Effect.fork(told(come(home.handle, "d", { waitForSettle: true })));
      yield* settle;
      yield* Deferred.succeed(peer, undefined);
      yield* home.one.handles.clientGone("d");
      yield* settle;
      expect([yield* runs(home.waiting), yield* runs(other)]).toEqual([false, false]);
      expect([yield* home.answer, yield* Fiber.join(other)]).toEqual(["ClientGone", "ClientGone"]);
      expect(yield* stateOf(home.handle)).toBe("Interrupting 1");
    }),
  );

  it.scoped("and is gone does not come back by name, whatever becomes of the writer", () =>
    Effect.gen(function* () {
      for (const hasOther of [true, false]) {
        const home = yield* waitedFor({ id: "d" });
        const { attach, clientGone } = home.one.handles;
        const stream = attach("a", { client: "c", waitForSettle: true, output: false });
        const pulling = yield* Effect.fork(told(Stream.runDrain(stream)));
        yield* settle;
        yield* clientGone("c");
        if (!hasOther) yield* clientGone("d");
        yield* home.settled;
        expect(yield* Fiber.join(pulling)).toBe("ClientGone");
        expect(yield* stateOf(home.handle)).toBe(hasOther ? "Attached 1 d" : "Gone orphan_reap");
      }
    }),
  );
});

describe("who is said to be gone before it is let in", () => {
  it.scoped("is not let in", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const gate = yield* Deferred.make<void>();
      const lock = home.one.leases.alone(home.handle.session);
      yield* Effect.forkScoped(lock(Deferred.await(gate)));
      yield* settle;
      const coming = yield* Effect.fork(told(come(home.handle, "c")));
      yield* settle;
      yield* home.one.handles.clientGone("c");
      yield* Deferred.succeed(gate, undefined);
      expect(yield* Fiber.join(coming)).toBe("ClientGone");
      expect(yield* stateOf(home.handle)).toBe("Unattended 0");
    }),
  );
});

describe("a client that is attached inside a turn", () => {
  it.scoped("and goes ends the writer as any other does: the turn, and its lease", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const scope = yield* Effect.scope;
      const peer = yield* Deferred.make<void>();
      const begun = yield* Deferred.make<void>();
      const client = { id: "c", closed: Deferred.await(peer) };
      const attach = home.handle.attach(client, { closeOnDisconnect: true });
      const turn = yield* Effect.fork(
        home.handle.runTurn(() =>
          Effect.zipRight(Scope.extend(attach, scope), Deferred.succeed(begun, undefined)).pipe(
            Effect.zipRight(Effect.never),
          ),
        ),
      );
      yield* Deferred.await(begun);
      yield* Deferred.succeed(peer, undefined);
      yield* settle;
      expect([yield* stateOf(home.handle), home.leased()]).toEqual(["Gone client_disconnect", []]);
      expect(yield* told(Fiber.join(turn))).toBe("Closing");
    }),
  );
});

/** How much is to be closed with a scope. */
const finalizersOf = (scope: Scope.Scope): number => {
  const { state } = scope as unknown as { readonly state: { finalizers: Map<unknown, unknown> } };
  return state.finalizers.size;
};

describe("the scope of a connection", () => {
  it.scoped("has nothing of who left it, however, nor of who was refused", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const scope = yield* Scope.make();
      const before = finalizersOf(scope);
      const attach = (client: SessionClient) =>
        Scope.extend(home.handle.attach(client, { since: 0, output: false }), scope);
      yield* Effect.flatMap(attach({ id: "c" }), ({ detach }) => detach);
      expect(finalizersOf(scope)).toBe(before);
      yield* Effect.exit(attach({ id: "c", isClosed: () => true }));
      expect(finalizersOf(scope)).toBe(before);
      yield* attach({ id: "c", closed: Effect.void });
      yield* attach({ id: "d", deliver: () => Effect.fail("no") });
      yield* attach({ id: "e" });
      yield* settle;
      yield* home.one.handles.clientGone("e");
      expect(finalizersOf(scope)).toBe(before);
      yield* attach({ id: "f" });
      expect(finalizersOf(scope)).toBe(before + 1);
      expect(yield* stateOf(home.handle)).toMatch(/^Attached \d f$/);
    }),
  );
});

describe("what happens behind an attach", () => {
  it.scoped("is told, although nothing was read for it yet", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>();
      let isBusy = false;
      const home = yield* attachHome({
        registry: (registry) => ({
          ...registry,
          events: (...asked) =>
            Effect.zipRight(
              Effect.suspend(() => (isBusy ? Deferred.await(gate) : Effect.void)),
              registry.events(...asked),
            ),
        }),
      });
      const client = listener("c");
      yield* come(home.handle, client, { output: false });
      isBusy = true;
      yield* pass(home.one.sessions.addTerminal({ session: "a", command: ["reader"] }));
      yield* Deferred.succeed(gate, undefined);
      yield* later(1);
      expect(client.told.length).toBeGreaterThan(0);
    }),
  );
});

describe("nobody", () => {
  it.scoped("is an empty name, which is refused and is nowhere", () =>
    Effect.gen(function* () {
      const { handle, one } = yield* attachHome();
      expect(yield* told(come(handle, ""))).toBe("ClientGone");
      expect(yield* one.handles.clientGone("")).toEqual({ ended: 0, parked: 0 });
      expect(yield* stateOf(handle)).toBe("Unattended 0");
    }),
  );

  it.scoped("is there whose peer cannot even answer", () =>
    Effect.gen(function* () {
      const { handle } = yield* attachHome();
      const isClosed = () => {
        throw new Error("ECONNRESET");
      };
      expect(yield* told(come(handle, { id: "c", isClosed }))).toBe("ClientGone");
      expect(yield* stateOf(handle)).toBe("Unattended 0");
    }),
  );

  it.scoped("is taken for a client that has a name", () =>
    Effect.gen(function* () {
      const { handle } = yield* attachHome();
      for (let at = 5; at < 25; at += 1) yield* come(handle, `somebody-${at}`);
      yield* handle.attend;
      const state = yield* handle.attachment;
      expect(state._tag === "Attached" && state.viewers.length).toBe(21);
    }),
  );
});
