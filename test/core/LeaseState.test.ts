/**
 * The state machine of a lease against the table of the requirements, row by row, and what holds of
 * every state under every event.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  ActorId,
  type BorrowedLease,
  IncarnationId,
  type LeaseEvent,
  LeaseId,
  type LeaseState,
  noLease,
  type OwnedLease,
  SessionName,
  stepLease,
  TurnId,
  vouchedFor,
} from "@troupe/core";

const owned = (epoch: number, session = "a"): OwnedLease => ({
  _tag: "Owned",
  session: SessionName.make(session),
  incarnation: IncarnationId.make("incarnation-1"),
  lease: LeaseId.make("lease-1"),
  epoch,
  owner: "program",
  actor: ActorId.make("actor-1"),
});

const lease = owned(1);
const turn = TurnId.make("turn-1");
const otherTurn = TurnId.make("turn-2");
const lent: BorrowedLease = {
  _tag: "Borrowed",
  session: lease.session,
  lease: lease.lease,
  epoch: 1,
  parent: "program",
};
const b = SessionName.make("b");

const held: LeaseState = { _tag: "Held", lease };
const deferred: LeaseState = { _tag: "Deferred", lease, turn };
const releasing: LeaseState = { _tag: "Releasing", lease, turn: null };
const deferredRelease: LeaseState = { _tag: "Releasing", lease, turn };
const borrowed: LeaseState = { _tag: "Borrowed", lease: lent };
const taken: LeaseState = { _tag: "Taken", lease };
const lost: LeaseState = { _tag: "Lost", lease };
const claiming: LeaseState = { _tag: "Claiming" };
const released: LeaseState = { _tag: "Released" };
const owed: LeaseState = { _tag: "Owed", lease };

const ended = (of: TurnId): LeaseEvent => ({
  _tag: "Settled",
  settlement: { _tag: "TurnEnded", turn: of },
});
const exited: LeaseEvent = {
  _tag: "Settled",
  settlement: { _tag: "ChildExited", turn, pid: 7 },
};
const moved: LeaseEvent = { _tag: "Moved", lease: owned(2, "b") };
const end = (unsettled: TurnId | null): LeaseEvent => ({ _tag: "End", unsettled });

const rows: ReadonlyArray<readonly [string, LeaseState, LeaseEvent, LeaseState, string]> = [
  ["a first turn claims", noLease, { _tag: "Wanted" }, claiming, "claim"],
  ["a vouch is borrowed", noLease, { _tag: "Vouched", lease: lent }, borrowed, "nothing"],
  ["a claim is held", claiming, { _tag: "Claimed", lease }, held, "nothing"],
  ["a refusal leaves none", claiming, { _tag: "Refused" }, noLease, "nothing"],
  ["a close meanwhile leaves none", claiming, end(null), noLease, "nothing"],
  ["a claim behind a close is released", noLease, { _tag: "Claimed", lease }, releasing, "release"],
  ["the same writer keeps it", held, { _tag: "Claimed", lease }, held, "nothing"],
  [
    "a move is held at the new name",
    held,
    moved,
    { _tag: "Held", lease: owned(2, "b") },
    "nothing",
  ],
  ["a refused move keeps the old", held, { _tag: "Refused" }, held, "nothing"],
  ["a sibling takes it over", held, { _tag: "TakenOver" }, taken, "nothing"],
  ["a mismatch loses it", held, { _tag: "Mismatch" }, lost, "nothing"],
  ["an end with an unsettled turn defers", held, end(turn), deferred, "look"],
  ["an end releases", held, end(null), releasing, "release"],
  ["the turn's end settles", deferred, ended(turn), deferredRelease, "release"],
  ["the child's exit settles", deferred, exited, deferredRelease, "release"],
  ["another turn's end does not", deferred, ended(otherTurn), deferred, "nothing"],
  ["time settles nothing", deferred, { _tag: "Overdue" }, deferred, "look"],
  ["what is gone is released", releasing, { _tag: "Gone" }, released, "nothing"],
  ["what is another's is released", releasing, { _tag: "Mismatch" }, released, "nothing"],
  ["a failed release is owed", releasing, { _tag: "ReleaseFailed" }, owed, "nothing"],
  ["what is owed is claimed before it is used", owed, { _tag: "Wanted" }, owed, "claim"],
  ["what was owed is held when it is given", owed, { _tag: "Claimed", lease }, held, "nothing"],
  ["what is owed stays so when it is refused", owed, { _tag: "Refused" }, owed, "nothing"],
  ["what is owed is given back", owed, end(null), releasing, "release"],
  ["what is owed waits for no turn", owed, end(turn), releasing, "release"],
  ["what is owed is a sibling's for the taking", owed, { _tag: "TakenOver" }, taken, "nothing"],
  ["what is owed and gone is released", owed, { _tag: "Gone" }, released, "nothing"],
  ["what is owed moves nowhere", owed, moved, owed, "lost"],
  ["a failed release is deferred", deferredRelease, { _tag: "ReleaseFailed" }, deferred, "nothing"],
  ["a release beats a move", releasing, moved, releasing, "lost"],
  ["a borrowed one ends here alone", borrowed, end(null), released, "nothing"],
  [
    "a borrowed one is pointed elsewhere",
    borrowed,
    { _tag: "Retargeted", session: b },
    { _tag: "Borrowed", lease: { ...lent, session: b } },
    "nothing",
  ],
  ["what was taken cannot move", taken, moved, taken, "lost"],
  ["what was lost cannot end", lost, end(null), lost, "lost"],
  ["what was released is not wanted again", released, { _tag: "Wanted" }, released, "lost"],
];

const events: ReadonlyArray<LeaseEvent> = [
  ...rows.map(([, , event]) => event),
  { _tag: "Gone" },
  { _tag: "Overdue" },
];
const states = rows.flatMap(([, from, , to]) => [from, to]);

describe("a step", () => {
  for (const [what, from, event, to, action] of rows) {
    it(`${what}: ${from._tag} and ${event._tag} make ${to._tag}`, () => {
      expect(stepLease(from, event)).toEqual({ state: to, action });
    });
  }
});

describe("in every state, under every event,", () => {
  const all = states.flatMap((from) => events.map((event) => ({ from, event })));

  it("a lease is vouched for until it is lost, taken or released", () => {
    for (const { event, from } of all) {
      const { state } = stepLease(from, event);
      if (vouchedFor(from) === null || vouchedFor(state) !== null) continue;
      expect(["Taken", "Lost", "Released"]).toContain(state._tag);
    }
  });

  it("what is gone stays gone, and only evidence releases what is deferred", () => {
    for (const { event, from } of all) {
      const { action, state } = stepLease(from, event);
      if (["Taken", "Lost", "Released"].includes(from._tag)) expect(state).toEqual(from);
      if (from._tag === "Deferred" && action === "release") expect(event._tag).toBe("Settled");
    }
  });

  it("only what is held or deferred has a turn under it, and is used without a claim", () => {
    for (const { event, from } of all) {
      const { action, state } = stepLease(from, event);
      if (from._tag !== "Owed" || state._tag !== "Held") continue;
      expect([event._tag, action]).toEqual(["Claimed", "nothing"]);
    }
  });

  it("a borrowed lease is never released, moved or vouched for", () => {
    for (const event of events) {
      const { action, state } = stepLease(borrowed, event);
      expect(action).toBe("nothing");
      expect(vouchedFor(state)).toBeNull();
    }
  });
});
