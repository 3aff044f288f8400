/**
 * The laws of leases, over drawn histories of two programs: which calls come in which order,
 * whether the registry fails before or behind what it does, and which program dies. Drawn from a
 * fixed seed.
 */
import { describe, expect, it } from "@effect/vitest";
import { type OwnedLease, type Registry, RegistryUnavailable } from "@troupe/core";
import { Effect, Exit, FastCheck, Fiber, Option, Scope } from "effect";
import {
  type Around,
  type LeaseHome,
  type LeaseProgram,
  leaseHome,
  name,
  writer,
} from "./LeaseHome.js";

const sessions = ["a", "b", "c"];
const actors = ["x", "y"];
const owners = ["one", "two"];

/** One call, by a program and an actor of it. */
const call = FastCheck.record({
  what: FastCheck.constantFrom("claim", "release", "reanchor", "guarded", "sweep", "die"),
  owner: FastCheck.constantFrom(...owners),
  actor: FastCheck.constantFrom(...actors),
  session: FastCheck.constantFrom(...sessions),
  to: FastCheck.constantFrom(...sessions),
  fault: FastCheck.constantFrom("none", "none", "none", "before", "behind"),
});
type Call = typeof call extends FastCheck.Arbitrary<infer A> ? A : never;

const histories = FastCheck.sample(FastCheck.array(call, { minLength: 4, maxLength: 14 }), {
  seed: 10,
  numRuns: 150,
});

const busy = new RegistryUnavailable({ session: null, attempted: "drawn", detail: "drawn" });

/** The registry of a program whose next writes fail as is said. */
const faulty = (next: { fault: Call["fault"] }): Around => {
  const failing = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | RegistryUnavailable> =>
    Effect.suspend((): Effect.Effect<A, E | RegistryUnavailable> => {
      if (next.fault === "before") return busy;
      return next.fault === "behind" ? Effect.zipRight(effect, busy) : effect;
    });
  return (registry: Registry["Type"]) => ({
    ...registry,
    claimLease: (request) => failing(registry.claimLease(request)),
    moveLease: (lease, to) => failing(registry.moveLease(lease, to)),
    releaseLease: (lease) => failing(registry.releaseLease(lease)),
  });
};

interface Player {
  readonly program: LeaseProgram;
  readonly next: { fault: Call["fault"] };
  readonly leases: Map<string, OwnedLease>;
  isDead: boolean;
}

const key = ({ actor, session }: Call): string => `${session} ${actor}`;

/** Does the call; what it answers is nobody's concern here. */
const play = (home: LeaseHome, player: Player, drawn: Call) =>
  Effect.gen(function* () {
    const { leases, next, program } = player;
    const { fault, owner, session, to, what } = drawn;
    next.fault = fault;
    const held = leases.get(key(drawn));
    const keep = (lease: OwnedLease) => leases.set(`${lease.session} ${lease.actor}`, lease);
    const at = writer(session, `${owner} ${drawn.actor}`);
    if (what === "die") {
      player.isDead = true;
      return yield* home.store.declare(owner, "dead");
    }
    if (what === "claim") {
      const got = yield* Effect.option(program.leases.claim(at));
      if (Option.isSome(got)) leases.set(key(drawn), got.value);
    }
    if (what === "sweep") yield* Effect.ignore(program.leases.sweep);
    if (held === undefined) return;
    if (what === "release") yield* Effect.ignore(program.leases.release(held));
    if (what === "guarded") yield* Effect.ignore(program.leases.guarded(held));
    if (what === "reanchor") {
      const moved = yield* Effect.option(program.leases.reanchor(held, name(to)));
      if (Option.isSome(moved)) keep(moved.value);
    }
  });

/** What must hold behind every call. */
const lawful = (home: LeaseHome, before: ReadonlyMap<string, number>) =>
  Effect.sync(() => {
    const rows = [...home.store.leases.values()];
    expect(new Set(rows.map(({ lease }) => lease)).size).toBe(rows.length);
    for (const row of rows) expect(home.store.leaseEpochs.get(row.session)).toBe(row.epoch);
    for (const [session, epoch] of before) {
      expect(home.store.leaseEpochs.get(name(session)) ?? 0).toBeGreaterThanOrEqual(epoch);
    }
  });

const grow = (home: LeaseHome) => new Map<string, number>([...home.store.leaseEpochs]);

const settings = { leaseBackoffMs: 0, leaseOrphanGraceMs: 0 };

