/**
 * ThreeClaimWorlds: a program that dies at any point of its message, and two that want its name at
 * once behind it, one of which may die instead: on the registry in memory, and on SQLite, where
 * whether a holder lives is asked between two transactions, and there the other goes on.
 *
 * Nobody uses force, so nobody that lives is overtaken: whoever was given the claim has it until he
 * gives it back, and no two are at work inside one message of a name. Nor is anybody told that it
 * is held for longer than a message takes, and whoever comes behind them all finds it free.
 */
import { Busy, type Claim, type Registry } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Deferred, Effect, FiberId } from "effect";
import type { ListedWorld } from "./NamedWorld.js";
import { send } from "./Operations.js";
import { create, later, remove } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** What was overtaken although nobody used force, of the run that goes on. */
let overtaken: Array<string> = [];

const TAKEN = "a claim was taken from the dead";

const unasked = { asksLife: false };

/** The same registry, which notes whose claim was taken from him before he gave it back. */
const noting = (registry: Registry["Type"]): Registry["Type"] => {
  const note = (what: string) => Effect.sync(() => void overtaken.push(what));
  const told = <A, E>(call: Effect.Effect<A, E>) =>
    Effect.tapError(call, (error) =>
      error instanceof Busy && error.reason === "overtaken" ? note(error.message) : Effect.void,
    );
  const stillHas = ({ epoch, owner, session }: Claim) =>
    Effect.flatMap(registry.seeClaim(session, unasked), (now) =>
      now.owner === owner && now.epoch === epoch
        ? Effect.void
        : note(`${owner} gives back what ${now.owner} has by now`),
    );
  return {
    ...registry,
    claim: (session, how) =>
      Effect.gen(function* () {
        const before = yield* registry.seeClaim(session, unasked);
        const claim = yield* registry.claim(session, how);
        const isTaken = before.owner !== null && before.owner !== claim.owner;
        if (isTaken) yield* Explore.reached(TAKEN);
        return claim;
      }),
    renew: (...args) => told(registry.renew(...args)),
    commit: (...args) => told(registry.commit(...args)),
    release: (claim, how) => Effect.zipRight(stillHas(claim), registry.release(claim, how)),
  };
};

/** Opened by the second of those that come behind: both begin at one moment. */
let gate = Deferred.unsafeMake<void>(FiberId.none);

/** Longer than a message takes: whoever was first has ended by then, or died. */
const BEHIND_MS = 1_000;

/** The two calls, which want the name at once behind somebody else. */
const behind = ([a, b]: readonly [Call, Call]): ReadonlyArray<Call> => {
  const opens = Effect.suspend(() => Deferred.succeed(gate, undefined));
  const waits = Effect.suspend(() => Deferred.await(gate));
  return [
    { ...a, run: (...on) => Effect.zipRight(waits, a.run(...on)) },
    later(BEHIND_MS, { ...b, run: (...on) => Effect.zipRight(opens, b.run(...on)) }),
  ];
};

const verbs: ReadonlyArray<Call> = [create, remove, send];

/** Every two of them, each with itself, too. */
const pairs = verbs.flatMap((a, at) => verbs.slice(at).map((b) => [a, b] as const));

const world = (first: Call, pair: readonly [Call, Call], sqlite: boolean): ListedWorld => {
  const [a, b] = pair.map(({ name }) => name);
  const where = sqlite ? ", on SQLite" : "";
  return {
    name: `${first.name}, cut off, and ${a} ∥ ${b} behind it${where}`,
    cost: 1,
    sqlite,
    before: first === create ? [] : [create],
    programs: [first, ...behind(pair)].map((call) => [call]),
    crash: true,
    registry: noting,
    onStart: () => {
      overtaken = [];
      gate = Deferred.unsafeMake(FiberId.none);
    },
    also: ({ told }) => overtaken[0] ?? told.find((line) => line.endsWith(": failed Busy")) ?? null,
    sometimes: [TAKEN],
  };
};

/** The worlds. */
export const threeClaimWorlds: ReadonlyArray<ListedWorld> = [false, true].flatMap((sqlite) =>
  verbs.flatMap((first) => pairs.map((pair) => world(first, pair, sqlite))),
);
