/**
 * LeaseRelease: giving a lease back, once, with a few tries while the registry is busy.
 *
 * What is gone already is success. Whatever fails, the lease stays vouched for and is owed: its
 * writer claims it again before it runs anything, and until then a later try may give it back; the
 * next sweep is one. Of two who release at once one asks the registry.
 */
import { Effect, Option } from "effect";
import type { HeldLease, HeldLeases } from "./HeldLeases.js";
import type { OwnedLease } from "./Lease.js";
import type { NameLocks } from "./NameLocks.js";
import type { Registry } from "./Registry.js";
import type { RegistryFailure } from "./SessionError.js";
import type { SettingsShape } from "./Settings.js";

/** Where leases are given back. */
export interface Releasing {
  readonly registry: Registry["Type"];
  readonly held: HeldLeases;
  readonly locks: NameLocks;
  readonly settings: Pick<SettingsShape, "leaseAttempts" | "leaseBackoffMs">;
}

/** Asks the registry; only a busy one is asked again, after a pause that grows. */
const removed = (
  releasing: Releasing,
  lease: OwnedLease,
  tries = 1,
): Effect.Effect<boolean, RegistryFailure> =>
  Effect.catchTag(releasing.registry.releaseLease(lease), "RegistryUnavailable", (failure) =>
    tries >= releasing.settings.leaseAttempts
      ? failure
      : Effect.zipRight(
          Effect.sleep(releasing.settings.leaseBackoffMs * tries),
          removed(releasing, lease, tries + 1),
        ),
  );

/** Does it alone with this lease, under the name that it has when its turn comes. */
export const aloneWith =
  (locks: NameLocks, held: HeldLease) =>
  <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const { session } = held;
      const tried = Effect.suspend(() =>
        held.session === session ? Effect.asSome(effect) : Effect.succeedNone,
      );
      // It was moved while its old name was waited for.
      return Effect.flatMap(
        locks.alone(session)(tried),
        Option.match({ onNone: () => aloneWith(locks, held)(effect), onSome: Effect.succeed }),
      );
    });

/** Does the release that a step said is due. Its caller is alone with the lease. */
export const releaseDue = (
  releasing: Releasing,
  held: HeldLease,
): Effect.Effect<void, RegistryFailure> =>
  Effect.uninterruptible(
    Effect.suspend(() => {
      const { lease } = held;
      if (lease === null) return Effect.void;
      return removed(releasing, lease).pipe(
        Effect.tapErrorCause(() => Effect.sync(() => held.step({ _tag: "ReleaseFailed" }))),
        Effect.zipRight(
          Effect.sync(() => {
            held.step({ _tag: "Gone" });
            releasing.held.prune();
          }),
        ),
      );
    }),
  );

/** Gives the lease up. Its caller is alone with it. */
export const giveUp = (
  releasing: Releasing,
  held: HeldLease,
): Effect.Effect<void, RegistryFailure> =>
  Effect.suspend(() => {
    held.drop();
    const action = held.step({ _tag: "End", unsettled: null });
    return action === "release" ? releaseDue(releasing, held) : Effect.void;
  });
