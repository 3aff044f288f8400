/**
 * Clients as a host has them: a stream by name, for as long as it is pulled, of the writer that is
 * meant; and one that is gone from everywhere at once.
 */
import { describe, expect, it } from "@effect/vitest";
import type { AttachElement } from "@troupe/core";
import { Chunk, Effect, Exit, Fiber, Scope, Stream } from "effect";
import { attachHome, come, later, stateOf } from "./AttachHome.js";
import { pass } from "./FakeHome.js";
import { heldTurn, runs, settle, told, turnHome } from "./TurnHome.js";

const types = (elements: Iterable<AttachElement>): ReadonlyArray<string> =>
  [...elements].map(({ type }) => type);

describe("a stream", () => {
  it.scoped("is a client while it is pulled, replays, follows, and ends with the reason", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      yield* pass(
        home.one.sessions.create({ session: "b", command: ["sh", "-c", "echo hi"], cwd: "/" }),
      );
      const all = yield* Effect.fork(
        Stream.runCollect(home.one.handles.attach("b", { since: 0, client: "me" })),
      );
      yield* later(10);
      const handle = yield* home.one.handles.get("b");
      expect(yield* stateOf(handle)).toBe("Attached 0 me");
      yield* pass(home.one.sessions.delete("b"));
      yield* Effect.ignore(handle.end("explicit_close"));
      const elements = Chunk.toReadonlyArray(yield* Fiber.join(all));
      expect(new Set(types(elements))).toEqual(new Set(["log", "output", "ended"]));
      const states = elements.flatMap((element) =>
        element.type === "log" && element.entry.type === "event" ? [element.entry.body] : [],
      );
      expect(states[0]).toMatchObject({ type: "session", state: "creating" });
      expect(states.at(-1)).toMatchObject({ type: "session", state: "deleted" });
      expect(elements.at(-1)).toEqual({ type: "ended", reason: "explicit_close" });
    }),
  );

  it.scoped("that is not pulled any more has left, and the writer has its grace", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const stream = home.one.handles.attach("a", { since: 0, output: false });
      const three = yield* Stream.runCollect(Stream.take(stream, 3));
      expect(types(three)).toEqual(["log", "log", "log"]);
      expect(yield* stateOf(home.handle)).toBe("Detached 1");
    }),
  );

  it.scoped("of many who read at their own pace holds nobody up, and nobody misses anything", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const read = (pause: number) =>
        home.one.handles.attach("a", { since: 0, output: false }).pipe(
          Stream.tap(() => Effect.sleep(pause)),
          Stream.runCollect,
          Effect.fork,
        );
      const slow = yield* read(100);
      const fast = yield* read(0);
      yield* settle;
      yield* pass(home.one.sessions.addTerminal({ session: "a", command: ["reader"] }));
      yield* home.handle.end("explicit_close");
      yield* settle;
      const told = Chunk.toReadonlyArray(yield* Fiber.join(fast));
      yield* later(60);
      expect(Chunk.toReadonlyArray(yield* Fiber.join(slow))).toEqual(told);
    }),
  );

  it.scoped("makes another writer where the one there ends, while that waits for its turn", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const turn = yield* heldTurn(home.handle, { stubborn: true });
      yield* Effect.forkScoped(home.handle.end("explicit_close"));
      // Before the end is interrupted, which waits for the turn all the same.
      yield* Effect.addFinalizer(() => turn.open);
      yield* settle;
      const fiber = yield* Effect.fork(Stream.runDrain(home.one.handles.attach("a")));
      yield* settle;
      const next = yield* home.one.handles.get("a");
      expect([next.actor === home.handle.actor, yield* home.handle.state]).toEqual([
        false,
        "ending",
      ]);
      expect((yield* next.attachment)._tag).toBe("Attached");
      yield* Fiber.interrupt(fiber);
    }),
  );

  it.scoped("makes a writer where there is none, and another where the one there has ended", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      yield* home.handle.end("explicit_close");
      const fiber = yield* Effect.fork(Stream.runDrain(home.one.handles.attach("a")));
      yield* settle;
      const next = yield* home.one.handles.get("a");
      expect(next.actor).not.toBe(home.handle.actor);
      expect((yield* next.attachment)._tag).toBe("Attached");
      yield* Fiber.interrupt(fiber);
    }),
  );
});

