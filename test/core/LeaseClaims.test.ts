/**
 * Taking a lease over from a sibling of the same program, and moving one to another name.
 */
import { describe, expect, it } from "@effect/vitest";
import { ActorId, RegistryUnavailable } from "@troupe/core";
import { Deferred, Effect, Fiber } from "effect";
import { leaseHome, name, writer } from "./LeaseHome.js";

const x = ActorId.make("x");

/** A sibling whose takeovers are counted. */
const sibling = (attended = false) => {
  const told: Array<string> = [];
  const taken = Effect.sync(() => void told.push("taken"));
  return { told, writer: writer("a", "x", { attended: () => attended, taken }) };
};

describe("a takeover", () => {
  it.scoped("of a sibling that nobody is at keeps the lease, and asks its turn to stop once", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases } = yield* home.program("one");
      const old = sibling();
      const first = yield* leases.claim(old.writer);
      const second = yield* leases.claim(writer("a", "y"));
      expect(second).toEqual({ ...first, epoch: 2, actor: "y" });
      expect([home.rows(), old.told]).toEqual([["a y 2"], ["taken"]]);
      yield* leases.release(first);
      expect(home.rows()).toEqual(["a y 2"]);
      expect((yield* Effect.flip(leases.guarded(first)))._tag).toBe("LeaseLost");
      yield* leases.release(first);
      expect(home.rows()).toEqual(["a y 2"]);
      yield* leases.guarded(second);
    }),
  );

  it.scoped("can be asked for by name, and is a claim where there is nobody", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases } = yield* home.program("one");
      expect((yield* leases.takeOver(x, writer("a", "y"))).epoch).toBe(1);
      expect((yield* leases.takeOver(ActorId.make("y"), writer("a", "z"))).epoch).toBe(2);
      expect(home.rows()).toEqual(["a z 2"]);
    }),
  );

  it.scoped("is refused while a client is at the sibling", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases } = yield* home.program("one");
      const old = sibling(true);
      yield* leases.claim(old.writer);
      for (const taking of [leases.claim, (w: typeof old.writer) => leases.takeOver(x, w)]) {
        expect((yield* Effect.flip(taking(writer("a", "y"))))._tag).toBe("LeaseHeld");
      }
      expect([home.rows(), old.told]).toEqual([["a x 1"], []]);
    }),
  );

  it.scoped("is refused of another program's writer, and in another registry", () =>
    Effect.gen(function* () {
      const [home, elsewhere] = [yield* leaseHome("a"), yield* leaseHome("a")];
      const [one, two] = [yield* home.program("one"), yield* home.program("two")];
      const other = yield* elsewhere.program("one");
      yield* one.leases.claim(writer("a", "x"));
      const refused = yield* Effect.flip(two.leases.takeOver(x, writer("a", "y")));
      expect(refused).toMatchObject({ _tag: "LeaseHeld", holder: { holder: "alive" } });
      expect((yield* other.leases.takeOver(x, writer("a", "y"))).epoch).toBe(1);
      expect(home.rows()).toEqual(["a x 1"]);
    }),
  );

  it.scoped("is refused of a sibling that ends, whose turn may still write", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases } = yield* home.program("one");
      const lease = yield* leases.claim(writer("a", "x"));
      yield* leases.defer(lease, { turn: "turn" as never, children: [] });
      expect((yield* Effect.flip(leases.claim(writer("a", "y"))))._tag).toBe("LeaseHeld");
      // Its own writer has given it up, too.
      expect((yield* Effect.flip(leases.claim(writer("a", "x"))))._tag).toBe("LeaseHeld");
      expect(home.rows()).toEqual(["a x 1"]);
    }),
  );

  it.scoped("of a sibling that gave it up and could not is done at once, and stops nobody", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      let isFailing = true;
      const { leases } = yield* home.program("one", {
        settings: { leaseAttempts: 1 },
        around: (registry) => ({
          ...registry,
          releaseLease: (lease) =>
            isFailing
              ? new RegistryUnavailable({ session: "a", attempted: "release", detail: "busy" })
              : registry.releaseLease(lease),
        }),
      });
      // Somebody is at it, and it wants the lease no more.
      const old = sibling(true);
      const lease = yield* leases.claim(old.writer);
      yield* Effect.flip(leases.release(lease));
      isFailing = false;
      const taken = yield* leases.claim(writer("a", "y"));
      expect([home.rows(), taken.lease, old.told]).toEqual([["a y 2"], lease.lease, []]);
      yield* leases.sweep;
      expect(home.rows()).toEqual(["a y 2"]);
    }),
  );

  it.scoped("stands although the old turn could not be asked to stop", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases } = yield* home.program("one");
      yield* leases.claim(writer("a", "x", { taken: Effect.dieMessage("no stop") }));
      expect((yield* leases.claim(writer("a", "y"))).epoch).toBe(2);
      expect(home.rows()).toEqual(["a y 2"]);
    }),
  );
});

