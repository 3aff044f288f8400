/**
 * LeftHeldWorlds: programs on one registry in SQLite that hold claims and leases, and end in order
 * or die with them: what they held is free for others at once, and what proves their end stays
 * while anything of theirs is left, and no longer.
 *
 * They are all of one process, which lives: where the proof is gone, that speaks for the dead. At a
 * crash the world does what the kernel would: it lets go of the lock, and the file stays.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ActorId, type Claim, LeaseId, type LeaseRecord, Registry } from "@troupe/core";
import { Explore, exploredRegistry, type World } from "@troupe/testing";
import { Context, Effect, Exit, Fiber, Layer, Scope } from "effect";
import { made, name } from "./LeaseWorld.js";
import type { NamedWorld } from "./NamedWorld.js";
import { tagOf } from "./PlayWorld.js";
import { sqliteIn, usedHome } from "./WorldStore.js";

/** What can be held: `claim` or `lease`, and the name that it is of. */
type Thing = `${"claim" | "lease"} ${"a" | "b"}`;

/** One program, and how to give back what it holds. */
interface Player {
  readonly owner: string;
  readonly registry: Registry["Type"];
  readonly held: Map<Thing, Effect.Effect<unknown, unknown>>;
}

/** What is known of a run. */
interface Run {
  readonly players: Array<Player>;
  readonly ended: Set<Player>;
  readonly odd: Array<string>;
}

/** Takes it, and gives what gives it back. */
const taken = (
  { owner, registry }: Player,
  thing: Thing,
): Effect.Effect<Effect.Effect<unknown, unknown>, unknown> => {
  const [kind, of = ""] = thing.split(" ");
  const session = name(of);
  const asked = { session, attempted: "explored" };
  const request = { ...asked, component: "sessions", surface: "explored", capacity: null };
  const claim = Effect.map(registry.claim(session, { ...asked, force: false }), (one: Claim) =>
    registry.release(one, { fenceDue: false }),
  );
  const lease = Effect.map(
    registry.claimLease({
      ...request,
      actor: ActorId.make(`actor-of-${owner}`),
      lease: LeaseId.make(`lease-of-${owner}-${of}`),
    }),
    (one: LeaseRecord) => registry.releaseLease(one),
  );
  return kind === "claim" ? claim : lease;
};

/** Takes it, which succeeds where nobody that lives has it. */
const takes = (run: Run, player: Player, thing: Thing) =>
  Effect.gen(function* () {
    const isHeld = () =>
      run.players.some((p) => p !== player && !run.ended.has(p) && p.held.has(thing));
    const before = isHeld();
    const exit = yield* Effect.exit(taken(player, thing));
    if (Exit.isSuccess(exit)) {
      if (isHeld()) run.odd.push(`${player.owner} got the ${thing} beside one that lives`);
      player.held.set(thing, exit.value);
    } else if (!before && !isHeld()) {
      const why = yield* tagOf(exit);
      run.odd.push(`nobody that lives has the ${thing}, and ${player.owner} hears ${why}`);
    }
  });

const gives = ({ held }: Player, thing: Thing) =>
  Effect.suspend(() =>
    Effect.map(Effect.exit(held.get(thing) ?? Effect.void), () => held.delete(thing)),
  );

const things = ["claim a", "lease a", "lease b", "claim b"] as const;

/** Takes all of it and gives it back, and may end in order behind each step. */
const holder = (run: Run) => (player: Player) =>
  Effect.gen(function* () {
    const all = [
      ...things.slice(0, 3).map((thing) => takes(run, player, thing)),
      ...(["lease a", "claim a", "lease b"] as const).map((thing) => gives(player, thing)),
    ];
    for (const step of all) {
      yield* step;
      if ((yield* Explore.choose("it", ["goes on", "ends"])) === "ends") return;
    }
  });

/** What is wanted; or what a sweep of leases does, or gcs with what the dead left in the home. */
type Wish = Thing | "sweep" | "gcs";

/** As many as there are steps of the other, who may end behind each. */
const GCS = 6;

