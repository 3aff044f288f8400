/**
 * The two registries beside each other: the same seeded calls, the same answers.
 *
 * Three programs share each home; they claim, force, renew, commit good and bad changes with
 * current and with old claims, release, and end with claims held. Every answer and, at the end,
 * everything that can be read must be equal. Owners are told by the order in which they appear.
 */
import { expect, it } from "@effect/vitest";
import {
  type Change,
  type Claim,
  type Registry,
  SessionName,
  type SessionState,
  TerminalId,
} from "@troupe/core";
import type { RegistryHome } from "@troupe/testing";
import { Cause, Effect, ExecutionStrategy, Exit, FastCheck as fc, Option, Scope } from "effect";
import { begin, incarnation, memoryHome, sqliteHome } from "./registryHomes.js";

type Store = Registry["Type"];

/** What a call does with a store, given the claims that this home ever gave. */
type Call = (
  store: Store,
  claims: Array<Claim>,
) => Effect.Effect<unknown, { readonly _tag: string }>;

interface Step {
  /** The program that makes the call; it ends, and another takes its place, when there is none. */
  readonly program: number;
  readonly what: string;
  readonly call: Call | null;
}

const force = fc.constantFrom(false, false, true);
const name = fc.constantFrom("build", "build", "watch").map((text) => SessionName.make(text));
const which = fc.nat(3).map(incarnation);
const nothing = Effect.succeed("nothing to do");

/** One of the claims, the newest most often. */
const withClaim =
  (back: number, call: (store: Store, claim: Claim) => ReturnType<Call>): Call =>
  (store, claims) => {
    const claim = claims.at(-1 - back);
    return claim === undefined ? nothing : call(store, claim);
  };

const back = fc.constantFrom(0, 0, 0, 0, 0, 1, 2);

const states = ["running", "exited", "lost", "deleting", "failed", "deleted", "creating"] as const;

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>(begin),
  fc.constant<Change>({ ...begin, restores: true }),
  fc.constant<Change>({ _tag: "Late", cause: "it came late" }),
  fc.constant<Change>({ _tag: "Cause", cause: "it is asked for again" }),
  fc
    .constantFrom(...states)
    .map((to): Change => ({ _tag: "Move", to, cause: `to ${to}`, sessionId: "$1" })),
  fc.nat(3).map(
    (pid): Change => ({
      _tag: "Processes",
      terminal: pid === 0 ? null : TerminalId.make(`t${pid}`),
      processes: [{ pid, startTime: 1, bootId: "boot-1" }],
    }),
  ),
  fc.nat(3).map(
    (pid): Change => ({
      _tag: "Spared",
      processes: [{ pid, startTime: 1, bootId: "boot-1" }],
    }),
  ),
);

const changes = fc.oneof(
  fc
    .constantFrom<ReadonlyArray<SessionState>>([], ["running"], ["failed"])
    .map((way) => [begin, ...way.map((to): Change => ({ _tag: "Move", to, cause: null }))]),
  fc.array(change, { maxLength: 3 }),
);

const kept = (claims: Array<Claim>, claim: Claim) => {
  claims.push(claim);
  return claim;
};

type Move = Omit<Step, "program">;

const claim: fc.Arbitrary<Move> = fc.tuple(name, force).map(([session, force]) => ({
  what: `claim ${session}${force ? " by force" : ""}`,
  call: (store, claims) =>
    Effect.map(store.claim(session, { attempted: "claim", force }), (c) => kept(claims, c)),
}));

const commit: fc.Arbitrary<Move> = fc
  .tuple(back, which, changes, fc.boolean())
  .map(([back, incarnation, changes, release]) => ({
    what: `commit ${back} ${incarnation} ${JSON.stringify(changes)} ${release}`,
    call: withClaim(back, (store, claim) => store.commit(claim, incarnation, changes, { release })),
  }));

const release: fc.Arbitrary<Move> = fc.tuple(back, fc.boolean()).map(([back, fenceDue]) => ({
  what: `release ${back} ${fenceDue}`,
  call: withClaim(back, (store, claim) => store.release(claim, { fenceDue })),
}));

