/**
 * RegistryContractLeases: the cases about leases: who gets one, who is refused, and what becomes of
 * one that is moved, released, or dropped with its session.
 *
 * A lease is of a session that is there, so each case begins with one that runs.
 */
import { ActorId, LeaseId, TurnId } from "@troupe/core";
import { Effect } from "effect";
import type { RegistryCase } from "./RegistryContract.js";
import { refusal, same } from "./RegistryContractCheck.js";
import { asking, running, written } from "./RegistryContractLeaseHolders.js";
import {
  bring,
  build,
  claim,
  incarnation,
  message,
  moveTo,
  watch,
} from "./RegistryContractSample.js";

const reentry: RegistryCase = {
  name: "a lease is its writer's again, unchanged, and nobody else's",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const other = yield* home.program;
      yield* running(store, build);
      const first = yield* store.claimLease(asking(build, "a"));
      yield* same("first", written(first), ["a", "build a", 1]);
      const again = yield* store.claimLease(asking(build, "a", { lease: LeaseId.make("other") }));
      yield* same("again", again, first);
      for (const [who, actor] of [
        [store, "b"],
        [other, "a"],
        [other, "b"],
      ] as const) {
        const error = yield* refusal(actor, who.claimLease(asking(build, actor)));
        const holder = who === store ? ["self", "idle"] : ["alive", "unknown"];
        if (error._tag !== "LeaseHeld") return yield* Effect.dieMessage(error._tag);
        yield* same("holder", [error.holder.holder, error.holder.activity], holder);
        yield* same("named", written(error.holder), written(first));
      }
      yield* same("rows", (yield* store.leases).map(written), [written(first)]);
    }),
};

const ofNothing: RegistryCase = {
  name: "a lease is only of a session that is there",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const never = yield* refusal("never", store.claimLease(asking(build, "a")));
      yield* same("never", never._tag, "NotFound");
      yield* bring(store, build, incarnation(1), "deleted");
      const ended = yield* refusal("ended", store.claimLease(asking(build, "a")));
      yield* same("ended", ended._tag, "NotFound");
      yield* same("rows", yield* store.leases, []);
    }),
};

const epochs: RegistryCase = {
  name: "an epoch survives the release and only grows, each name by itself",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* running(store, build, watch);
      const first = yield* store.claimLease(asking(build, "a"));
      yield* same("released", yield* store.releaseLease(first), true);
      yield* same("twice", yield* store.releaseLease(first), false);
      const second = yield* store.claimLease(asking(build, "b"));
      const other = yield* store.claimLease(asking(watch, "b"));
      yield* same("epochs", [first.epoch, second.epoch, other.epoch], [1, 2, 1]);
      yield* same("late", yield* store.releaseLease({ ...first, epoch: 2 }), false);
      yield* same("kept", (yield* store.leases).length, 2);
    }),
};

const taking: RegistryCase = {
  name: "a lease that another writer takes keeps its id and gets a new epoch",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* running(store, build);
      const first = yield* store.claimLease(asking(build, "a"));
      yield* store.writeLease(first, { turn: TurnId.make("turn") });
      const to = { attempted: "test", session: build, actor: ActorId.make("b") };
      const moved = yield* store.moveLease(first, to);
      yield* same("moved", [...written(moved), moved.turn], ["b", first.lease, 2, null]);
      const lost = yield* refusal("the old one", store.writeLease(first, {}));
      yield* same("lost", lost._tag, "LeaseLost");
      const other = yield* home.program;
      const stolen = yield* refusal("of another program", other.moveLease(moved, to));
      yield* same("stolen", stolen._tag, "LeaseLost");
      yield* store.releaseLease(moved);
      const late = yield* refusal("behind a release", store.moveLease(moved, to));
      yield* same("late", [late._tag, yield* store.leases], ["LeaseLost", []]);
    }),
};

const anchored: RegistryCase = {
  name: "a lease moves to another name whole or not at all, and takes no further room",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* running(store, build, watch);
      const first = yield* store.claimLease(asking(build, "a"));
      const to = { attempted: "test", session: watch, actor: first.actor };
      const other = yield* home.program;
      const theirs = yield* other.claimLease(asking(watch, "theirs"));
      const refused = yield* refusal("held", store.moveLease(first, to));
      yield* same("refused", refused._tag, "LeaseHeld");
      yield* store.writeLease(first, {});
      yield* other.releaseLease(theirs);
      const moved = yield* store.moveLease(first, to);
      yield* same("moved", [moved.session, ...written(moved)], [watch, "a", first.lease, 2]);
      yield* same("incarnation", moved.incarnation, incarnation(2));
      yield* same(
        "rows",
        (yield* store.leases).map(({ session }) => session),
        [watch],
      );
      yield* same("the old name", (yield* other.claimLease(asking(build, "b"))).epoch, 2);
    }),
};

const dropped: RegistryCase = {
  name: "the end of a session drops its lease, and says before that who held it",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const other = yield* home.program;
      yield* running(store, build, watch);
      const held = yield* store.claimLease(asking(build, "a"));
      const kept = yield* store.claimLease(asking(watch, "a"));
      const { last } = yield* store.events(0, 0);
      const end = [moveTo("deleting"), moveTo("deleted")];
      yield* message(other, build, incarnation(1), end);
      const { events } = yield* store.events(last, 10);
      const told = events.map(({ body }) =>
        body.type === "lease"
          ? [body.state, body.lease, body.epoch, body.holder, body.actor, body.surface]
          : body.type === "session" && body.state,
      );
      const dropped = ["dropped", held.lease, 1, held.owner, "a", "test"];
      yield* same("told", told, ["deleting", dropped, "deleted"]);
      const lost = yield* refusal("written", store.writeLease(held, {}));
      yield* same("lost", lost._tag, "LeaseLost");
      yield* store.writeLease(kept, {});
      yield* bring(store, build, incarnation(3), "running");
      yield* same("anew", (yield* store.claimLease(asking(build, "a"))).epoch, 2);
    }),
};

const forgotten: RegistryCase = {
  name: "the epochs of leases go with the name, and not before",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* running(store, build);
      yield* store.claimLease(asking(build, "a"));
      yield* message(store, build, incarnation(1), [moveTo("deleting"), moveTo("deleted")]);
      yield* bring(store, build, incarnation(2), "running");
      yield* same("kept", (yield* store.claimLease(asking(build, "a"))).epoch, 2);
      yield* message(store, build, incarnation(2), [moveTo("deleting"), moveTo("deleted")]);
      const held = yield* claim(store, build);
      for (const number of [1, 2]) yield* store.forget(held, incarnation(number), []);
      yield* same("forgotten", yield* store.forgetName(held), true);
      yield* bring(store, build, incarnation(3), "running");
      yield* same("anew", (yield* store.claimLease(asking(build, "a"))).epoch, 1);
    }),
};

/** The cases about leases. */
export const leaseCases: ReadonlyArray<RegistryCase> = [
  reentry,
  ofNothing,
  epochs,
  taking,
  anchored,
  dropped,
  forgotten,
];
