/**
 * EndReason: why a writer's work in a session ends, and what that means, in one total table.
 *
 * What a program does by itself (a client that vanished, an idle timer, a shutdown) is not the
 * user's will: it gives up lease and readers, and the session stays. Only a delete ends a row and
 * kills, and a time limit that the user asked for is a delete. Pure; nothing is done here.
 */

/** Why it ends. */
export type EndReason =
  | "explicit_delete"
  | "explicit_close"
  | "session_exited"
  | "orphan_reap"
  | "client_disconnect"
  | "idle_timeout"
  | "lru_evict"
  | "runtime_shutdown"
  | "lease_lost";

/** What an end does, beside giving up the lease. */
export interface EndPolicy {
  /** Nobody asked for it. */
  readonly automatic: boolean;
  readonly endsRow: boolean;
  readonly killsTmux: boolean;
  /** Brings the row up to what tmux shows; it ends no row. */
  readonly reconciles: boolean;
  /** Every subscriber is told, since whoever used it may not know. */
  readonly announces: boolean;
  readonly waitsForTurn: boolean;
  /** Questions that wait for the user stay open. */
  readonly keepsPendingPrompts: boolean;
}

const automatic: EndPolicy = {
  automatic: true,
  endsRow: false,
  killsTmux: false,
  reconciles: false,
  announces: false,
  waitsForTurn: true,
  keepsPendingPrompts: true,
};

const asked: EndPolicy = { ...automatic, automatic: false, keepsPendingPrompts: false };

/** What each reason means. */
export const endPolicy: Readonly<Record<EndReason, EndPolicy>> = {
  explicit_delete: { ...asked, endsRow: true, killsTmux: true },
  explicit_close: asked,
  session_exited: { ...asked, reconciles: true, waitsForTurn: false },
  orphan_reap: { ...automatic, announces: true },
  client_disconnect: automatic,
  idle_timeout: { ...automatic, announces: true },
  lru_evict: { ...automatic, announces: true },
  runtime_shutdown: { ...automatic, waitsForTurn: false },
  lease_lost: { ...automatic, announces: true, waitsForTurn: false },
};

/** Every reason. */
export const endReasons = Object.keys(endPolicy) as ReadonlyArray<EndReason>;
