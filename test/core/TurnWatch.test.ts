/**
 * A delete needs no lease, and tells who holds one: his turn is interrupted as the log says it.
 */
import { describe, expect, it } from "@effect/vitest";
import { RegistryUnavailable, SessionName } from "@troupe/core";
import { Fault } from "@troupe/testing";
import { Deferred, Effect, Fiber, TestClock } from "effect";
import { pass } from "./FakeHome.js";
import type { Around } from "./LeaseHome.js";
import { heldTurn, runs, settle, told, turnHome } from "./TurnHome.js";

describe("a delete by another program", () => {
  it.scoped("interrupts the turn of the holder, whose next one is refused as lost", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a", { surface: "agent" });
      const held = yield* heldTurn(handle);
      yield* pass(home.sessions.delete("a"));
      expect(yield* told(Fiber.join(held.fiber))).toBe("LeaseLost");
      expect(yield* told(handle.runTurn(() => Effect.void))).toBe("LeaseLost");
      const events = home.store.events.map(({ body }) => body);
      expect(events.find(({ type }) => type === "lease")).toMatchObject({
        state: "dropped",
        surface: "agent",
        holder: "one",
        actor: handle.actor,
      });
      expect([home.leased(), yield* home.rows]).toEqual([[], ["a/1 deleted"]]);
    }),
  );

  it.scoped("of another session, and all else that happens on the home, interrupts nothing", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({}, "a", "b");
      const { handles } = yield* home.hosting("one");
      const held = yield* heldTurn(yield* handles.get("a"));
      yield* pass(home.sessions.delete("b"));
      yield* pass(home.sessions.addTerminal({ session: "a", command: ["reader"] }));
      yield* settle;
      expect(yield* runs(held.fiber)).toBe(true);
      yield* held.open;
    }),
  );

  it.scoped("is heard of although the registry could not be read meanwhile", () =>
    Effect.gen(function* () {
      let fails = false;
      const home = yield* turnHome({
        registry: (registry) => ({
          ...registry,
          leaseOf: (session) =>
            Effect.suspend(() =>
              fails
                ? new RegistryUnavailable({ session, attempted: "look", detail: "busy" })
                : registry.leaseOf(session),
            ),
        }),
      });
      const { handles } = yield* home.hosting("one");
      const held = yield* heldTurn(yield* handles.get("a"));
      fails = true;
      yield* pass(home.sessions.delete("a"));
      expect(yield* runs(held.fiber)).toBe(true);
      fails = false;
      yield* TestClock.adjust("1 second");
      expect(yield* told(Fiber.join(held.fiber))).toBe("LeaseLost");
    }),
  );
});

describe("a turn that deletes its own session", () => {
  for (const [how, ending] of [
    ["under its lease", null],
    ["by the end of its writer", "explicit_delete"],
  ] as const) {
    it.scoped(`${how} did not lose its lease, and ends as it ends`, () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const { handles, leases, sessions } = yield* home.hosting("one");
        for (const kind of ["interactive", "turn"] as const) {
          const handle = yield* handles.get("a", { kind });
          const turn = handle.runTurn((_, lease) =>
            Effect.gen(function* () {
              if (ending === null) yield* sessions.under(lease).delete();
              else yield* handle.end(ending);
              yield* Effect.sleep("3 seconds");
              return "went on";
            }),
          );
          expect(yield* told(pass(turn))).toBe("went on");
          expect(home.leased()).toEqual([]);
          expect(yield* handle.state).not.toBe("lost");
          yield* pass(home.sessions.create({ session: "a", command: ["reader"], cwd: "/" }));
          expect(yield* leases.sweep).toEqual({ dead: 0, ownOrphans: 0 });
        }
        const next = yield* handles.get("a");
        expect(yield* next.runTurn(() => Effect.succeed("in"))).toBe("in");
      }),
    );
  }

  it.scoped("and is refused that is told when somebody else deletes it then", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, sessions } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const gate = yield* Deferred.make<void>();
      const turn = yield* Effect.fork(
        handle.runTurn((_, lease) =>
          Effect.gen(function* () {
            yield* home.tmux.inject({ fault: Fault.refuse("who knows"), matches: () => true });
            expect(yield* told(sessions.under(lease).delete())).not.toBeUndefined();
            yield* home.tmux.clearFaults;
            yield* Deferred.succeed(gate, undefined);
            return yield* Effect.never;
          }),
        ),
      );
      yield* TestClock.adjust("1 minute");
      yield* Deferred.await(gate);
      yield* pass(home.sessions.delete("a"));
      expect(yield* told(Fiber.join(turn))).toBe("LeaseLost");
    }),
  );
});

describe("a move that is answered late", () => {
  /** A turn that moves its lease to `b`, and a registry that answers when the gate is open. */
  const moving = (
    answer: (gate: Deferred.Deferred<void>) => Effect.Effect<void, RegistryUnavailable>,
  ) =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>();
      const around: Around = (registry) => ({
        ...registry,
        moveLease: (lease, to) => Effect.zipLeft(registry.moveLease(lease, to), answer(gate)),
      });
      const home = yield* turnHome({ registry: around }, "a", "b");
      const { handles, leases } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const turn = yield* Effect.fork(
        handle.runTurn((_, lease) =>
          lease._tag === "Borrowed"
            ? Effect.void
            : Effect.zipRight(
                Effect.exit(leases.reanchor(lease, SessionName.make("b"))),
                Effect.sleep("1 minute"),
              ),
        ),
      );
      yield* settle;
      // The log moves on, so the watch looks.
      yield* pass(home.sessions.addTerminal({ session: "a", command: ["reader"] }));
      yield* settle;
      expect([yield* runs(turn), home.leased()]).toEqual([true, ["b 1 session"]]);
      yield* Deferred.succeed(gate, undefined);
      return { home, turn };
    });

  it.scoped("loses nothing: it is the turn's own", () =>
    Effect.gen(function* () {
      const { home, turn } = yield* moving((gate) => Deferred.await(gate));
      yield* TestClock.adjust("2 minutes");
      expect(yield* told(Fiber.join(turn))).toBe(undefined);
      expect(home.store.leases.get(SessionName.make("b"))).toMatchObject({ turn: null });
    }),
  );

  it.scoped("loses it where that fails: nobody knows where it is", () =>
    Effect.gen(function* () {
      const { turn } = yield* moving((gate) =>
        Effect.zipRight(
          Deferred.await(gate),
          new RegistryUnavailable({ session: "a", attempted: "move", detail: "lost" }),
        ),
      );
      expect(yield* told(Fiber.join(turn))).toBe("LeaseLost");
    }),
  );
});
