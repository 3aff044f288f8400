/**
 * What a store decides about leases: in which order, about whom, and at which boundary.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  ActorId,
  IncarnationId,
  judgeClaim,
  judgeMove,
  judgeSweep,
  type LeaseHolder,
  LeaseId,
  type LeaseRecord,
  type LeaseTable,
  ownedLease,
  SessionName,
  TurnId,
} from "@troupe/core";
import { asking } from "@troupe/testing";

const there = IncarnationId.make("incarnation-1");
const name = (session: string) => SessionName.make(session);

const row = (session: string, owner: string, more: Partial<LeaseRecord> = {}): LeaseRecord => ({
  session: name(session),
  incarnation: there,
  lease: LeaseId.make(`lease of ${session}`),
  epoch: 1,
  owner,
  component: "sessions",
  actor: ActorId.make("actor"),
  surface: "terminal",
  pid: 7,
  host: null,
  bootId: null,
  children: [],
  turn: null,
  acquiredAt: 0,
  ...more,
});

const lives: Readonly<Record<string, LeaseHolder>> = { self: "self", alive: "alive", dead: "dead" };

const table = (rows: ReadonlyArray<LeaseRecord>, at = 1000): LeaseTable => ({
  rows,
  self: "self",
  at,
  lifeOf: ({ owner }) => lives[owner] ?? "unknown",
});

const outcome = (rows: ReadonlyArray<LeaseRecord>, session: string, capacity: number | null) => {
  const request = asking(name(session), "actor", { capacity });
  const { outcome } = judgeClaim(table(rows), request, there);
  return outcome._tag === "Refused" ? outcome.refusal._tag : outcome._tag;
};

describe("a claim", () => {
  for (const [owner, actor, expected] of [
    ["self", "actor", "Kept"],
    ["self", "other", "LeaseHeld"],
    ["alive", "actor", "LeaseHeld"],
    ["alive", "other", "LeaseHeld"],
    ["who", "actor", "LeaseHeld"],
    ["dead", "actor", "Write"],
  ] as const) {
    it(`by actor of self, held by ${actor} of ${owner}, is ${expected}`, () => {
      expect(outcome([row("a", owner, { actor: ActorId.make(actor) })], "a", null)).toBe(expected);
    });
  }

  for (const [title, over, held, expected] of [
    ["over nobody, of a holder with nothing, is LeaseHeld", undefined, {}, "LeaseHeld"],
    ["over settled, of a holder with nothing, is taken", "settled", {}, "Write"],
    [
      "over settled, of a holder with a turn, is LeaseHeld",
      "settled",
      { turn: TurnId.make("t") },
      "LeaseHeld",
    ],
    [
      "over settled, of a holder with child, is LeaseHeld",
      "settled",
      { children: [{ pid: 1, startTime: 1, bootId: "b" }] },
      "LeaseHeld",
    ],
    ["over any, of a holder with a turn, is taken", "any", { turn: TurnId.make("t") }, "Write"],
  ] as const) {
    it(title, () => {
      const own = row("a", "alive", held);
      const request = asking(name("a"), "x", { over, capacity: 1 });
      const { outcome } = judgeClaim(table([own]), request, there);
      expect(outcome._tag === "Refused" ? outcome.refusal._tag : outcome._tag).toBe(expected);
      if (outcome._tag === "Write") expect(outcome.over).toBe(own);
    });
  }

  it("that goes over others goes over nobody of another name, and not past the bound", () => {
    const request = asking(name("b"), "x", { over: "any", capacity: 1 });
    const { outcome } = judgeClaim(table([row("a", "alive")]), request, there);
    expect(outcome).toMatchObject({ refusal: { _tag: "CapacityReached" } });
  });

  it("is blocked by a holder of whom nothing is known for his own name alone", () => {
    const unknown = row("a", "who");
    expect(outcome([unknown], "b", null)).toBe("Write");
    expect(outcome([unknown], "b", 1)).toBe("CapacityReached");
    expect(outcome([unknown], "a", 5)).toBe("LeaseHeld");
  });

  it("that is refused for room says who holds it, by surface, and since when", () => {
    const rows = [
      row("a", "alive", { acquiredAt: 400 }),
      row("b", "self", { acquiredAt: 100 }),
      row("c", "who", { surface: "web" }),
      row("d", "dead", { acquiredAt: 1 }),
    ];
    const verdict = judgeClaim(table(rows), asking(name("e"), "x", { capacity: 3 }), there);
    expect(verdict.pruned).toEqual([rows[3]]);
    const refusal = verdict.outcome._tag === "Refused" ? verdict.outcome.refusal : null;
    expect(refusal).toMatchObject({ _tag: "CapacityReached", active: 3, max: 3, oldestMs: 1000 });
    expect(refusal?.message).toContain("3 of 3 are held (web: 1, terminal: 2)");
  });

  it("names the holder with his pid and age, and does not say that a turn runs", () => {
    const held = row("a", "alive", { acquiredAt: 400 });
    const { outcome } = judgeClaim(table([held]), asking(name("a"), "x"), there);
    const refusal = outcome._tag === "Refused" ? outcome.refusal : null;
    expect(refusal).toMatchObject({ ageMs: 600, holder: { pid: 7, activity: "unknown" } });
    expect(refusal?.message).toContain("process 7 (alive)");
    const children = [8, 9].map((pid) => ({ pid, startTime: 1, bootId: "b" }));
    const busy = judgeClaim(table([{ ...held, children }]), asking(name("a"), "x"), there).outcome;
    const told = busy._tag === "Refused" ? busy.refusal.message : null;
    expect(told).toContain("process 7 or its child 8 or its child 9 (alive)");
  });
});

describe("a move", () => {
  it("takes no further room, and keeps everything of the lease but name, writer and epoch", () => {
    const held = row("a", "self", { acquiredAt: 5 });
    const to = { attempted: "test", session: name("b"), actor: held.actor };
    const { outcome } = judgeMove(table([held]), ownedLease(held), to, there);
    const { epoch: _, ...kept } = held;
    expect(outcome).toEqual({ _tag: "Write", draft: { ...kept, session: "b" } });
    const turning = { ...held, turn: TurnId.make("turn") };
    const turns = [held.actor, ActorId.make("other")].map((actor) => {
      const moved = judgeMove(table([turning]), ownedLease(held), { ...to, actor }, there).outcome;
      return moved._tag === "Write" ? moved.draft.turn : undefined;
    });
    // Another writer's turn is not this one.
    expect(turns).toEqual(["turn", null]);
  });
});

describe("a sweep", () => {
  it("spares what is younger than the grace, and takes what is exactly as old", () => {
    const how = { component: "sessions", vouched: () => false, graceMs: 30_000 };
    const at = (acquiredAt: number) =>
      judgeSweep(table([row("a", "self", { acquiredAt })], 60_000), how).ownOrphans.length;
    expect([at(30_001), at(30_100), at(30_000), at(0)]).toEqual([0, 0, 1, 1]);
  });

  it("leaves other programs, other components and what is vouched for", () => {
    const rows = [
      row("a", "alive"),
      row("b", "who"),
      row("c", "self", { component: "scheduler" }),
      row("d", "self"),
      row("e", "self"),
      row("f", "dead"),
    ];
    const vouched = ({ session }: LeaseRecord) => session === "d";
    const how = { component: "sessions", vouched, graceMs: 0 };
    const { dead, ownOrphans } = judgeSweep(table(rows), how);
    expect([dead, ownOrphans].map((of) => of.map(({ session }) => session))).toEqual([
      ["f"],
      ["e"],
    ]);
  });
});
