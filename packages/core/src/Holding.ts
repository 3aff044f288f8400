/**
 * Holding: the claim on a name while one message runs, and what may be done only under it.
 *
 * It knows the newest epoch of the claim, raises the fence in tmux before the first look when
 * something older may still take effect, and gives the claim back at the end. One message makes
 * one; it is never kept.
 */
import { Effect, type Option } from "effect";
import { type ClaimPolicy, claimBy } from "./ClaimWait.js";
import type { IncarnationId } from "./Identity.js";
import { newestAlone } from "./LettingGo.js";
import { isFinal } from "./Lifecycle.js";
import { askOrHeal, type Heard } from "./ListenAgain.js";
import { hurried } from "./Mailboxes.js";
import type { ProcessTable } from "./ProcessTable.js";
import { type Change, type Claim, type Ending, Registry } from "./Registry.js";
import type { ServerSocket } from "./ServerSocket.js";
import type { SessionRecord } from "./Session.js";
import type { AlreadyExists, Busy, LookupFailed, RegistryFailure } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import { SessionScopes } from "./SessionScopes.js";
import {
  type Fence,
  type Listing,
  type SeenSession,
  type ShowRequest,
  type Target,
  Tmux,
} from "./Tmux.js";

/** The claim of the message that runs. */
export interface Holding {
  readonly session: SessionName;
  /** Ends when a delete waits behind this message; a wait for time alone ends with it. */
  readonly hurried: Effect.Effect<void>;
  /**
   * The newest incarnation of the name. What this program holds for one that has ended, or for an
   * older one, whoever ended it, ends here at the latest.
   */
  readonly newest: Effect.Effect<Option.Option<SessionRecord>, RegistryFailure>;
  /** The name at the epoch that is in force. */
  readonly fence: () => Fence;
  /**
   * One listing, behind a new epoch and a raised fence where those are due. A server of ours whose
   * socket was removed is told to listen again, once in a message. What these panes show is told
   * along with it, unless a fence is due.
   */
  readonly look: (
    attempted: string,
    show?: ShowRequest | null,
  ) => Effect.Effect<Listing, LookupFailed | Busy | RegistryFailure>;
  /**
   * Writes the intent of a new incarnation; it holds the name from here on. The one that it takes
   * the place of ends in the same transaction.
   */
  readonly begin: (
    incarnation: IncarnationId,
    changes: ReadonlyArray<Change>,
    ending?: Ending | undefined,
  ) => Effect.Effect<SessionRecord, AlreadyExists | Busy | RegistryFailure>;
  /**
   * Writes changes of a known incarnation; with `release` the claim ends with this write. What
   * this program holds for the session ends when it has ended.
   */
  readonly commit: (
    incarnation: IncarnationId,
    changes: ReadonlyArray<Change>,
    options?: { readonly release: boolean },
  ) => Effect.Effect<SessionRecord, Busy | RegistryFailure>;
  /**
   * Takes a new epoch, because what was sent under this one may still take effect. When that fails
   * it stays due, for the next look or for whoever claims next.
   */
  readonly outcomeUnknown: Effect.Effect<void, Busy | RegistryFailure>;
  /** Takes an epoch that a fence of this height lets pass, unless ours is that high already. */
  readonly atLeast: (fence: number) => Effect.Effect<void, Busy | RegistryFailure>;
  /** The same, left for whoever claims next: the message ends here. */
  readonly leaveUnknown: Effect.Effect<void>;
  /** A write of another kind, with the claim as it is then. */
  readonly write: <A, E>(how: (claim: Claim) => Effect.Effect<A, E>) => Effect.Effect<A, E>;
  /** This session as the target of a mutation. */
  readonly target: (record: SessionRecord, seen: SeenSession, server: Target["server"]) => Target;
}

/** Asks tmux so that a server whose socket was removed is told to listen again. */
type Heal = (
  attempted: string,
  ask: Effect.Effect<Listing, LookupFailed>,
) => Effect.Effect<Heard, LookupFailed | RegistryFailure>;

const targetOf = (
  fence: Fence,
  { incarnation }: SessionRecord,
  { sessionId }: SeenSession,
  server: Target["server"],
): Target => ({ ...fence, server, sessionId, incarnation });

