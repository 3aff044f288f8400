/**
 * RegistryContractLeaseHolders: the cases about leases of programs that live, or do not: what is
 * left behind by the dead, what counts for the bound, and what a sweep takes.
 *
 * A program dies by the end of its scope, which leaves its leases where they are.
 */
import {
  ActorId,
  LeaseId,
  type LeaseOver,
  type LeaseRecord,
  type LeaseRequest,
  type Registry,
  type SessionName,
  TurnId,
} from "@troupe/core";
import { Effect, Option, type Scope } from "effect";
import type { RegistryCase } from "./RegistryContract.js";
import { present, refusal, same } from "./RegistryContractCheck.js";
import { bring, build, incarnation, watch } from "./RegistryContractSample.js";

type Store = Registry["Type"];

/** A lease that an actor asks for; its id is counted by what it says. */
export const asking = (
  session: SessionName,
  actor: string,
  more: Partial<LeaseRequest> = {},
): LeaseRequest => ({
  session,
  attempted: "test",
  lease: LeaseId.make(`${session} ${actor}`),
  component: "sessions",
  actor: ActorId.make(actor),
  surface: "test",
  capacity: null,
  ...more,
});

/** Makes sessions that run. */
export const running = (store: Store, ...names: ReadonlyArray<SessionName>) =>
  Effect.forEach(names, (name, index) => bring(store, name, incarnation(index + 1), "running"));

/** What is compared of a lease. */
export const written = ({ actor, epoch, lease }: LeaseRecord) => [actor, lease, epoch];

/** Leaves a lease behind, as a program that was killed does; how it was. */
const leftBy = (
  program: Effect.Effect<Store, never, Scope.Scope>,
  session: SessionName,
  ...children: LeaseRecord["children"]
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const dying = yield* program;
      const left = yield* dying.claimLease(asking(session, "dying"));
      return yield* dying.writeLease(left, { children });
    }),
  );

const dead: RegistryCase = {
  name: "what a dead program holds is anybody's, at a greater epoch, and its id is worth nothing",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* running(store, build);
      const left = yield* leftBy(home.program, build);
      const seen = yield* present("seen", yield* store.leaseOf(build));
      yield* same("holder", seen.holder, "dead");
      const taken = yield* store.claimLease(asking(build, "a"));
      yield* same("taken", written(taken), ["a", "build a", left.epoch + 1]);
      yield* same("released", yield* store.releaseLease(left), false);
      const error = yield* refusal("written", store.writeLease(left, {}));
      yield* same(
        "lost",
        [error._tag, "current" in error && error.current],
        ["LeaseLost", taken.epoch],
      );
    }),
};

const withChild: RegistryCase = {
  name: "a lease that names children is given up for dead only when all are",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* running(store, build, watch);
      const { dead: gone, living } = home.children;
      yield* leftBy(home.program, build, living);
      yield* leftBy(home.program, watch, gone);
      const error = yield* refusal("the child lives", store.claimLease(asking(build, "a")));
      yield* same("held", error._tag, "LeaseHeld");
      const taken = yield* store.claimLease(asking(watch, "a"));
      yield* store.releaseLease(taken);
      for (const children of [
        [living, gone],
        [gone, living],
      ]) {
        const left = yield* leftBy(home.program, watch, ...children);
        yield* same("named", left.children, children);
        const both = yield* refusal("one lives", store.claimLease(asking(watch, "a")));
        yield* same("of two", both._tag, "LeaseHeld");
        yield* store.releaseLease(left);
      }
    }),
};

