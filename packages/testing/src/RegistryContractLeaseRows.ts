/**
 * RegistryContractLeaseRows: the case about what stands in the row of a lease, field by field,
 * behind every call that writes one.
 *
 * Each step says what it changes; every other field is as it was before, in the answer, in the row
 * of the name and in the list of all. So no field gets lost that nobody thought of.
 */
import { ActorId, LeaseId, type LeaseRecord, type Registry, TurnId } from "@troupe/core";
import { Clock, Effect } from "effect";
import type { RegistryCase, RegistryHome } from "./RegistryContract.js";
import { present, same } from "./RegistryContractCheck.js";
import { asking, running } from "./RegistryContractLeaseHolders.js";
import { build, incarnation, type WriteFailure, watch } from "./RegistryContractSample.js";

type Store = Registry["Type"];

/** One call that writes a row, and what it changes of it. */
interface Step {
  readonly what: string;
  readonly call: (row: LeaseRecord) => Effect.Effect<LeaseRecord, WriteFailure>;
  readonly changes: Partial<LeaseRecord>;
}

const turn = TurnId.make("turn");
const [a, b] = [ActorId.make("a"), ActorId.make("b")];

/** What a program claims with, other than the usual. */
const more = { component: "scheduler", surface: "desk" };

const stepsOf = (store: Store, { children }: RegistryHome): ReadonlyArray<Step> => {
  const both = [children.living, children.dead];
  const note = (what: string, changes: Partial<Pick<LeaseRecord, "children" | "turn">>): Step => ({
    what: `a note of ${what}`,
    call: (row) => store.writeLease(row, changes),
    changes,
  });
  const move = (
    what: string,
    session: LeaseRecord["session"],
    actor: ActorId,
    changes: Partial<LeaseRecord>,
  ): Step => ({
    what: `a move ${what}`,
    call: (row) => store.moveLease(row, { attempted: "test", session, actor }),
    changes: { session, actor, ...changes },
  });
  return [
    note("its turn", { turn }),
    note("two children", { children: both }),
    note("nothing", {}),
    {
      what: "a claim by its writer",
      call: () => store.claimLease(asking(build, "a", { lease: LeaseId.make("x"), surface: "x" })),
      changes: {},
    },
    move("to where it is", build, a, { epoch: 2 }),
    move("to another name", watch, a, { epoch: 1, incarnation: incarnation(2) }),
    move("to a sibling", watch, b, { epoch: 2, turn: null }),
    note("both at once", { turn, children: [children.living] }),
    move("to a sibling elsewhere", build, a, {
      epoch: 3,
      incarnation: incarnation(1),
      turn: null,
    }),
    note("nobody", { children: [] }),
    note("a turn again", { turn }),
    move("back", watch, a, { epoch: 3, incarnation: incarnation(2) }),
    note("no turn", { turn: null }),
  ];
};

/** The row is this, whoever asks for it. */
const stands = (store: Store, what: string, row: LeaseRecord) =>
  Effect.gen(function* () {
    const activity = row.turn === null ? "idle" : "running";
    const view = { ...row, holder: "self", activity };
    yield* same(
      `${what}, of the name`,
      yield* present(what, yield* store.leaseOf(row.session)),
      view,
    );
    yield* same(`${what}, in the list`, yield* store.leases, [view]);
  });

/** What a lease is that was made now, but for when and by whom. */
const fresh = { session: build, incarnation: incarnation(1), children: [], turn: null };

const every: RegistryCase = {
  name: "a call that writes a lease changes what it is for, and no other field of the row",
  holds: (home) =>
    Effect.gen(function* () {
      const [store, other] = [yield* home.program, yield* home.program];
      yield* running(store, build, watch);
      const since = yield* Clock.currentTimeMillis;
      let row = yield* store.claimLease(asking(build, "a", more));
      const { acquiredAt, bootId, host, owner, pid } = row;
      const by = { owner, pid, host, bootId, acquiredAt, actor: a, lease: LeaseId.make("build a") };
      yield* same("a claim", row, { ...fresh, ...by, ...more, epoch: 1 });
      const now = yield* Clock.currentTimeMillis;
      yield* same("when", since <= acquiredAt && acquiredAt <= now, true);
      yield* stands(store, "a claim", row);
      for (const { call, changes, what } of stepsOf(store, home)) {
        const written = yield* call(row);
        yield* same(what, written, { ...row, ...changes });
        yield* stands(store, what, written);
        row = written;
      }
      yield* store.writeLease(row, { turn, children: [home.children.living] });
      const taken = yield* other.claimLease(asking(watch, "c", { over: "any" }));
      yield* same("another program", taken.owner === owner, false);
      const theirs = yield* other.claimLease(asking(build, "c"));
      const at = { session: watch, incarnation: incarnation(2), lease: LeaseId.make("watch c") };
      const { acquiredAt: then } = taken;
      yield* same("a takeover", taken, { ...theirs, ...at, epoch: 4, acquiredAt: then });
      yield* same("a claim of theirs", theirs, {
        ...{ ...fresh, owner: taken.owner, pid: taken.pid, host: taken.host },
        ...{ bootId: taken.bootId, acquiredAt: theirs.acquiredAt, actor: ActorId.make("c") },
        ...{ lease: LeaseId.make("build c"), component: "sessions", surface: "test", epoch: 4 },
      });
    }),
};

/** The case about the rows of leases. */
export const leaseRowCases: ReadonlyArray<RegistryCase> = [every];