/** Wants it, whoever has it, and ends with what it has got. */
const comer = (run: Run, wants: ReadonlyArray<Wish>) => (player: Player) =>
  Effect.gen(function* () {
    const sweeping = { component: "sessions", vouched: () => true, graceMs: 0 };
    for (const thing of wants) {
      if (thing === "sweep") yield* Effect.exit(player.registry.sweepLeases(sweeping));
      else if (thing !== "gcs") yield* takes(run, player, thing);
      else yield* Effect.repeatN(Effect.exit(player.registry.leftovers({ remove: true })), GCS);
    }
  });

const locksIn = (home: string) => readdirSync(join(home, "locks"));

/** One more program on the home; who ends it, and who does what is done when it dies. */
const playerOn = (home: string, run: Run, owner: string) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make();
    const built = yield* Layer.buildWithScope(sqliteIn(home, owner), scope);
    const registry = exploredRegistry(Context.get(built, Registry));
    const player: Player = { owner, registry, held: new Map() };
    run.players.push(player);
    const ends = Effect.zipRight(
      Scope.close(scope, Exit.void),
      Effect.sync(() => void run.ended.add(player)),
    ).pipe(Explore.quietly);
    const dies = Effect.gen(function* () {
      const locks = locksIn(home);
      yield* ends;
      const left = new Set(locksIn(home));
      const own = locks.filter((lock) => lock.endsWith(`,${owner}-0001.lock`) && !left.has(lock));
      for (const lock of own) writeFileSync(join(home, "locks", lock), "", { mode: 0o600 });
    });
    return { player, ends, dies };
  });

/** Who comes behind them all gets all, gives it back, and nothing is left of anybody. */
const last = (home: string, run: Run) =>
  Effect.gen(function* () {
    const { ends, player } = yield* playerOn(home, run, "last");
    for (const thing of things) yield* takes(run, player, thing);
    for (const thing of things) yield* gives(player, thing);
    yield* ends;
    const [left] = locksIn(home);
    if (left !== undefined) run.odd.push(`a lock is left: ${left}`);
    return run.odd;
  });

const world = (wants: ReadonlyArray<Wish>): World<ReadonlyArray<string>> => ({
  name: `what a program holds that ends or dies, and who wants ${wants.join(", ")}`,
  crash: true,
  start: () => {
    const run: Run = { players: [], ended: new Set(), odd: [] };
    const program = Effect.gen(function* () {
      const home = yield* usedHome;
      const begun = Effect.gen(function* () {
        const built = yield* Layer.build(sqliteIn(home, "before"));
        for (const session of ["a", "b"]) yield* made(Context.get(built, Registry), session);
      });
      yield* Explore.quietly(Effect.scoped(begun));
      const programs = yield* Effect.forEach([holder(run), comer(run, wants)], (body, index) =>
        Effect.gen(function* () {
          const owner = `program${index + 1}`;
          const { dies, ends, player } = yield* Explore.quietly(playerOn(home, run, owner));
          const { ending } = yield* Explore.program(owner, Effect.ensuring(body(player), ends));
          const kernel = Effect.flatMap(ending, ({ _tag }) =>
            _tag === "Crashed" ? Explore.quietly(dies) : Effect.void,
          );
          return yield* Effect.fork(kernel);
        }),
      );
      for (const program of programs) yield* Fiber.join(program);
      return yield* Explore.quietly(last(home, run));
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: ([first]) => first ?? null };
  },
});

/** The worlds: everything in both orders, a sweep, a gc, and the first claim of who has none. */
export const leftHeldWorlds: ReadonlyArray<NamedWorld> = [
  { world: world(["claim a", "lease a", "lease b"]), cost: 2 },
  { world: world(["lease b", "claim a", "lease a"]), cost: 2 },
  { world: world(["sweep", "claim a"]), cost: 1 },
  { world: world(["gcs", "lease b", "lease a", "claim a"]), cost: 1 },
  { world: world(["claim b", "lease b", "claim a"]), cost: 1 },
];