const capacity: RegistryCase = {
  name: "the bound counts what lives, names who holds it, and a refusal removes what is dead",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* running(store, build, watch);
      yield* leftBy(home.program, build);
      const bounded = { capacity: 1 };
      const first = yield* store.claimLease(asking(build, "a", bounded));
      yield* store.claimLease(asking(build, "a", bounded));
      const error = yield* refusal("full", store.claimLease(asking(watch, "b", bounded)));
      if (error._tag !== "CapacityReached") return yield* Effect.dieMessage(error._tag);
      const told = [error.active, error.max, error.holders.map(written)];
      yield* same("told", told, [1, 1, [written(first)]]);
      yield* store.releaseLease(first);
      yield* leftBy(home.program, build);
      yield* store.claimLease(asking(watch, "b", bounded));
      const held = yield* refusal("held", store.claimLease(asking(watch, "c", { capacity: 0 })));
      yield* same("who holds it comes before the room", held._tag, "LeaseHeld");
      yield* same("the dead one is gone", Option.isNone(yield* store.leaseOf(build)), true);
    }),
};

const swept: RegistryCase = {
  name: "a sweep takes what is dead, and of its own what nobody vouches for",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const names = [build, watch];
      yield* running(store, ...names);
      const own = yield* store.claimLease(asking(build, "a"));
      yield* leftBy(home.program, watch);
      const sweep = (component: string, answered: ReadonlyArray<LeaseId>, graceMs: number) => {
        const vouched = ({ lease }: LeaseRecord) => answered.includes(lease);
        return store.sweepLeases({ component, vouched, graceMs });
      };
      const hour = 3_600_000;
      yield* same("dead", yield* sweep("sessions", [], hour), { dead: 1, ownOrphans: 0 });
      const none = { dead: 0, ownOrphans: 0 };
      yield* same("vouched", yield* sweep("sessions", [own.lease], 0), none);
      yield* same("another component", yield* sweep("scheduler", [], 0), none);
      const other = yield* home.program;
      const nobody = { component: "sessions", vouched: () => false, graceMs: 0 };
      const foreign = other.sweepLeases(nobody);
      yield* same("another program", yield* foreign, none);
      const orphan = { dead: 0, ownOrphans: 1 };
      yield* same("nobody's", yield* sweep("sessions", [], 0), orphan);
      yield* same("rows", yield* store.leases, []);
    }),
};

const taken: RegistryCase = {
  name: "a claim that says so goes over who runs nothing, or over anybody, and tells who lost it",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const other = yield* home.program;
      yield* running(store, build, watch);
      const held = yield* other.claimLease(asking(build, "theirs"));
      const { last } = yield* store.events(0, 0);
      yield* other.writeLease(held, { turn: TurnId.make("turn") });
      const over = (actor: string, how: LeaseOver) =>
        store.claimLease(asking(build, actor, { over: how, capacity: 1 }));
      const refused = yield* refusal("a turn runs", over("a", "settled"));
      yield* same("refused", refused._tag, "LeaseHeld");
      yield* same("nothing is told", (yield* store.events(last, 10)).events, []);
      const first = yield* over("a", "any");
      yield* same("first", written(first), ["a", "build a", 2]);
      const lost = yield* refusal("the old one", other.writeLease(held, {}));
      yield* same("lost", lost._tag === "LeaseLost" && [lost.current, lost.holder !== null], [
        2,
        true,
      ]);
      const second = yield* other.claimLease(asking(build, "b", { over: "settled" }));
      yield* same("second", written(second), ["b", "build b", 3]);
      const { events } = yield* store.events(last, 10);
      const told = events.map(({ body, generation, incarnation }) =>
        body.type === "lease"
          ? [body.state, body.lease, body.epoch, body.holder, generation, incarnation]
          : body.type,
      );
      yield* same("told", told, [
        ["taken", held.lease, 1, held.owner, 1, incarnation(1)],
        ["taken", first.lease, 2, first.owner, 1, incarnation(1)],
      ]);
      // Who lost a lease lives on, and is known to.
      const theirs = yield* other.claimLease(asking(watch, "theirs"));
      yield* same(
        "rows",
        (yield* store.leases).map(({ lease }) => lease),
        [second.lease, theirs.lease],
      );
      const seen = yield* present("seen", yield* store.leaseOf(watch));
      yield* same("alive", seen.holder, "alive");
    }),
};

/** The cases about who holds leases. */
export const leaseHolderCases: ReadonlyArray<RegistryCase> = [
  dead,
  withChild,
  capacity,
  swept,
  taken,
];
