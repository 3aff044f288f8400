/**
 * What a turn asks for that lost its lease meanwhile does nothing: no byte, no delete.
 */
import { describe, expect, it } from "@effect/vitest";
import { Deferred, Effect, Fiber } from "effect";
import { pass } from "./FakeHome.js";
import { settle, told, turnHome } from "./TurnHome.js";

describe("what a turn asks for", () => {
  it.scoped(
    "reaches the session while its lease is current, also from a child that borrowed it",
    () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const one = yield* home.hosting("one");
        const child = yield* home.hosting("child");
        const handle = yield* one.handles.get("a");
        yield* pass(
          handle.runTurn((_, lease) =>
            Effect.gen(function* () {
              yield* one.sessions.under(lease).send("parent");
              const vouch = yield* Effect.flatten(handle.vouch);
              const borrowed = yield* child.leases.borrow(vouch, handle.session);
              const theirs = yield* child.handles.get("a", { lease: borrowed });
              yield* theirs.runTurn((__, lent) => child.sessions.under(lent).send("child"));
            }),
          ),
        );
        expect([home.got, home.leased()]).toEqual([["parent", "child"], ["a 1 session"]]);
      }),
  );

  it.scoped("behind a takeover does nothing, and its turn is stopped once", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, sessions } = yield* home.hosting("one");
      const first = yield* handles.get("a");
      const second = yield* handles.get("a", { anew: true });
      const gate = yield* Deferred.make<void>();
      const heard: Array<unknown> = [];
      const old = yield* Effect.fork(
        first.runTurn((_, lease) =>
          Deferred.await(gate).pipe(
            Effect.zipRight(told(pass(sessions.under(lease).send("old")))),
            Effect.tap((answer) => void heard.push(answer)),
            Effect.uninterruptible,
          ),
        ),
      );
      yield* settle;
      yield* pass(second.runTurn((_, lease) => sessions.under(lease).send("new")));
      yield* Deferred.succeed(gate, undefined);
      expect([yield* told(Fiber.join(old)), heard]).toEqual(["LeaseLost", ["LeaseLost"]]);
      expect([home.got, home.leased()]).toEqual([["new"], ["a 2 session"]]);
      expect(yield* told(first.runTurn(() => Effect.void))).toBe("LeaseLost");
    }),
  );

  it.scoped("a delete of a session that is another's by now touches nothing of it", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, leases, sessions } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      const [lease] = yield* leases.all;
      yield* pass(home.sessions.delete("a"));
      yield* pass(home.sessions.create({ session: "a", command: ["reader"], cwd: "/" }));
      if (lease === undefined) return yield* Effect.dieMessage("no lease");
      expect(yield* told(pass(sessions.under(lease).delete()))).toBe("LeaseLost");
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
    }),
  );
});
