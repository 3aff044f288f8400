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
import { Cause, Effect, Exit, Fiber, Option } from "effect";
import { name } from "./LeaseWorld.js";

const a = name("a");
const A = IncarnationId.make("incarnation-a");

/** A program on a home, and what it was given there. */
export interface Player {
  readonly registry: Registry["Type"];
  claim: Claim | null;
  lease: LeaseRecord | null;
  /** Whether it has read of the session under its claim. */
  found: boolean;
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

const process = (pid: number) => {
  const processes = [{ pid, startTime: 1, bootId: "boot" }];
  return [{ _tag: "Processes", terminal: null, processes } as const];
};

/** Writes of the session, where there is one: nobody writes of what he has not read. */
const writes = (pid: number, release: boolean) => (player: Player) =>
  underClaim((claim, registry) =>
    player.found
      ? Effect.asVoid(registry.commit(claim, A, process(pid), { release }))
      : lacking("session"),
  )(player);

const claims = (player: Player) =>
  Effect.tap(player.registry.claim(a, { attempted: "explored", force: false }), (claim) => {
    player.claim = claim;
  });

const request = {
  ...{ session: a, attempted: "explored", component: "sessions", surface: "explored" },
  ...{ capacity: null, actor: ActorId.make("actor"), lease: LeaseId.make("lease") },
};

/** Two messages and a lease, each with all that is asked for under it. */
export const changes: ReadonlyArray<Step> = [
  { name: "claims", run: claims },
  {
    name: "finds",
    run: (player) =>
      Effect.tap(player.registry.find(A), (found) => {
        player.found = Option.isSome(found);
      }),
  },
  { name: "writes", run: writes(7, false) },
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
  { name: "writes once more", run: writes(8, true) },
  { name: "claims again", run: claims },
  { name: "forgets", run: underClaim((claim, registry) => registry.forgetName(claim)) },
  {
    name: "gives back",
    run: underClaim((claim, registry) => registry.release(claim, { fenceDue: false })),
  },
];

/** How a line begins of what no program may hear. */
export const BUG = "a bug";

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
    : `${failure._tag === "Some" ? "failed" : BUG}: ${Cause.pretty(exit.cause)}`;
};

/** What it hears of a step. */
export const heard = (step: Step, player: Player) =>
  Effect.map(Effect.exit(step.run(player)), told);
