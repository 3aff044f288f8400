/**
 * RegistryContractOvertaking: the cases about two programs that want one name.
 *
 * A living holder keeps others out unless they force their way; a dead one does not. Whoever was
 * overtaken can change nothing any more. A program whose scope closed while it held a claim is
 * dead afterwards.
 */
import { Effect, Either } from "effect";
import type { RegistryCase } from "./RegistryContract.js";
import { present, refusal, same } from "./RegistryContractCheck.js";
import {
  begin,
  bring,
  build,
  claim,
  incarnation,
  message,
  moveTo,
  watch,
} from "./RegistryContractSample.js";

const force = { attempted: "test", force: true };

const keptOut: RegistryCase = {
  name: "a living holder keeps others out of its name, and of no other",
  holds: (home) =>
    Effect.gen(function* () {
      const [holder, other] = yield* Effect.all([home.program, home.program]);
      const held = yield* claim(holder, build);
      const error = yield* refusal("claim", claim(other, build));
      yield* same("busy", error, {
        _tag: "Busy",
        session: build,
        attempted: "test",
        holder: held.owner,
        reason: "claimed",
      });
      yield* message(other, watch, incarnation(1), [begin()]);
      yield* holder.commit(held, incarnation(2), [begin()], { release: true });
      const next = yield* claim(other, build);
      yield* same("next", [next.epoch, next.fenceDue], [2, false]);
      yield* same("owners differ", next.owner === held.owner, false);
    }),
};

const forced: RegistryCase = {
  name: "a claim taken by force has the fence due, and the overtaken holder changes nothing more",
  holds: (home) =>
    Effect.gen(function* () {
      const [holder, other] = yield* Effect.all([home.program, home.program]);
      yield* bring(holder, build, incarnation(1), "running");
      const held = yield* claim(holder, build);
      const taken = yield* other.claim(build, force);
      yield* same("taken", [taken.epoch, taken.fenceDue], [held.epoch + 1, true]);
      const overtaken = { session: build, holder: taken.owner, reason: "overtaken" };
      const changes = [moveTo("deleting")];
      const commit = holder.commit(held, incarnation(1), changes, { release: true });
      const refused = yield* refusal("commit", commit);
      yield* same("commit", refused, { ...refused, ...overtaken });
      const renewal = yield* refusal("renew", holder.renew(held));
      yield* same("renew", renewal, { ...renewal, ...overtaken });
      yield* holder.release(held, { fenceDue: false });
      const record = yield* present("record", yield* holder.get(build));
      yield* same("state", [record.state, record.claim.owner], ["running", taken.owner]);
      yield* other.commit(taken, incarnation(1), changes, { release: true });
    }),
};

const dead: RegistryCase = {
  name: "a dead holder's claims are taken over, each with the fence due",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const left = yield* Effect.scoped(
        Effect.gen(function* () {
          const mortal = yield* home.program;
          yield* bring(mortal, build, incarnation(1), "running");
          return [yield* claim(mortal, build), yield* claim(mortal, watch)] as const;
        }),
      );
      for (const { epoch, session } of left) {
        const taken = yield* claim(store, session);
        yield* same(session, [taken.epoch, taken.fenceDue], [epoch + 1, true]);
      }
      const commit = store.commit(left[0], incarnation(1), [], { release: true });
      yield* same("the dead claim", (yield* refusal("commit", commit))._tag, "Busy");
    }),
};

const gone: RegistryCase = {
  name: "what a program wrote and released outlives it, with nothing left to take over",
  holds: (home) =>
    Effect.gen(function* () {
      const written = yield* Effect.scoped(
        Effect.flatMap(home.program, (store) => bring(store, build, incarnation(1), "exited")),
      );
      const store = yield* home.program;
      yield* same("record", yield* present("record", yield* store.get(build)), written);
      yield* same("fence", (yield* claim(store, build)).fenceDue, false);
    }),
};

const together: RegistryCase = {
  name: "of many claims that are made at once, one is taken",
  holds: (home) =>
    Effect.gen(function* () {
      const programs = yield* Effect.all([home.program, home.program, home.program]);
      const results = yield* Effect.forEach(
        programs,
        (store) => Effect.either(claim(store, build)),
        { concurrency: "unbounded" },
      );
      const taken = results.filter(Either.isRight);
      yield* same("taken", taken.length, 1);
      const refused = results.filter(Either.isLeft).map(({ left }) => left._tag);
      yield* same("refused", refused, ["Busy", "Busy"]);
    }),
};

const seen: RegistryCase = {
  name: "a claim that is looked at is told and not taken, and its holder asked about on demand",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const look = (asksLife: boolean) => store.seeClaim(build, { asksLife });
      const none = { owner: null, epoch: 0, holder: "none", fenceDue: false };
      yield* same("never taken", yield* look(true), none);
      yield* same("unasked", yield* look(false), none);
      const held = yield* Effect.scoped(
        Effect.gen(function* () {
          const mortal = yield* home.program;
          const claimed = yield* claim(mortal, build);
          const { epoch, owner } = claimed;
          const told = { owner, epoch, fenceDue: false };
          yield* same("unasked", yield* look(false), { ...told, holder: "unknown" });
          yield* same("asked", yield* look(true), { ...told, holder: "alive" });
          const own = yield* mortal.seeClaim(build, { asksLife: false });
          yield* same("own", own, { ...told, holder: "self" });
          yield* mortal.commit(claimed, incarnation(1), [begin()], { release: false });
          return told;
        }),
      );
      yield* same("dead, unasked", yield* look(false), { ...held, holder: "unknown" });
      yield* same("dead", yield* look(true), { ...held, holder: "dead" });
      const taken = yield* claim(store, build);
      yield* same("taken", [taken.epoch, taken.fenceDue], [held.epoch + 1, true]);
      yield* store.release(taken, { fenceDue: true });
      const left = { owner: null, epoch: taken.epoch, holder: "none", fenceDue: true };
      yield* same("given back", yield* look(true), left);
    }),
};

/** The cases of two programs. */
export const overtakingCases: ReadonlyArray<RegistryCase> = [
  keptOut,
  forced,
  dead,
  gone,
  together,
  seen,
];
