/**
 * AskedAgainWorlds: two programs of one home in SQLite that begin at once, and ask for each other's
 * name and lease again and again: what one has found out of another holds no longer than it is so.
 * Then the first ends in order or dies, with all that it has, and is asked for again.
 *
 * As they begin they switch before every operation that can be seen: between two looks at files,
 * too. Nobody uses force: of a program that lives nothing is had, and all that a dead one had.
 */
import { type LeaseRequest, Registry } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Context, Effect, Either, Exit, Layer, Scope } from "effect";
import { name } from "./LeaseWorld.js";
import type { NamedWorld } from "./NamedWorld.js";
import { leaseBy, storedHome } from "./StoredHomes.js";
import { mortalsIn } from "./WorldStore.js";

const attempted = { attempted: "explored", force: false };

/** One of the programs. */
interface Peer {
  readonly owner: string;
  readonly session: string;
  readonly scope: Scope.CloseableScope;
  readonly registry: Registry["Type"];
}

/** Each lease and its writer have a name of their own. */
const leaseOf = (owner: string, session: string): LeaseRequest => ({
  ...leaseBy(`${owner}-of-${session}`),
  session: name(session),
});

/** What it has of another one when it has asked for everything; it gives all of that back. */
const hadBy = ({ owner, registry }: Peer, other: Peer) =>
  Effect.gen(function* () {
    const claimed = yield* Effect.either(registry.claim(name(other.session), attempted));
    const leased = yield* Effect.either(registry.claimLease(leaseOf(owner, other.session)));
    const { dead } = yield* registry.sweepLeases({
      ...{ component: "sessions", vouched: () => true, graceMs: 0 },
    });
    yield* registry.leftovers({ remove: true });
    if (Either.isRight(leased)) yield* registry.releaseLease(leased.right);
    if (Either.isRight(claimed)) yield* registry.release(claimed.right, { fenceDue: false });
    return [
      ...(Either.isRight(claimed) ? ["the claim"] : []),
      ...(Either.isRight(leased) || dead > 0 ? ["the lease"] : []),
    ];
  });

/** The same, asked for twice. */
const hadAtAll = (peer: Peer, other: Peer) =>
  Effect.map(Effect.all([hadBy(peer, other), hadBy(peer, other)]), (times) => times.flat());

const peerIn = (owner: string, layer: Layer.Layer<Registry>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make();
    const built = yield* Scope.extend(Layer.build(layer), scope);
    const session = `of-${owner}`;
    const peer: Peer = { owner, session, scope, registry: Context.get(built, Registry) };
    return peer;
  });

/** How the first of them goes, in this home. */
type Goes = (peer: Peer, mortals: ReturnType<typeof mortalsIn>) => Effect.Effect<void>;

const goings: Record<string, Goes> = {
  ends: ({ scope }) => Scope.close(scope, Exit.void),
  dies: ({ owner }, { crashed }) => crashed(owner),
};

const played = (goes: Goes) =>
  Effect.gen(function* () {
    const mortals = mortalsIn(yield* Explore.quietly(storedHome("used")));
    const one = (owner: string) => peerIn(owner, mortals.registry(owner));
    const pair = [one("program1"), one("program2")] as const;
    const [first, second] = yield* Explore.quietly(Effect.all(pair));
    const begins = ({ owner, registry, session }: Peer) =>
      Explore.named(owner)(registry.claim(name(session), attempted));
    const claims = yield* Effect.all([begins(first), begins(second)], { concurrency: 2 });
    const behind = Effect.gen(function* () {
      for (const { owner, registry, session } of [first, second]) {
        yield* registry.claimLease(leaseOf(owner, session));
      }
      const had = [yield* hadAtAll(first, second), yield* hadAtAll(second, first)].flat();
      if (had[0] !== undefined) return [`somebody had ${had[0]} of one that lives`];
      yield* first.registry.renew(claims[0]);
      yield* second.registry.renew(claims[1]);
      yield* goes(first, mortals);
      const then = yield* hadAtAll(second, first);
      const left = ["the claim", "the lease"].filter((what) => !then.includes(what));
      for (const { scope } of [first, second]) yield* Scope.close(scope, Exit.void);
      return left.map((what) => `nobody had ${what} of one that is gone`);
    });
    return yield* Explore.quietly(behind);
  }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));

const worldOf = ([goes, how]: readonly [string, Goes]): World<ReadonlyArray<string>> => ({
  name: `two programs begin at once and ask for all that each has, and one ${goes}`,
  granularity: "visible",
  start: () => ({ program: played(how), check: ([odd]) => odd ?? null }),
});

/** The worlds. */
export const askedAgainWorlds: ReadonlyArray<NamedWorld> = Object.entries(goings).map((entry) => ({
  world: worldOf(entry),
  cost: 1,
}));
