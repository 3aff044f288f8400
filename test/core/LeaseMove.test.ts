/**
 * A lease that moves while its writer works: whoever holds it by an older name gives back the
 * right one, and no turn runs for a name of which nobody has the lease.
 */
import { describe, expect, it } from "@effect/vitest";
import type { Lease } from "@troupe/core";
import { Effect, TestClock } from "effect";
import { pass } from "./FakeHome.js";
import { leaseHome, name, writer } from "./LeaseHome.js";
import { heldTurn, runs, settle, told, turnHome } from "./TurnHome.js";

const ownedOf = (lease: Lease) =>
  lease._tag === "Owned" ? Effect.succeed(lease) : Effect.dieMessage("a borrowed lease");

describe("a lease that was moved", () => {
  it.scoped("is given back by who names it as it was, and is current only as it is", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b");
      const { leases } = yield* home.program("one");
      const lease = yield* leases.claim(writer("a", "x"));
      const moved = yield* leases.reanchor(lease, name("b"));
      expect([leases.latest(lease), leases.latest(moved)]).toEqual([moved, moved]);
      expect((yield* Effect.flip(leases.guarded(lease)))._tag).toBe("LeaseLost");
      expect((yield* Effect.flip(leases.reanchor(lease, name("a"))))._tag).toBe("LeaseLost");
      yield* leases.guarded(moved);
      yield* leases.release(lease);
      expect([home.rows(), leases.latest(lease)]).toEqual([[], lease]);
    }),
  );

  it.scoped("is nobody's who borrowed it, also in the program that holds it", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, leases } = yield* home.hosting("one");
      const parent = yield* handles.get("a");
      yield* parent.runTurn(() =>
        Effect.gen(function* () {
          const vouch = yield* Effect.flatten(parent.vouch);
          const lease = yield* leases.borrow(vouch, parent.session);
          expect(leases.latest(lease)).toBe(lease);
          const lent = yield* handles.get("a", { lease, kind: "turn" });
          yield* lent.runTurn((_, used) => Effect.sync(() => expect(used).toBe(lease)));
          yield* lent.end("explicit_close");
        }),
      );
      expect(home.leased()).toEqual(["a 1 session"]);
    }),
  );

  it.scoped("keeps the turn that moved it in its row, and the turn is not told of a loss", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({}, "a", "b");
      const { handles, leases } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const answer = yield* told(
        handle.runTurn((turn, lease) =>
          Effect.gen(function* () {
            yield* leases.reanchor(yield* ownedOf(lease), name("b"));
            yield* pass(home.sessions.addTerminal({ session: "a", command: ["reader"] }));
            yield* settle;
            expect(yield* leases.all).toMatchObject([{ session: "b", turn: turn.id }]);
            return "went on";
          }),
        ),
      );
      expect(answer).toBe("went on");
      expect(yield* leases.all).toMatchObject([{ session: "b", turn: null }]);
    }),
  );

  it.scoped("is told to its turn when it is lost under its new name", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({}, "a", "b");
      const { handles, leases } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* handle.runTurn((_, lease) =>
        Effect.flatMap(ownedOf(lease), (owned) => leases.reanchor(owned, name("b"))),
      );
      const held = yield* heldTurn(handle);
      yield* pass(home.sessions.delete("b"));
      expect(yield* runs(held.fiber)).toBe(true);
      yield* pass(home.sessions.delete("a"));
      expect(yield* told(held.fiber)).toBe("LeaseLost");
    }),
  );

  it.scoped("is not the lease of its old name: the next turn claims that, and both go", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({}, "a", "b");
      const { handles, leases } = yield* home.hosting("one");
      const two = yield* (yield* home.hosting("two")).handles.get("a");
      const handle = yield* handles.get("a");
      yield* handle.runTurn((_, lease) =>
        Effect.flatMap(ownedOf(lease), (owned) => leases.reanchor(owned, name("b"))),
      );
      expect([home.leased(), (yield* handle.vouch)._tag]).toEqual([["b 1 session"], "None"]);
      yield* two.runTurn(() => Effect.void);
      expect(yield* told(handle.runTurn(() => Effect.void))).toBe("LeaseHeld");
      yield* two.end("explicit_close");
      yield* handle.runTurn(() => Effect.void);
      expect(home.leased()).toEqual(["b 1 session", "a 3 session"]);
      yield* handle.end("explicit_close");
      yield* TestClock.adjust("1 second");
      expect(home.leased()).toEqual([]);
    }),
  );
});