describe("a move to another name", () => {
  it.scoped("holds the new one before it lets go of the old one, and needs no further room", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b", "c");
      const settings = { leaseCapacity: 1 };
      const one = yield* home.program("one", { settings });
      const two = yield* home.program("two", { settings });
      const lease = yield* one.leases.claim(writer("a", "x"));
      const other = Effect.flip(two.leases.claim(writer("c", "z")));
      expect((yield* other)._tag).toBe("CapacityReached");
      const moved = yield* one.leases.reanchor(lease, name("b"));
      expect((yield* other)._tag).toBe("CapacityReached");
      expect([home.rows(), moved.lease]).toEqual([["b x 1"], lease.lease]);
      yield* one.leases.release(moved);
      expect(home.rows()).toEqual([]);
    }),
  );

  it.scoped("that fails or is refused leaves everything as it was, to be tried again", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b");
      let fails = 1;
      const { leases } = yield* home.program("one", {
        around: (registry) => ({
          ...registry,
          moveLease: (lease, to) =>
            fails-- > 0
              ? new RegistryUnavailable({ session: "a", attempted: "move", detail: "busy" })
              : registry.moveLease(lease, to),
        }),
      });
      const two = yield* home.program("two");
      const lease = yield* leases.claim(writer("a", "x"));
      expect((yield* Effect.flip(leases.reanchor(lease, name("b"))))._tag).toBe(
        "RegistryUnavailable",
      );
      yield* leases.guarded(lease);
      const theirs = yield* two.leases.claim(writer("b", "y"));
      expect((yield* Effect.flip(leases.reanchor(lease, name("b"))))._tag).toBe("LeaseHeld");
      expect((yield* Effect.flip(leases.reanchor(lease, name("no"))))._tag).toBe("NotFound");
      expect(home.rows()).toEqual(["a x 1", "b y 1"]);
      yield* two.leases.release(theirs);
      yield* leases.reanchor(lease, name("b"));
      expect(home.rows()).toEqual(["b x 2"]);
    }),
  );

  it.scoped("behind a release finds it released, and brings nothing back", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b");
      const gate = yield* Deferred.make<void>();
      const { leases } = yield* home.program("one", {
        around: (registry) => ({
          ...registry,
          // Written, and nobody has heard of it yet.
          releaseLease: (lease) =>
            Effect.tap(registry.releaseLease(lease), () => Deferred.await(gate)),
        }),
      });
      const lease = yield* leases.claim(writer("a", "x"));
      const release = yield* Effect.fork(leases.release(lease));
      yield* Effect.yieldNow();
      const move = yield* Effect.fork(Effect.flip(leases.reanchor(lease, name("b"))));
      yield* Effect.yieldNow();
      yield* Deferred.succeed(gate, undefined);
      yield* Fiber.join(release);
      expect((yield* Fiber.join(move))._tag).toBe("LeaseLost");
      expect(home.rows()).toEqual([]);
    }),
  );
});
