/**
 * RegistryContractClaims: the cases about one program's claims, their epochs and the fence.
 *
 * Whether the fence is due is what a claim tells about the one before it: ended cleanly, ended
 * with the fence due, or never ended.
 */
import { Effect, Option } from "effect";
import type { RegistryCase } from "./RegistryContract.js";
import { refusal, same } from "./RegistryContractCheck.js";
import { begin, bring, build, claim, incarnation, watch } from "./RegistryContractSample.js";

const clean = { fenceDue: false };

const fence: RegistryCase = {
  name: "the fence is due after a claim that was released with it due, and not after a clean one",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const first = yield* claim(store, build);
      yield* store.release(first, { fenceDue: true });
      const second = yield* claim(store, build);
      yield* store.release(second, clean);
      const third = yield* claim(store, build);
      const told = [first, second, third].map(({ epoch, fenceDue }) => [epoch, fenceDue]);
      yield* same("epoch and fence", told, [
        [1, false],
        [2, true],
        [3, false],
      ]);
      yield* same("session", [first.session, yield* claimed(store)], [build, 0]);
    }),
};

/** How many sessions the store tells. */
const claimed = (store: Parameters<typeof claim>[0]) =>
  Effect.map(store.list({ ended: true }), ({ records }) => records.length);

const ownAgain: RegistryCase = {
  name: "a claim of one's own that was not released is taken over with the fence due",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const lost = yield* claim(store, build);
      const next = yield* claim(store, build);
      yield* same("next", next, { ...lost, epoch: 2, fenceDue: true });
      const commit = store.commit(lost, incarnation(1), [begin()], { release: true });
      const error = yield* refusal("the lost claim", commit);
      yield* same("refused", error, {
        ...error,
        _tag: "Busy",
        session: build,
        holder: next.owner,
        reason: "overtaken",
      });
      yield* store.commit(next, incarnation(1), [begin()], { release: true });
    }),
};

const renewed: RegistryCase = {
  name: "a renewed claim has a new epoch and the fence due, and the old one is worth nothing",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const old = yield* claim(store, build);
      const renewal = yield* store.renew(old);
      yield* same("renewal", renewal, { ...old, epoch: 2, fenceDue: true });
      yield* same("renew", (yield* refusal("renew", store.renew(old)))._tag, "Busy");
      yield* store.release(old, clean);
      const record = yield* store.commit(renewal, incarnation(1), [begin()], { release: false });
      const due = { owner: old.owner, epoch: 2, holder: "self", fenceDue: true };
      yield* same("held", record.claim, due);
      yield* store.release(renewal, { fenceDue: true });
      const { records } = yield* store.list({ ended: true });
      const left = { ...due, owner: null, holder: "none" };
      yield* same(
        "left",
        records.map((r) => r.claim),
        [left],
      );
    }),
};

const releasedByCommit: RegistryCase = {
  name: "a commit that releases ends the claim cleanly; one that does not keeps it",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const held = yield* claim(store, build);
      const keep = yield* store.commit(held, incarnation(1), [begin()], { release: false });
      yield* same("kept", keep.claim.holder, "self");
      const end = yield* store.commit(held, incarnation(1), [], { release: true });
      const free = { owner: null, epoch: 1, holder: "none", fenceDue: false };
      yield* same("ended", end.claim, free);
      const commit = store.commit(held, incarnation(1), [], { release: false });
      const error = yield* refusal("after the end", commit);
      yield* same("refused", error, { ...error, reason: "overtaken", holder: null });
      const next = yield* claim(store, build);
      yield* same("next", [next.epoch, next.fenceDue], [2, false]);
    }),
};

const releasedTwice: RegistryCase = {
  name: "a release that comes a second time does nothing to the claims after it",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const first = yield* claim(store, build);
      yield* store.release(first, clean);
      const second = yield* claim(store, build);
      yield* store.release(first, { fenceDue: true });
      yield* store.commit(second, incarnation(1), [begin()], { release: true });
      yield* store.release(first, { fenceDue: true });
      yield* same("fence", (yield* claim(store, build)).fenceDue, false);
    }),
};

const apart: RegistryCase = {
  name: "each name has a claim and epochs of its own",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* bring(store, build, incarnation(1), "running");
      const held = yield* claim(store, build);
      const other = yield* claim(store, watch);
      yield* same("epochs", [held.epoch, other.epoch, other.fenceDue], [2, 1, false]);
      const crossed = { ...other, session: build };
      const commit = store.commit(crossed, incarnation(1), [], { release: true });
      yield* same("crossed", (yield* refusal("crossed", commit))._tag, "Busy");
      const none = Option.isNone(yield* store.get(watch));
      yield* same("a claim makes no session", none, true);
    }),
};

/** The cases of one program. */
export const claimCases: ReadonlyArray<RegistryCase> = [
  fence,
  ownAgain,
  renewed,
  releasedByCommit,
  releasedTwice,
  apart,
];