const renew: fc.Arbitrary<Move> = back.map((back) => ({
  what: `renew ${back}`,
  call: (store, claims) =>
    withClaim(back, (s, claim) => Effect.map(s.renew(claim), (c) => kept(claims, c)))(
      store,
      claims,
    ),
}));

const forget: fc.Arbitrary<Move> = fc.tuple(back, which).map(([back, incarnation]) => ({
  what: `forget ${back} ${incarnation}`,
  call: withClaim(back, (store, claim) => store.forget(claim, incarnation, [begin.server])),
}));

const forgetName: fc.Arbitrary<Move> = back.map((back) => ({
  what: `forget the name of ${back}`,
  call: withClaim(back, (store, claim) => store.forgetName(claim)),
}));

const call = fc.oneof(
  { weight: 4, arbitrary: claim },
  { weight: 8, arbitrary: commit },
  { weight: 2, arbitrary: release },
  { weight: 1, arbitrary: renew },
  { weight: 2, arbitrary: forget },
  { weight: 1, arbitrary: forgetName },
  { weight: 1, arbitrary: fc.constant<Move>({ what: "end", call: null }) },
);

const step: fc.Arbitrary<Step> = fc
  .tuple(fc.nat(2), call)
  .map(([program, rest]) => ({ program, ...rest }));

/** What came back at least once, so that it is known what the sequences reach. */
const seen = new Set<string>();

/** An answer as data: a defect is only told as one, an error by its fields. */
const told = (exit: Exit.Exit<unknown, { readonly _tag: string }>): unknown => {
  if (Exit.isSuccess(exit)) return exit.value ?? null;
  const failure = Option.getOrElse(Cause.failureOption(exit.cause), () => ({ _tag: "a defect" }));
  seen.add("reason" in failure ? `${failure._tag} ${failure.reason}` : failure._tag);
  return failure;
};

const everything = (store: Store) =>
  Effect.all([
    store.list({ ended: true }),
    store.list({ ended: false }),
    store.events(0, 1000),
    store.history(null),
    Effect.forEach([0, 1, 2, 3], (number) => store.find(incarnation(number))),
  ]);

/** The answers to all steps on a home, and then all that can be read. */
const answers = (home: RegistryHome, steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope;
    const enter = Effect.gen(function* () {
      const own = yield* Scope.fork(scope, ExecutionStrategy.sequential);
      return { own, store: yield* Scope.extend(home.program, own) };
    });
    const programs = yield* Effect.replicateEffect(enter, 3);
    const claims: Array<Claim> = [];
    const all: Array<unknown> = [];
    for (const { call, program, what } of steps) {
      const { own, store } = programs[program] ?? (yield* enter);
      if (call === null) {
        yield* Scope.close(own, Exit.void);
        programs[program] = yield* enter;
      } else {
        all.push([what, told(yield* Effect.exit(call(store, claims)))]);
      }
    }
    return [...all, yield* Effect.flatMap(enter, ({ store }) => everything(store))];
  });

/** The answers as text, with owners numbered as they appear. */
const comparable = (home: RegistryHome, steps: ReadonlyArray<Step>) =>
  Effect.map(answers(home, steps), (all) => {
    const owners: Array<string> = [];
    const number = (owner: string) => {
      if (!owners.includes(owner)) owners.push(owner);
      return `owner ${owners.indexOf(owner)}`;
    };
    const text = JSON.stringify(all, (key, value: unknown) =>
      (key === "owner" || key === "holder") && typeof value === "string" && /\d/.test(value)
        ? number(value)
        : value,
    );
    return JSON.parse(text) as unknown;
  });

it.effect.prop(
  "both registries answer every sequence of calls alike",
  [fc.array(step, { minLength: 10, maxLength: 40, size: "max" })],
  ([steps]) =>
    Effect.gen(function* () {
      const memory = yield* Effect.flatMap(memoryHome, (home) => comparable(home, steps));
      const sqlite = yield* Effect.flatMap(sqliteHome, (home) => comparable(home, steps));
      expect(sqlite).toEqual(memory);
    }).pipe(Effect.scoped),
  { fastCheck: { numRuns: 20, seed: 7 }, timeout: 30_000 },
);

it("the sequences reach every kind of refusal", () => {
  expect([...seen].sort()).toEqual(["AlreadyExists", "Busy claimed", "Busy overtaken", "a defect"]);
});
