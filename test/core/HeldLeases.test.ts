/**
 * What a program answers for: from before a claim is answered until its row is gone.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  ActorId,
  HeldLease,
  HeldLeases,
  IncarnationId,
  LeaseId,
  type OwnedLease,
  TurnId,
} from "@troupe/core";
import { name, writer } from "./LeaseHome.js";

const leaseOf = (session: string, actor: string): OwnedLease => ({
  _tag: "Owned",
  session: name(session),
  incarnation: IncarnationId.make("incarnation-1"),
  lease: LeaseId.make(`${session} ${actor}`),
  epoch: 1,
  owner: "program",
  actor: ActorId.make(actor),
});

/** Which of some rows are vouched for. */
const vouchedIn = (held: HeldLeases) =>
  ["a", "b", "c", "d"]
    .map((session) => leaseOf(session, "x"))
    .filter(held.vouched)
    .map(({ lease }) => lease);

const claimed = (held: HeldLeases, session: string, actor: string) => {
  const own = new HeldLease(writer(session, actor));
  own.step({ _tag: "Wanted" });
  held.add(own);
  held.prune();
  own.step({ _tag: "Claimed", lease: leaseOf(session, actor) });
  return own;
};

describe("held leases", () => {
  it("are found by lease, by writer, and as a sibling of another writer", () => {
    const held = new HeldLeases();
    const own = claimed(held, "a", "x");
    claimed(held, "b", "x");
    expect(held.of(leaseOf("a", "x"))).toBe(own);
    expect(held.by(name("a"), ActorId.make("x"))).toBe(own);
    expect(held.by(name("a"), ActorId.make("y"))).toBeNull();
    expect(held.sibling(name("a"), ActorId.make("y"))).toBe(own);
    expect(held.sibling(name("a"), ActorId.make("x"))).toBeNull();
    expect(vouchedIn(held)).toEqual(["a x", "b x"]);
  });

  it("are vouched for while they are deferred or being released, not when taken or lost", () => {
    const held = new HeldLeases();
    const [a, b, c, d] = ["a", "b", "c", "d"].map((session) => claimed(held, session, "x"));
    a?.step({ _tag: "End", unsettled: TurnId.make("turn") });
    b?.step({ _tag: "End", unsettled: null });
    c?.step({ _tag: "TakenOver" });
    d?.step({ _tag: "Mismatch" });
    held.prune();
    expect([vouchedIn(held), held.size]).toEqual([["a x", "b x"], 2]);
  });

  it("are vouched for before their claim is answered, whatever they are called in the end", () => {
    const held = new HeldLeases();
    const own = new HeldLease(writer("a", "x"));
    own.step({ _tag: "Wanted" });
    held.add(own);
    expect(vouchedIn(held)).toEqual(["a x"]);
    expect(held.vouched(leaseOf("a", "y"))).toBe(false);
    own.step({ _tag: "Refused" });
    held.prune();
    expect(vouchedIn(held)).toEqual([]);
  });

  it("are found by what they were before a move, and not by what another took", () => {
    const held = new HeldLeases();
    const own = claimed(held, "a", "x");
    const old = leaseOf("a", "x");
    own.step({ _tag: "Moved", lease: { ...old, session: name("b"), epoch: 4 } });
    expect([held.of(old), held.since(old), own.session]).toEqual([null, own, "b"]);
    expect(held.vouched({ ...old, session: name("b") })).toBe(true);
    own.step({ _tag: "TakenOver" });
    held.prune();
    expect(held.since(old)).toBeNull();
  });

  it("are wanted until the last scope left, or until their writer gives them back", () => {
    const own = new HeldLease(writer("a", "x"));
    own.enter();
    own.enter();
    expect([own.leave(), own.leave()]).toEqual([false, true]);
    own.keep();
    own.enter();
    expect(own.leave()).toBe(false);
    own.drop();
    own.enter();
    expect(own.leave()).toBe(true);
  });
});
