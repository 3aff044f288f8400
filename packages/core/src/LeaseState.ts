/**
 * LeaseState: what a writer knows of its lease, and what each event makes of that. Pure.
 *
 * A state carries what it can have and nothing else: there is no released lease with an epoch, no
 * deferred one without its turn, and none that is held and was given up. `stepLease` is the table;
 * what means nothing in a state changes nothing, and what would change a lease that is gone is
 * answered as lost. `Leases` interprets it.
 */
import type { BorrowedLease, OwnedLease, Settlement, TurnId } from "./Lease.js";
import type { SessionName } from "./SessionName.js";

/** Where a writer is with its lease. */
export type LeaseState =
  | { readonly _tag: "None" }
  | { readonly _tag: "Claiming" }
  | { readonly _tag: "Held"; readonly lease: OwnedLease }
  | { readonly _tag: "Deferred"; readonly lease: OwnedLease; readonly turn: TurnId }
  | { readonly _tag: "Releasing"; readonly lease: OwnedLease; readonly turn: TurnId | null }
  /** Given up, and its row is still there: nobody runs anything under it before it is claimed. */
  | { readonly _tag: "Owed"; readonly lease: OwnedLease }
  | { readonly _tag: "Borrowed"; readonly lease: BorrowedLease }
  | { readonly _tag: "Taken"; readonly lease: OwnedLease }
  | { readonly _tag: "Lost"; readonly lease: OwnedLease }
  | { readonly _tag: "Released" };

/** What happens to it. */
export type LeaseEvent =
  /** The first turn wants a lease. */
  | { readonly _tag: "Wanted" }
  /** A parent vouches with one. */
  | { readonly _tag: "Vouched"; readonly lease: BorrowedLease }
  | { readonly _tag: "Claimed"; readonly lease: OwnedLease }
  | { readonly _tag: "Refused" }
  /** It is for another name, at another epoch. */
  | { readonly _tag: "Moved"; readonly lease: OwnedLease }
  | { readonly _tag: "Retargeted"; readonly session: SessionName }
  /** A sibling of this program has it. */
  | { readonly _tag: "TakenOver" }
  /** The registry says that it is not ours. */
  | { readonly _tag: "Mismatch" }
  /** The writer ends, or a turn that the lease was only for; `unsettled` is a turn that runs on. */
  | { readonly _tag: "End"; readonly unsettled: TurnId | null }
  | { readonly _tag: "Settled"; readonly settlement: Settlement }
  /** A long time passed without a settlement. */
  | { readonly _tag: "Overdue" }
  /** The registry has it no more. */
  | { readonly _tag: "Gone" }
  | { readonly _tag: "ReleaseFailed" };

/** What is to be done: by nobody else than `Leases`. */
export type LeaseAction = "claim" | "release" | "look" | "nothing" | "lost";

/** The state after an event, and what is due. */
export interface LeaseStep {
  readonly state: LeaseState;
  readonly action: LeaseAction;
}

/** A writer without a lease. */
export const noLease: LeaseState = { _tag: "None" };

const stay = (state: LeaseState, action: LeaseAction = "nothing"): LeaseStep => ({ state, action });

const end = (lease: OwnedLease, unsettled: TurnId | null): LeaseStep =>
  unsettled === null
    ? { state: { _tag: "Releasing", lease, turn: null }, action: "release" }
    : { state: { _tag: "Deferred", lease, turn: unsettled }, action: "look" };

const held = (state: Extract<LeaseState, { _tag: "Held" }>, event: LeaseEvent): LeaseStep => {
  const { lease } = state;
  switch (event._tag) {
    case "Claimed":
    case "Moved":
      return stay({ _tag: "Held", lease: event.lease });
    case "Refused":
      return stay(state);
    case "TakenOver":
      return stay({ _tag: "Taken", lease });
    case "Mismatch":
    case "Gone":
      return stay({ _tag: "Lost", lease });
    case "End":
      return end(lease, event.unsettled);
    default:
      return stay(state);
  }
};

const deferred = (
  state: Extract<LeaseState, { _tag: "Deferred" }>,
  event: LeaseEvent,
): LeaseStep => {
  const { lease, turn } = state;
  switch (event._tag) {
    case "Settled":
      return event.settlement.turn === turn
        ? { state: { _tag: "Releasing", lease, turn }, action: "release" }
        : stay(state);
    case "Overdue":
      return stay(state, "look");
    case "Mismatch":
    case "Gone":
      return stay({ _tag: "Lost", lease });
    default:
      return stay(state);
  }
};

const releasing = (
  state: Extract<LeaseState, { _tag: "Releasing" }>,
  event: LeaseEvent,
): LeaseStep => {
  const { lease, turn } = state;
  switch (event._tag) {
    case "Gone":
    case "Mismatch":
      return stay({ _tag: "Released" });
    case "ReleaseFailed":
      return stay(turn === null ? { _tag: "Owed", lease } : { _tag: "Deferred", lease, turn });
    case "Moved":
      return stay(state, "lost");
    default:
      return stay(state);
  }
};

const owed = (state: Extract<LeaseState, { _tag: "Owed" }>, event: LeaseEvent): LeaseStep => {
  const { lease } = state;
  switch (event._tag) {
    case "Wanted":
      return stay(state, "claim");
    case "Claimed":
      return stay({ _tag: "Held", lease: event.lease });
    case "End":
      return end(lease, null);
    case "TakenOver":
      return stay({ _tag: "Taken", lease });
    case "Gone":
    case "Mismatch":
      return stay({ _tag: "Released" });
    case "Moved":
      return stay(state, "lost");
    default:
      return stay(state);
  }
};

const mutating: ReadonlySet<LeaseEvent["_tag"]> = new Set(["Wanted", "Moved", "Claimed", "End"]);

/** What the event makes of the state. Total: an event that means nothing there changes nothing. */
export const stepLease = (state: LeaseState, event: LeaseEvent): LeaseStep => {
  switch (state._tag) {
    case "None":
      if (event._tag === "Wanted") return stay({ _tag: "Claiming" }, "claim");
      if (event._tag === "Vouched") return stay({ _tag: "Borrowed", lease: event.lease });
      // The writer closed while it was claimed: what this claim made goes, and nothing else.
      return event._tag === "Claimed" ? end(event.lease, null) : stay(state);
    case "Claiming":
      if (event._tag === "Claimed") return stay({ _tag: "Held", lease: event.lease });
      return event._tag === "Refused" || event._tag === "End" ? stay(noLease) : stay(state);
    case "Held":
      return held(state, event);
    case "Deferred":
      return deferred(state, event);
    case "Releasing":
      return releasing(state, event);
    case "Owed":
      return owed(state, event);
    case "Borrowed":
      if (event._tag === "End") return stay({ _tag: "Released" });
      if (event._tag !== "Retargeted") return stay(state);
      return stay({ _tag: "Borrowed", lease: { ...state.lease, session: event.session } });
    case "Taken":
    case "Lost":
    case "Released":
      return stay(state, mutating.has(event._tag) ? "lost" : "nothing");
  }
};

/** The lease that this program vouches for in this state: its row is no orphan. */
export const vouchedFor = (state: LeaseState): OwnedLease | null => {
  switch (state._tag) {
    case "Held":
    case "Deferred":
    case "Releasing":
    case "Owed":
      return state.lease;
    default:
      return null;
  }
};
