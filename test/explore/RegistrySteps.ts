/**
 * RegistrySteps: what a program asks of its registry, one after the other, and what it hears: every
 * read, and two messages and a lease with all that is written under them.
 *
 * A step keeps what it was given for the next one. What is heard tells not who asked, and when.
 */
import {
  ActorId,
  type Claim,
  IncarnationId,
  LeaseId,
  type LeaseRecord,
  type Registry,
  TurnId,
} from "@troupe/core";
import { Cause, Effect, Exit, Fiber } from "effect";
import { name } from "./LeaseWorld.js";

const a = name("a");

/** A program on a home, and what it was given there. */
export interface Player {
  readonly registry: Registry["Type"];
  claim: Claim | null;
  lease: LeaseRecord | null;
  /** In the middle of what waits. */
  readonly meanwhile: Effect.Effect<void>;
}

/** One thing that is asked of it. */
export interface Step {
  readonly name: string;
  readonly run: (player: Player) => Effect.Effect<unknown, unknown>;
}

/** The number of the last event in the file that was opened first. */
const LAST = 4;

const waits = ({ meanwhile, registry }: Player) =>
  Effect.gen(function* () {
    const waiting = yield* Effect.fork(registry.awaitEvents(LAST));
    // Until then it does wait.
    yield* Effect.sleep(10);
    yield* meanwhile;
    return yield* Effect.timeoutOption(Fiber.join(waiting), "2 seconds");
  });

/** Everything that can be read at once. */
export const remembered: ReadonlyArray<Step> = [
  { name: "list", run: ({ registry }) => registry.list({ ended: true }) },
  { name: "get", run: ({ registry }) => registry.get(a) },
  { name: "find", run: ({ registry }) => registry.find(IncarnationId.make("incarnation-b")) },
  { name: "request", run: ({ registry }) => registry.findRequest("request") },
  { name: "servers", run: ({ registry }) => registry.servers },
  { name: "history", run: ({ registry }) => registry.history(null) },
  { name: "events", run: ({ registry }) => registry.events(0, 100) },
  { name: "leases", run: ({ registry }) => registry.leases },
  { name: "lease", run: ({ registry }) => registry.leaseOf(a) },
  { name: "claim", run: ({ registry }) => registry.seeClaim(a, { asksLife: true }) },
];

/** The same, a wait for what is new, and a look whether it is damaged. */
export const reads: ReadonlyArray<Step> = [
  ...remembered,
  { name: "waits", run: waits },
  { name: "keeps aside", run: ({ registry }) => registry.setAside },
];

const lacking = (what: string) => Effect.fail(`it has no ${what}`);

const underClaim =
  (body: (claim: Claim, registry: Registry["Type"]) => Effect.Effect<unknown, unknown>) =>
  ({ claim, registry }: Player) =>
    claim === null ? lacking("claim") : body(claim, registry);

const underLease =
  (body: (lease: LeaseRecord, registry: Registry["Type"]) => Effect.Effect<unknown, unknown>) =>
  ({ lease, registry }: Player) =>
    lease === null ? lacking("lease") : body(lease, registry);

const cause = (text: string) => [{ _tag: "Cause", cause: text } as const];
const incarnation = IncarnationId.make("incarnation-a");

const request = {
  ...{ session: a, attempted: "explored", component: "sessions", surface: "explored" },
  ...{ capacity: null, actor: ActorId.make("actor"), lease: LeaseId.make("lease") },
};

/** Two messages and a lease, each with all that is asked for under it. */
export const changes: ReadonlyArray<Step> = [
  {
    name: "claims",
    run: (player) =>
      Effect.tap(player.registry.claim(a, { attempted: "explored", force: false }), (claim) => {
        player.claim = claim;
      }),
  },
  {
    name: "writes",
    run: underClaim((claim, registry) =>
      registry.commit(claim, incarnation, cause("one"), { release: false }),
    ),
  },
  {
    name: "renews",
    run: (player) =>
      underClaim((claim, registry) =>
        Effect.tap(registry.renew(claim), (renewed) => {
          player.claim = renewed;
        }),
      )(player),
  },
  {
    name: "leases",
    run: (player) =>
      Effect.tap(player.registry.claimLease(request), (lease) => {
        player.lease = lease;
      }),
  },
  {
    name: "notes",
    run: underLease((lease, registry) => registry.writeLease(lease, { turn: TurnId.make("t") })),
  },
  {
    name: "sweeps",
    run: ({ registry }) =>
      registry.sweepLeases({ component: "sessions", vouched: () => true, graceMs: 0 }),
  },
  {
    name: "gives the lease back",
    run: underLease((lease, registry) => registry.releaseLease(lease)),
  },
  {
    name: "gives back",
    run: underClaim((claim, registry) => registry.release(claim, { fenceDue: false })),
  },
  {
    name: "writes once more",
    run: underClaim((claim, registry) =>
      registry.commit(claim, incarnation, cause("two"), { release: true }),
    ),
  },
  {
    name: "forgets",
    run: underClaim((claim, registry) => registry.forgetName(claim)),
  },
];

/** Who asked, and when. */
const untold = /^(holder|at|[a-z]+At)$/;

/** What was told, where it does not matter who asked and when. */
const told = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) {
    return `ok ${JSON.stringify(exit.value, (key, value) => (untold.test(key) ? null : value))}`;
  }
  const failure = Cause.failureOption(exit.cause);
  return failure._tag === "Some" && failure.value instanceof Error
    ? failure.value.name
    : Cause.pretty(exit.cause);
};

/** What it hears of a step. */
export const heard = (step: Step, player: Player) =>
  Effect.map(Effect.exit(step.run(player)), told);
