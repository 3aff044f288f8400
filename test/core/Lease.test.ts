/**
 * The values of a lease: what a vouch is worth, and what the types refuse of a borrowed one.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  ActorId,
  type BorrowedLease,
  IncarnationId,
  LeaseId,
  type OwnedLease,
  retarget,
  SessionName,
  sameLease,
  vouchFor,
} from "@troupe/core";
import { Option } from "effect";

const a = SessionName.make("a");
const b = SessionName.make("b");
const owned: OwnedLease = {
  _tag: "Owned",
  session: a,
  incarnation: IncarnationId.make("incarnation-1"),
  lease: LeaseId.make("lease-1"),
  epoch: 3,
  owner: "program",
  actor: ActorId.make("actor-1"),
};
const borrowed: BorrowedLease = {
  _tag: "Borrowed",
  session: a,
  lease: owned.lease,
  epoch: 3,
  parent: "program",
};

describe("a vouch", () => {
  it("is given only while the lease names the session that is meant", () => {
    const vouch = { session: a, lease: owned.lease, epoch: 3, parent: "program" };
    expect(vouchFor(owned, a)).toEqual(Option.some(vouch));
    expect(vouchFor(owned, b)).toEqual(Option.none());
    expect(vouchFor({ ...owned, session: b }, a)).toEqual(Option.none());
  });

  it("is never given with a borrowed lease: the types refuse it", () => {
    // @ts-expect-error a borrowed lease is not ours to vouch for
    const vouch = () => vouchFor(borrowed, a);
    expect(vouch).toBeTypeOf("function");
  });
});

describe("a borrowed lease", () => {
  it("is pointed at another name without touching the parent's", () => {
    expect(retarget(borrowed, b)).toEqual({ ...borrowed, session: b });
    expect(borrowed.session).toBe(a);
  });

  it("is the same lease only at the same epoch of the same name", () => {
    expect(sameLease(borrowed, owned)).toBe(true);
    expect(sameLease({ ...borrowed, epoch: 4 }, owned)).toBe(false);
    expect(sameLease(retarget(borrowed, b), owned)).toBe(false);
    expect(sameLease({ ...borrowed, lease: LeaseId.make("lease-2") }, owned)).toBe(false);
  });
});