describe("whatever programs do and whichever call fails,", () => {
  it.scoped("a name has one lease, its epoch only grows, and what is done is vouched for", () =>
    Effect.gen(function* () {
      let held = 0;
      let swept = 0;
      for (const history of histories) {
        const home = yield* leaseHome(...sessions);
        const players = new Map<string, Player>();
        for (const owner of owners) {
          const next: Player["next"] = { fault: "none" };
          const program = yield* home.program(owner, { settings, around: faulty(next) });
          players.set(owner, { program, next, leases: new Map(), isDead: false });
        }
        for (const drawn of history) {
          const player = players.get(drawn.owner);
          if (player === undefined || player.isDead) continue;
          const before = grow(home);
          yield* play(home, player, drawn);
          yield* lawful(home, before);
          player.next.fault = "none";
          if (drawn.fault !== "none") continue;
          // Nothing that ended well has a row that nobody answers for.
          if (drawn.what === "sweep") yield* player.program.leases.sweep;
          const { ownOrphans } = yield* player.program.leases.sweep;
          swept += ownOrphans;
          held += home.store.leases.size;
        }
      }
      expect(held).toBeGreaterThan(200);
      // Only a claim that was answered with a failure, and done all the same, is nobody's.
      const doubtful = histories.flat().filter(({ fault }) => fault === "behind").length;
      expect(swept).toBeLessThanOrEqual(doubtful);
      expect(swept).toBeGreaterThan(0);
    }),
  );

  it.scoped("without failures no row of a living program is an orphan, after any call", () =>
    Effect.gen(function* () {
      for (const history of histories) {
        const home = yield* leaseHome(...sessions);
        const players = yield* Effect.forEach(owners, (owner) =>
          Effect.map(home.program(owner, { settings }), (program): Player => {
            return { program, next: { fault: "none" }, leases: new Map(), isDead: false };
          }),
        );
        for (const drawn of history) {
          const player = players[owners.indexOf(drawn.owner)];
          if (player === undefined || player.isDead) continue;
          yield* play(home, player, { ...drawn, fault: "none" });
          expect(yield* player.program.leases.sweep).toMatchObject({ ownOrphans: 0 });
        }
      }
    }),
  );

  it.scoped("a move that fails leaves the lease at its name, and nobody gets both", () =>
    Effect.gen(function* () {
      for (const fault of ["none", "before"] as const) {
        for (const taken of [true, false]) {
          const home = yield* leaseHome("a", "b");
          const next: Player["next"] = { fault: "none" };
          const one = yield* home.program("one", { around: faulty(next) });
          const two = yield* home.program("two");
          const lease = yield* one.leases.claim(writer("a", "x"));
          if (taken) yield* two.leases.claim(writer("b", "y"));
          const before = yield* one.leases.current(name("a"));
          next.fault = fault;
          const moved = yield* Effect.exit(one.leases.reanchor(lease, name("b")));
          expect(Exit.isSuccess(moved)).toBe(fault === "none" && !taken);
          if (Exit.isFailure(moved)) expect(yield* one.leases.current(name("a"))).toEqual(before);
          const both = ["a", "b"].map((s) => Effect.either(two.leases.claim(writer(s, "z"))));
          const got = (yield* Effect.all(both)).filter(({ _tag }) => _tag === "Right");
          expect(got.length).toBeLessThan(2);
        }
      }
    }),
  );
});

describe("whoever is interrupted anywhere in an acquire", () => {
  it.scoped("has a lease that goes with its scope, or nothing", () =>
    Effect.gen(function* () {
      let held = 0;
      for (let yields = 0; yields < 40; yields++) {
        const home = yield* leaseHome("a");
        const slow = <A, E>(effect: Effect.Effect<A, E>) =>
          Effect.zipRight(
            Effect.yieldNow(),
            Effect.tap(effect, () => Effect.yieldNow()),
          );
        const { leases } = yield* home.program("one", {
          around: (registry) => ({
            ...registry,
            claimLease: (request) => slow(registry.claimLease(request)),
            releaseLease: (lease) => slow(registry.releaseLease(lease)),
          }),
        });
        const scope = yield* Scope.make();
        const fiber = yield* Effect.fork(Scope.extend(leases.acquire(writer("a", "x")), scope));
        yield* Effect.repeatN(Effect.yieldNow(), yields);
        const exit = yield* Fiber.interrupt(fiber);
        held += Exit.isSuccess(exit) ? 1 : 0;
        expect(home.rows()).toHaveLength(home.store.leases.size);
        yield* Scope.close(scope, Exit.void);
        expect(home.rows()).toEqual([]);
        yield* leases.claim(writer("a", "y"));
      }
      expect(held).toBeGreaterThan(0);
      expect(held).toBeLessThan(40);
    }),
  );
});
