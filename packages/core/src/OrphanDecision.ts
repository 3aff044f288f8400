/**
 * OrphanDecision: what becomes of a writer that nobody is at, from facts to a decision.
 *
 * Total and pure. Whatever is not known to be nothing defers: work in the background, a tmux client
 * of a person, and the doubt about either. Only a running turn that went silent is interrupted,
 * once, and only one that does not settle is ended over. Nothing here ends a session.
 */
import type { AttachmentState, DeferReason } from "./AttachmentState.js";
import { AwakeMillis } from "./AwakeClock.js";
import type { TurnId } from "./Lease.js";

/** The bounds that it is decided by. */
export interface OrphanBounds {
  /** How long a client may stay away; 0: for ever. */
  readonly orphanGraceMs: number;
  /** How long a turn may be silent; 0: it is never taken for active. */
  readonly activityStaleMs: number;
  /** How long an interrupted turn may take. */
  readonly interruptSettleMs: number;
}

/** What can be found of something, or not. */
export type Presence = "none" | "some" | "unknown";

/** Everything that the decision looks at. */
export interface OrphanView {
  readonly state: AttachmentState;
  readonly now: AwakeMillis;
  readonly bounds: OrphanBounds;
  /**
   * The turn that runs; `activity` is when it last said that something happened, behind its begin.
   */
  readonly turn: { readonly id: TurnId; readonly activity: AwakeMillis | null } | null;
  /** Whether another turn was accepted and has not begun. */
  readonly isAwaited: boolean;
  readonly background: Presence;
  readonly nativeClients: Presence;
}

/** What is to be done. */
export type OrphanDecision =
  /** Somebody is there, or nobody was yet. */
  | { readonly _tag: "KeepAttached" }
  /** No look is due, ever: it ends already, or may stay so. */
  | { readonly _tag: "Park" }
  | {
      readonly _tag: "RecheckAt";
      readonly at: AwakeMillis;
      readonly why: DeferReason | null;
    }
  | { readonly _tag: "InterruptOnce"; readonly turn: TurnId; readonly settlesBy: AwakeMillis }
  | { readonly _tag: "Reap"; readonly forced: boolean };

type Detached = Extract<AttachmentState, { readonly _tag: "Detached" }>;

const isNative = (why: DeferReason | null): boolean =>
  why === "native-tmux-client" || why === "native-tmux-client-unknown";

/** Active is what was stamped behind its begin, not in a time to come, and not too long ago. */
const isActive = ({ bounds, now, turn }: OrphanView): boolean => {
  const activity = turn?.activity ?? null;
  return activity !== null && activity <= now && now - activity < bounds.activityStaleMs;
};

const deferral = (view: OrphanView): DeferReason | null => {
  const { background, nativeClients } = view;
  // First, since behind one the grace begins anew, whatever else was there.
  if (nativeClients === "some") return "native-tmux-client";
  if (nativeClients === "unknown") return "native-tmux-client-unknown";
  if (background === "some") return "background-work";
  if (background === "unknown") return "background-work-unknown";
  return null;
};

const decideDetached = (view: OrphanView, state: Detached): OrphanDecision => {
  const { bounds, now, turn } = view;
  const { due } = state;
  if (due === null) return { _tag: "Park" };
  if (now < due) return { _tag: "RecheckAt", at: due, why: state.deferred };
  const again = AwakeMillis(now + bounds.orphanGraceMs);
  const why = deferral(view);
  if (why !== null) return { _tag: "RecheckAt", at: again, why };
  // It left some time since the last look: what it has of grace begins with this one.
  if (isNative(state.deferred)) return { _tag: "RecheckAt", at: again, why: null };
  if (turn === null && !view.isAwaited) return { _tag: "Reap", forced: false };
  // Who was let in has been promised to run.
  if (turn === null || isActive(view)) return { _tag: "RecheckAt", at: again, why: "turn-active" };
  const settlesBy = AwakeMillis(now + bounds.interruptSettleMs);
  return { _tag: "InterruptOnce", turn: turn.id, settlesBy };
};

/** What becomes of it now. */
export const decideOrphan = (view: OrphanView): OrphanDecision => {
  const { now, state, turn } = view;
  switch (state._tag) {
    case "Unattended":
    case "Attached":
      return { _tag: "KeepAttached" };
    case "Detached":
      return decideDetached(view, state);
    case "Interrupting": {
      if (turn?.id !== state.turn) return { _tag: "Reap", forced: false };
      // Nothing defers from here on: an interrupt that was begun comes to an end.
      if (now >= state.settlesBy) return { _tag: "Reap", forced: true };
      return { _tag: "RecheckAt", at: state.settlesBy, why: null };
    }
    case "Reaping":
    case "Gone":
      return { _tag: "Park" };
  }
};
