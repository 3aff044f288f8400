/**
 * A lease is taken as a message of its name: what its old holder had under way comes before, or
 * never.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber, TestClock } from "effect";
import { pass } from "./FakeHome.js";
import { writes } from "./Reading.js";
import { settle, told, turnHome } from "./TurnHome.js";

describe("a lease that is taken", () => {
  it.scoped("while its holder sends is taken behind that", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      const gate = yield* home.tmux.hold({ matches: writes, where: "before" });
      yield* one.handles.takeOver("a");
      const [held] = yield* one.leases.all;
      if (held === undefined) return yield* Effect.dieMessage("no lease");
      const sending = yield* Effect.fork(told(one.sessions.under(held).send("old")));
      yield* gate.reached;
      const taking = yield* Effect.fork(two.handles.takeOver("a"));
      yield* settle;
      expect(home.leased()).toEqual(["a 1 session"]);
      yield* gate.release;
      yield* TestClock.adjust("1 second");
      expect(yield* Fiber.join(sending)).toMatchObject({ status: "delivered" });
      const next = yield* Fiber.join(taking);
      yield* pass(next.runTurn((_, lease) => two.sessions.under(lease).send("new")));
      expect([home.got, home.leased()]).toEqual([["old", "new"], ["a 2 session"]]);
    }),
  );

  it.scoped("by force from a holder that stands still in a send is fenced: it comes never", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      const gate = yield* home.tmux.hold({ matches: writes, where: "before" });
      yield* one.handles.takeOver("a");
      const [held] = yield* one.leases.all;
      if (held === undefined) return yield* Effect.dieMessage("no lease");
      const sending = yield* Effect.fork(told(one.sessions.under(held).send("old")));
      yield* gate.reached;
      const next = yield* two.handles.takeOver("a", { force: true });
      yield* next.runTurn((_, lease) => two.sessions.under(lease).send("new"));
      yield* gate.release;
      expect(yield* told(Fiber.join(sending))).toBe("Busy");
      expect([home.got, home.leased()]).toEqual([["new"], ["a 2 session"]]);
    }),
  );

  it.scoped("is not taken where tmux cannot be asked, and then nothing is changed", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      yield* one.handles.takeOver("a");
      yield* home.tmux.denySocket(true);
      const taking = two.handles.takeOver("a", { force: true });
      expect(yield* told(pass(taking))).toBe("LookupFailed");
      expect(home.leased()).toEqual(["a 1 session"]);
    }),
  );
});