const listed = (tmux: Tmux["Type"], attempted: string, show: ShowRequest | null) =>
  show === null ? tmux.list(attempted) : tmux.listShowing(show, attempted);

const giveBack = (registry: Registry["Type"], claim: Claim) =>
  registry.release(claim, { fenceDue: claim.fenceDue });

const holdingOf = (
  tmux: Tmux["Type"],
  registry: Registry["Type"],
  scopes: SessionScopes["Type"],
  heal: Heal,
  first: Claim,
): Holding & { readonly release: Effect.Effect<void, RegistryFailure> } => {
  let claim = first;
  let [renewalDue, hasTold, isGivenBack] = [false, false, false];
  const doubt = Effect.sync(() => {
    renewalDue = true;
    claim = { ...claim, fenceDue: true };
  });
  const renewal = Effect.suspend(() =>
    Effect.map(registry.renew(claim), (renewed) => {
      renewalDue = false;
      claim = { ...renewed, fenceDue: true };
    }),
  );
  const letGo = ({ incarnation, session, state }: SessionRecord, isLast = false) => {
    isGivenBack ||= isLast;
    return isFinal(state) ? scopes.close(session, incarnation) : Effect.void;
  };
  const fence = (): Fence => ({ session: claim.session, epoch: claim.epoch });
  return {
    session: claim.session,
    hurried,
    newest: newestAlone(first.session).pipe(
      Effect.provideService(Registry, registry),
      Effect.provideService(SessionScopes, scopes),
    ),
    fence,
    look: Effect.fnUntraced(function* (attempted: string, show: ShowRequest | null = null) {
      if (renewalDue) yield* renewal;
      const { fenceDue } = claim;
      const ask = fenceDue ? tmux.fence(fence(), attempted) : listed(tmux, attempted, show);
      const heard = hasTold ? { listing: yield* ask, told: false } : yield* heal(attempted, ask);
      const { listing } = heard;
      hasTold ||= heard.told;
      // Where nobody answered, no fence was raised.
      if (fenceDue && listing._tag === "Server") claim = { ...claim, fenceDue: false };
      return listing;
    }),
    begin: (incarnation, changes, ending) =>
      Effect.suspend(() =>
        registry.commit(claim, incarnation, changes, { release: false, ending }),
      ).pipe(
        Effect.tap(({ session }) =>
          ending === undefined ? Effect.void : scopes.close(session, ending.incarnation),
        ),
      ),
    commit: (incarnation, changes, options = { release: false }) =>
      Effect.suspend(() => registry.commit(claim, incarnation, changes, options)).pipe(
        Effect.catchTag("AlreadyExists", Effect.die),
        Effect.tap((record) => letGo(record, options.release)),
      ),
    outcomeUnknown: Effect.zipRight(doubt, renewal),
    atLeast: (height) =>
      Effect.suspend(() => {
        if (claim.epoch >= height) return Effect.void;
        return Effect.map(registry.renew(claim, height), (renewed) => {
          claim = { ...renewed, fenceDue: claim.fenceDue };
        });
      }),
    leaveUnknown: doubt,
    write: (how) => Effect.suspend(() => how(claim)),
    target: (...who) => targetOf(fence(), ...who),
    release: Effect.suspend(() => (isGivenBack ? Effect.void : giveBack(registry, claim))),
  };
};

/**
 * Runs one message under the claim of its name. The message cannot be interrupted but where it
 * says so; the claim is given back whatever came of it.
 */
export const withClaim = <A, E, R>(
  session: SessionName,
  attempted: string,
  policy: ClaimPolicy,
  message: (holding: Holding) => Effect.Effect<A, E, R>,
): Effect.Effect<
  A,
  E | Busy | RegistryFailure,
  R | Registry | Tmux | ProcessTable | ServerSocket | SessionScopes
> =>
  Effect.uninterruptible(
    Effect.gen(function* () {
      const tmux = yield* Tmux;
      const registry = yield* Registry;
      const claim = yield* claimBy(session, attempted, policy);
      const services = yield* Effect.context<Registry | ProcessTable | ServerSocket>();
      const heal: Heal = (what, ask) => Effect.provide(askOrHeal(what, ask), services);
      const holding = holdingOf(tmux, registry, yield* SessionScopes, heal, claim);
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
