/**
 * A lease is taken as a message of its name: what its old holder had under way comes before, or
 * never.
 */
import { describe, expect, it } from "@effect/vitest";
import { ActorId, LeaseId, SessionName } from "@troupe/core";
import type { TmuxRequest } from "@troupe/tmux";
import { Deferred, Effect, Fiber, TestClock } from "effect";
import { pass } from "./FakeHome.js";
import { writes } from "./Reading.js";
import { settle, told, turnHome } from "./TurnHome.js";

/** Two programs; the first one has the lease of `a`, and stands still in a send under it. */
const inSend = Effect.gen(function* () {
  const home = yield* turnHome();
  const one = yield* home.hosting("one");
  const two = yield* home.hosting("two");
  const gate = yield* home.tmux.hold({ matches: writes, where: "before" });
  yield* one.handles.takeOver("a");
  const [held] = yield* one.leases.all;
  if (held === undefined) return yield* Effect.dieMessage("no lease");
  const sending = yield* Effect.fork(told(one.sessions.under(held).send("old")));
  yield* gate.reached;
  return { gate, home, sending, two };
});

describe("a lease that is taken", () => {
  it.scoped("while its holder sends is taken behind that", () =>
    Effect.gen(function* () {
      const { gate, home, sending, two } = yield* inSend;
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
      const { gate, home, sending, two } = yield* inSend;
      const next = yield* two.handles.takeOver("a", { force: true });
      yield* next.runTurn((_, lease) => two.sessions.under(lease).send("new"));
      yield* gate.release;
      expect(yield* told(Fiber.join(sending))).toBe("Busy");
      expect([home.got, home.leased()]).toEqual([["new"], ["a 2 session"]]);
    }),
  );

  it.scoped("by force lets nothing of its holder through from then on, whoever sends next", () =>
    Effect.gen(function* () {
      const { gate, home, sending, two } = yield* inSend;
      yield* two.handles.takeOver("a", { force: true });
      yield* gate.release;
      expect([yield* Fiber.join(sending), home.got]).toEqual(["Busy", []]);
    }),
  );

  it.scoped(
    "from a sibling whose message waits already is taken behind that, and nobody hangs",
    () =>
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>();
        let holds = false;
        const home = yield* turnHome({
          registry: (registry) => ({
            ...registry,
            claim: (...args) =>
              Effect.suspend(() =>
                Effect.zipRight(
                  holds ? Deferred.await(gate) : Effect.void,
                  registry.claim(...args),
                ),
              ),
          }),
        });
        const { handles, leases, sessions } = yield* home.hosting("one");
        yield* handles.takeOver("a");
        const [held] = yield* leases.all;
        if (held === undefined) return yield* Effect.dieMessage("no lease");
        holds = true;
        const sending = yield* Effect.fork(told(sessions.under(held).send("old")));
        yield* settle;
        const taking = yield* Effect.fork(handles.takeOver("a", { force: true }));
        yield* settle;
        yield* Deferred.succeed(gate, undefined);
        yield* TestClock.adjust("1 second");
        expect(yield* Fiber.join(sending)).toMatchObject({ status: "delivered" });
        const next = yield* Fiber.join(taking);
        yield* next.runTurn((_, lease) => sessions.under(lease).send("new"));
        expect([home.got, home.leased()]).toEqual([["old", "new"], ["a 2 session"]]);
      }),
  );

  it.scoped(
    "by force in the middle of its holder's delete finishes that, and then is nobody's",
    () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const one = yield* home.hosting("one");
        const two = yield* home.hosting("two");
        yield* one.handles.takeOver("a");
        const [held] = yield* one.leases.all;
        if (held === undefined) return yield* Effect.dieMessage("no lease");
        const kill = {
          matches: (r: TmuxRequest) => r.attempted === "kill",
          where: "before",
        } as const;
        const gate = yield* home.tmux.hold(kill);
        const deleting = yield* Effect.fork(told(pass(one.sessions.under(held).delete())));
        yield* gate.reached;
        expect(yield* home.rows).toEqual(["a/1 deleting"]);
        const taking = told(pass(two.handles.takeOver("a", { force: true })));
        expect(yield* taking).toBe("NotFound");
        expect([yield* home.rows, yield* home.inTmux, home.leased()]).toEqual([
          ["a/1 deleted"],
          [],
          [],
        ]);
        yield* gate.release;
        yield* TestClock.adjust("1 minute");
        expect(yield* Fiber.join(deleting)).toBe("Busy");
        expect(yield* home.rows).toEqual(["a/1 deleted"]);
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

  it.scoped("by force where there can be none leaves whoever holds the name alone", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const [one, two] = [yield* home.hosting("one"), yield* home.hosting("two")];
      yield* home.tmux.client(["new-session", "-d", "-s", "s", "sleep", "100000"]);
      const marks = ({ stdin }: TmuxRequest): boolean => String(stdin).includes("@troupe-inc");
      const gate = yield* home.tmux.hold({ matches: marks, where: "before" });
      const adopting = yield* Effect.fork(one.sessions.adopt("s"));
      yield* gate.reached;
      const taken = two.sessions.claimLease({
        ...{ session: SessionName.make("s"), attempted: "take", component: "two", surface: "two" },
        ...{ lease: LeaseId.make("two"), actor: ActorId.make("two"), capacity: null, over: "any" },
      });
      expect(yield* told(taken)).toBe("NotFound");
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      expect(yield* Fiber.join(adopting)).toMatchObject({ session: "s", state: "running" });
    }),
  );
});