describe("whoever says which one he means", () => {
  it.scoped("gets that writer and that incarnation, or a refusal that changes nothing", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const { actor, incarnation } = home.handle;
      const seen = (expectations: object) =>
        told(
          Stream.runHead(
            home.one.handles.attach("a", { since: 0, output: false, expect: expectations }),
          ).pipe(Effect.as("told")),
        );
      expect(yield* seen({ actor, incarnation })).toBe("told");
      for (const other of [{ actor: "x" }, { incarnation: "x" }, { actor, incarnation: "x" }]) {
        const before = yield* home.handle.attachment;
        expect(yield* seen(other)).toBe("NotFound");
        expect(yield* home.handle.attachment).toBe(before);
      }
      yield* home.handle.end("explicit_close");
      expect(yield* seen({ actor })).toBe("NotFound");
      expect(yield* seen({ incarnation })).toBe("told");
    }),
  );

  it.scoped("ends no writer of an older generation by that, and makes none", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const { handle, one } = home;
      yield* come(handle, "c");
      yield* pass(one.sessions.delete("a"));
      for (const session of ["a", "b"]) {
        yield* pass(one.sessions.create({ session, command: ["reader"], cwd: "/" }));
      }
      const { actor, incarnation } = handle;
      for (const meant of [{ incarnation }, { actor }, { actor, incarnation }]) {
        expect(yield* told(Stream.runDrain(one.handles.attach("a", { expect: meant })))).toBe(
          "NotFound",
        );
      }
      expect(yield* stateOf(handle)).toBe("Attached 0 c");
      const other = one.handles.attach("b", { expect: { incarnation } });
      expect(yield* told(Stream.runDrain(other))).toBe("NotFound");
      // One that was there already would not begin to wait for anybody.
      const made = yield* one.handles.get("b", { expectsClient: true });
      expect(yield* stateOf(made)).toBe("Detached 1");
    }),
  );

  it.scoped("is refused while an interrupt settles, as by every other way in", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const turn = yield* heldTurn(home.handle, { stubborn: true });
      const client = yield* come(home.handle, "c");
      yield* client.leave;
      yield* later(20);
      const before = yield* home.handle.attachment;
      const ways = [
        Effect.scoped(home.handle.attach({ id: "c" })),
        Effect.scoped(home.handle.attend),
        Stream.runDrain(home.one.handles.attach("a")),
        home.handle.runTurn(() => Effect.void),
      ];
      for (const way of ways) {
        const refused = yield* told(way as Effect.Effect<unknown, { readonly _tag: string }>);
        expect(refused).toBe("InterruptSettling");
        expect(yield* home.handle.attachment).toBe(before);
      }
      yield* turn.open;
      yield* settle;
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );
});

describe("a client that is gone", () => {
  it.scoped(
    "is out of every session first; those without another one end, or have their grace",
    () =>
      Effect.gen(function* () {
        const home = yield* turnHome({}, "a", "b", "c");
        const host = yield* home.hosting("one");
        const handles = yield* Effect.forEach(["a", "b", "c"], (name) => host.handles.get(name));
        const [a, b, c] = handles;
        if (a === undefined || b === undefined || c === undefined) throw new Error("no writers");
        yield* come(a, "gone");
        yield* come(b, "gone", { closeOnDisconnect: true });
        yield* come(c, "gone", { closeOnDisconnect: true });
        yield* come(c, "stays");
        expect(yield* host.handles.clientGone("gone")).toEqual({ ended: 1, parked: 1 });
        yield* settle;
        expect(yield* Effect.forEach(handles, stateOf)).toEqual([
          "Detached 1",
          "Gone client_disconnect",
          "Attached 0 stays",
        ]);
        expect(yield* host.handles.clientGone("gone")).toEqual({ ended: 0, parked: 0 });
        expect(yield* home.rows).toEqual(["a/1 running", "b/1 running", "c/1 running"]);
      }),
  );
});

describe("a stream whose client is said to be gone", () => {
  it.scoped("ends with that, although its writer goes on", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const stream = home.one.handles.attach("a", { client: "c", output: false });
      const pulling = yield* Effect.fork(told(Stream.runDrain(stream)));
      yield* settle;
      yield* come(home.handle, "d");
      yield* home.one.handles.clientGone("c");
      yield* settle;
      expect([yield* runs(pulling), yield* stateOf(home.handle)]).toEqual([false, "Attached 0 d"]);
      expect(yield* Fiber.join(pulling)).toBe("ClientGone");
    }),
  );
});

describe("a question of a client", () => {
  it.scoped("is asked behind it, too, and his newest in the place of those before", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      let asked = 0;
      let works = true;
      for (let times = 0; times < 5; times += 1) {
        const background = Effect.sync(() => {
          asked += 1;
          return works;
        });
        const options = { since: 0, output: false, client: "c", background };
        yield* Stream.runHead(home.one.handles.attach("a", options));
      }
      yield* later(20);
      expect([asked, yield* stateOf(home.handle)]).toEqual([1, "Detached 5"]);
      works = false;
      yield* later(20);
      expect([asked, yield* stateOf(home.handle)]).toEqual([2, "Gone orphan_reap"]);
    }),
  );
});

describe("a program that closes", () => {
  it.scoped("ends its streams, and who waits for the last element has it", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const exit = yield* Effect.scoped(
        Effect.gen(function* () {
          const { handles } = yield* home.hosting("one");
          const fiber = yield* Effect.forkDaemon(
            Stream.runCollect(handles.attach("a", { output: false })),
          );
          yield* settle;
          return fiber;
        }),
      ).pipe(Effect.flatMap(Fiber.await));
      const last = Exit.isSuccess(exit) ? [...exit.value].at(-1) : exit;
      expect(last).toEqual({ type: "ended", reason: "runtime_shutdown" });
    }),
  );

  it.scoped("tells a client that takes its time, and waits for none longer than that", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const scope = yield* Scope.make();
      const host = yield* Scope.extend(home.hosting("one"), scope);
      const handle = yield* host.handles.get("a");
      const told: Array<AttachElement> = [];
      const deliver = (element: AttachElement) =>
        Effect.andThen(Effect.sleep(100), () => void told.push(element));
      yield* come(handle, { id: "slow", deliver }, { since: 0, output: false });
      yield* come(handle, { id: "hangs", deliver: () => Effect.never }, { since: 0 });
      yield* settle;
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void));
      yield* later(5);
      yield* Fiber.join(closing);
      expect(told.at(-1)).toEqual({ type: "ended", reason: "runtime_shutdown" });
    }),
  );
});
