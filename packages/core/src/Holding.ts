/**
 * Holding: the claim on a name while one message runs, and what may be done only under it.
 *
 * It knows the newest epoch of the claim, raises the fence in tmux before the first look when
 * something older may still take effect, and gives the claim back at the end. One message makes
 * one; it is never kept.
 */
import { Clock, Effect } from "effect";
import type { IncarnationId } from "./Identity.js";
import { type Change, type Claim, Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import {
  type AlreadyExists,
  Busy,
  type LookupFailed,
  type RegistryFailure,
} from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import { Settings } from "./Settings.js";
import { type Fence, type Listing, type SeenSession, type Target, Tmux } from "./Tmux.js";

/** The claim of the message that runs. */
export interface Holding {
  readonly session: SessionName;
  /** The name at the epoch that is in force. */
  readonly fence: () => Fence;
  /** One listing, behind a raised fence where that is due. */
  readonly look: (attempted: string) => Effect.Effect<Listing, LookupFailed>;
  /** Writes the intent of a new incarnation; it holds the name from here on. */
  readonly begin: (
    incarnation: IncarnationId,
    changes: ReadonlyArray<Change>,
  ) => Effect.Effect<SessionRecord, AlreadyExists | Busy | RegistryFailure>;
  /** Writes changes of a known incarnation; with `release` the claim ends with this write. */
  readonly commit: (
    incarnation: IncarnationId,
    changes: ReadonlyArray<Change>,
    options?: { readonly release: boolean },
  ) => Effect.Effect<SessionRecord, Busy | RegistryFailure>;
  /** Takes a new epoch, because what was sent under this one may still take effect. */
  readonly outcomeUnknown: Effect.Effect<void, Busy | RegistryFailure>;
  /** Takes an epoch that a fence of this height lets pass, unless ours is that high already. */
  readonly atLeast: (fence: number) => Effect.Effect<void, Busy | RegistryFailure>;
  /** The same, left for whoever claims next: the message ends here. */
  readonly leaveUnknown: Effect.Effect<void>;
  /** This session as the target of a mutation. */
  readonly target: (record: SessionRecord, seen: SeenSession, server: Target["server"]) => Target;
}

const holdingOf = (
  tmux: Tmux["Type"],
  registry: Registry["Type"],
  first: Claim,
): Holding & { readonly release: Effect.Effect<void, RegistryFailure> } => {
  let claim = first;
  const fence = (): Fence => ({ session: claim.session, epoch: claim.epoch });
  return {
    session: claim.session,
    fence,
    look: (attempted) =>
      Effect.suspend(() => {
        if (!claim.fenceDue) return tmux.list(attempted);
        return Effect.tap(tmux.fence(fence(), attempted), () => {
          claim = { ...claim, fenceDue: false };
        });
      }),
    begin: (incarnation, changes) =>
      Effect.suspend(() => registry.commit(claim, incarnation, changes, { release: false })),
    commit: (incarnation, changes, options = { release: false }) =>
      Effect.suspend(() => registry.commit(claim, incarnation, changes, options)).pipe(
        Effect.catchTag("AlreadyExists", Effect.die),
      ),
    outcomeUnknown: Effect.suspend(() =>
      Effect.map(registry.renew(claim), (renewed) => {
        claim = { ...renewed, fenceDue: true };
      }),
    ),
    atLeast: (height) =>
      Effect.suspend(() => {
        if (claim.epoch >= height) return Effect.void;
        return Effect.map(registry.renew(claim, height), (renewed) => {
          claim = { ...renewed, fenceDue: claim.fenceDue };
        });
      }),
    leaveUnknown: Effect.sync(() => {
      claim = { ...claim, fenceDue: true };
    }),
    target: (record, seen, server) => ({
      ...fence(),
      server,
      sessionId: seen.sessionId,
      incarnation: record.incarnation,
    }),
    release: Effect.suspend(() => registry.release(claim, { fenceDue: claim.fenceDue })),
  };
};

/** Whether a message waits for a living holder, gives up at once, or overtakes it. */
export type ClaimPolicy = "wait" | "try" | "force";

/** Only the wait between two tries can be interrupted: a claim that was taken is always held. */
const claimOf = Effect.fnUntraced(function* (
  session: SessionName,
  attempted: string,
  policy: ClaimPolicy,
) {
  const registry = yield* Registry;
  const { claimSpacingMs, claimWaitMs } = yield* Settings;
  const end = (yield* Clock.currentTimeMillis) + claimWaitMs;
  for (;;) {
    const force = policy === "force";
    const tried = yield* Effect.either(registry.claim(session, { attempted, force }));
    if (tried._tag === "Right") return tried.right;
    const late = (yield* Clock.currentTimeMillis) >= end;
    if (!(tried.left instanceof Busy) || policy === "try" || late) return yield* tried.left;
    yield* Effect.interruptible(Effect.sleep(claimSpacingMs));
  }
});

/**
 * Runs one message under the claim of its name. The message cannot be interrupted but where it
 * says so; the claim is given back whatever came of it.
 */
export const withClaim = <A, E, R>(
  session: SessionName,
  attempted: string,
  policy: ClaimPolicy,
  message: (holding: Holding) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | Busy | RegistryFailure, R | Registry | Tmux> =>
  Effect.uninterruptible(
    Effect.gen(function* () {
      const tmux = yield* Tmux;
      const registry = yield* Registry;
      const claim = yield* claimOf(session, attempted, policy);
      const holding = holdingOf(tmux, registry, claim);
      const exit = yield* Effect.exit(message(holding));
      // A claim that cannot be given back is taken over by our next message, or after our death.
      const released = yield* Effect.exit(holding.release);
      yield* Effect.when(
        Effect.logWarning("claim not released", released),
        () => released._tag === "Failure",
      );
      return yield* exit;
    }),
  );
