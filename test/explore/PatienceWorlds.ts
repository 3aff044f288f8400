/**
 * PatienceWorlds: two who wait for a claim that others keep for long, and who ask again when they
 * were refused. Each holder lives, gives it back or dies, at any of many moments: just behind he
 * was asked for, too.
 *
 * Whoever is refused is so for the sake of one who lives at that moment; and whatever is free, or
 * of a dead one, is taken within the time in which waiters look, or ask.
 */
import { type Claim, MemoryStore, Registry, SessionName } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Clock, Context, Effect, Either, Layer } from "effect";
import { awaitClaim } from "../../packages/core/src/ClaimWait.js";
import type { NamedWorld } from "./NamedWorld.js";

type Port = Registry["Type"];

const a = SessionName.make("a");

const attempted = { attempted: "explored", force: false };

/** For how long a holder keeps it: for good, or to each side of the looks and the questions. */
const KEPT_MS = [60_000, 40, 330, 990, 1_100, 1_900, 2_500, 3_600, 4_800, 4_990] as const;

/** Waiters look at least so often, and ask a little less than so often whether a holder lives. */
const LOOKS_MS = 300;
const ASKS_MS = 1_000 + LOOKS_MS;

/** What is known of the claim, whoever asks. */
interface Watched {
  /** Since when nobody who lives has it, and how it came to that. */
  left: { readonly at: number; readonly how: "gave back" | "died" } | null;
  readonly odd: Array<string>;
}

/** Somebody has got it, who asks since then. */
const got = (watched: Watched, owner: string, since: number) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { left } = watched;
    watched.left = null;
    if (left === null) return;
    const late = now - Math.max(left.at, since) - (left.how === "died" ? ASKS_MS : LOOKS_MS);
    if (late > 0) watched.odd.push(`${owner} had what one ${left.how} ${late} ms late`);
  });

const leave = (watched: Watched, how: "gave back" | "died") =>
  Effect.map(Clock.currentTimeMillis, (at) => {
    watched.left = { at, how };
  });

/** Has it for as long as is chosen, and goes as is chosen. */
const holds = (store: MemoryStore, registry: Port, owner: string, claim: Claim, it: Watched) =>
  Effect.gen(function* () {
    yield* Effect.sleep(yield* Explore.choose(`${owner} keeps it`, KEPT_MS));
    const how = yield* Explore.choose(`${owner} goes`, ["died", "gave back"] as const);
    yield* leave(it, how);
    if (how === "died") yield* store.declare(owner, "dead");
    else yield* registry.release(claim, { fenceDue: false });
  });

/** How often one who was refused asks, and how long he has what he got. */
const TIMES = 2;
const HAS_MS = 50;

const waits = (registry: Port, owner: string, watched: Watched) =>
  Effect.gen(function* () {
    for (let times = 0; times < TIMES; times++) {
      const since = yield* Clock.currentTimeMillis;
      const told = yield* Effect.either(
        Effect.provideService(awaitClaim(a, "explored"), Registry, registry),
      );
      if (Either.isRight(told)) {
        yield* got(watched, owner, since);
        yield* Effect.sleep(HAS_MS);
        yield* leave(watched, "gave back");
        yield* registry.release(told.right, { fenceDue: false });
      } else {
        const { holder } = yield* registry.seeClaim(a, { asksLife: true });
        if (holder !== "alive")
          watched.odd.push(`${owner} was refused, and the holder is ${holder}`);
      }
    }
  });

const world = (holders: 1 | 2, from: string): World<ReadonlyArray<string>> => ({
  name: `two wait for a claim that ${from}`,
  start: () => {
    const watched: Watched = { left: null, odd: [] };
    const program = Effect.gen(function* () {
      const store = yield* MemoryStore.make;
      const on = (owner: string) =>
        Effect.map(Layer.build(Registry.layerMemory(store, { owner })), Context.get(Registry));
      const holder = yield* on("holder");
      const next = yield* on("the next");
      const claim = yield* holder.claim(a, attempted);
      const then = Effect.gen(function* () {
        yield* holds(store, holder, "holder", claim, watched);
        if (holders === 1) return;
        const taken = yield* Effect.either(next.claim(a, attempted));
        if (Either.isLeft(taken)) return;
        watched.left = null;
        yield* holds(store, next, "the next", taken.right, watched);
      });
      const waiters = [yield* on("first"), yield* on("second")].map((registry, at) =>
        Effect.zipRight(
          Effect.sleep(700 * at),
          waits(registry, at === 0 ? "the first" : "the second", watched),
        ),
      );
      yield* Effect.all([then, ...waiters], { concurrency: "unbounded" });
      return watched.odd;
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: ([first]) => first ?? null };
  },
});

/** The worlds. */
export const patienceWorlds: ReadonlyArray<NamedWorld> = [
  { world: world(1, "one keeps"), cost: 2 },
  { world: world(2, "one keeps, and then another"), cost: 2 },
];
