/**
 * What is decided of a writer that nobody is at: the ladder, step by step, and its laws over any
 * facts at any times, hours of them.
 */
import {
  type AttachmentState,
  AwakeMillis,
  type DeferReason,
  decideOrphan,
  detachedAt,
  type OrphanView,
  type Presence,
  stepAttachment,
  TurnId,
  unattended,
} from "@troupe/core";
import { FastCheck } from "effect";
import { describe, expect, it } from "vitest";

const bounds = { orphanGraceMs: 20_000, activityStaleMs: 600_000, interruptSettleMs: 60_000 };
const at = (ms: number) => AwakeMillis(ms);
const turn = TurnId.make("t");
const left = detachedAt(1, at(0), 20_000);

const view = (facts: Partial<OrphanView> = {}): OrphanView => ({
  state: left,
  now: at(20_000),
  bounds,
  turn: null,
  isAwaited: false,
  background: "none",
  nativeClients: "none",
  ...facts,
});

const deferred = (why: DeferReason | null) => ({ _tag: "RecheckAt", at: 40_000, why });
const interrupts = { _tag: "InterruptOnce", turn, settlesBy: 80_000 };
const saidAt = (activity: number | null): Partial<OrphanView> => ({
  turn: { id: turn, activity: activity === null ? null : at(activity) },
});
const interrupting: AttachmentState = {
  _tag: "Interrupting",
  generation: 1,
  turn,
  settlesBy: at(80_000),
  waiting: [],
};

const ladder: ReadonlyArray<readonly [string, Partial<OrphanView>, object]> = [
  ["somebody is there", { state: unattended }, { _tag: "KeepAttached" }],
  ["it may stay so", { state: detachedAt(1, at(0), 0) }, { _tag: "Park" }],
  ["a moment early", { now: at(19_999) }, { _tag: "RecheckAt", at: 20_000, why: null }],
  ["it works", { background: "some", ...saidAt(null) }, deferred("background-work")],
  ["it may work", { background: "unknown" }, deferred("background-work-unknown")],
  ["a tmux client looks", { nativeClients: "some" }, deferred("native-tmux-client")],
  [
    "one looks, and it works",
    { nativeClients: "some", background: "some" },
    deferred("native-tmux-client"),
  ],
  ["nobody could look", { nativeClients: "unknown" }, deferred("native-tmux-client-unknown")],
  [
    "a tmux client has left",
    { state: { ...left, deferred: "native-tmux-client" } },
    deferred(null),
  ],
  ["a turn was accepted", { isAwaited: true }, deferred("turn-active")],
  ["one waits behind a silent one", { isAwaited: true, ...saidAt(null) }, interrupts],
  ["nothing runs", {}, { _tag: "Reap", forced: false }],
  ["its turn said something", saidAt(1), deferred("turn-active")],
  ["its turn never did", saidAt(null), interrupts],
  ["its turn will have", saidAt(20_001), interrupts],
  [
    "its turn may not be active",
    { ...saidAt(20_000), bounds: { ...bounds, activityStaleMs: 0 } },
    interrupts,
  ],
  [
    "it settles",
    { state: interrupting, ...saidAt(null) },
    { _tag: "RecheckAt", at: 80_000, why: null },
  ],
  [
    "it settles, and works",
    { state: interrupting, ...saidAt(null), background: "some", nativeClients: "some" },
    { _tag: "RecheckAt", at: 80_000, why: null },
  ],
  ["it has settled", { state: interrupting }, { _tag: "Reap", forced: false }],
  [
    "it does not settle",
    { state: interrupting, ...saidAt(null), now: at(80_000) },
    { _tag: "Reap", forced: true },
  ],
  ["it ends", { state: { _tag: "Gone", reason: "lease_lost" } }, { _tag: "Park" }],
];

describe("a writer that nobody is at", () => {
  it.each(ladder)("where %s", (_, facts, expected) => {
    expect(decideOrphan(view(facts))).toEqual(expected);
  });

  it("is active while its turn said something less than 600 s ago, and not at 600 s", () => {
    const decided = (now: number) => decideOrphan(view({ ...saidAt(5), now: at(now) }))._tag;
    expect([decided(600_004), decided(600_005)]).toEqual(["RecheckAt", "InterruptOnce"]);
  });
});

const presence = FastCheck.constantFrom<Presence>("none", "none", "some", "unknown");
const moment = FastCheck.integer({ min: 0, max: 10 * 3_600_000 }).map(at);
const reason = FastCheck.constantFrom<DeferReason | null>(
  null,
  "turn-active",
  "native-tmux-client",
);
const state: FastCheck.Arbitrary<AttachmentState> = FastCheck.oneof(
  FastCheck.record({
    _tag: FastCheck.constant("Detached" as const),
    generation: FastCheck.constant(1),
    since: moment,
    due: FastCheck.option(moment),
    deferred: reason,
  }),
  moment.map((settlesBy): AttachmentState => ({ ...interrupting, settlesBy })),
  FastCheck.constant(unattended),
);
const views: FastCheck.Arbitrary<OrphanView> = FastCheck.record({
  state,
  now: moment,
  bounds: FastCheck.constantFrom(bounds, { ...bounds, activityStaleMs: 0 }),
  turn: FastCheck.option(
    FastCheck.record({ id: FastCheck.constant(turn), activity: FastCheck.option(moment) }),
  ),
  isAwaited: FastCheck.boolean(),
  background: presence,
  nativeClients: presence,
});

const check = (property: Parameters<typeof FastCheck.assert>[0]) =>
  FastCheck.assert(property, { seed: 7, numRuns: 5_000 });

describe("whatever is known of it,", () => {
  it("who is reaped now is reaped at every later moment", () => {
    check(
      FastCheck.property(views, moment, (seen, more) => {
        if (decideOrphan(seen)._tag !== "Reap") return true;
        return decideOrphan({ ...seen, now: at(seen.now + more) })._tag === "Reap";
      }),
    );
  });

  it("nothing that works, is looked at, or may be, is reaped or interrupted while detached", () => {
    check(
      FastCheck.property(views, (seen) => {
        const isDoubtful = seen.background !== "none" || seen.nativeClients !== "none";
        if (seen.state._tag !== "Detached" || !isDoubtful) return true;
        return !["Reap", "InterruptOnce"].includes(decideOrphan(seen)._tag);
      }),
    );
  });

  it("one that is alone has a next look ahead, or is done, or may stay for ever", () => {
    check(
      FastCheck.property(views, (seen) => {
        const decision = decideOrphan(seen);
        if (decision._tag === "RecheckAt") return decision.at > seen.now;
        if (decision._tag === "InterruptOnce") return decision.settlesBy > seen.now;
        return (
          decision._tag !== "Park" || seen.state._tag !== "Detached" || seen.state.due === null
        );
      }),
    );
  });

  it("looked at when it says, it ends within its bounds, for hours of any activity", () => {
    check(
      FastCheck.property(FastCheck.array(FastCheck.integer({ min: 1, max: 900 })), (pauses) => {
        const stamps: Array<number> = [];
        for (const pause of pauses) stamps.push((stamps.at(-1) ?? 0) + pause * 1000);
        let now = 0;
        let seen: AttachmentState = left;
        for (let looks = 0; looks < 10_000; looks++) {
          const activity = stamps.findLast((stamp) => stamp <= now) ?? null;
          const decision = decideOrphan(view({ state: seen, now: at(now), ...saidAt(activity) }));
          if (decision._tag === "RecheckAt") now = decision.at;
          if (decision._tag === "InterruptOnce") now = decision.settlesBy;
          seen = stepAttachment(seen, { _tag: "Due", generation: 1, decision }).state;
          if (seen._tag === "Reaping") break;
        }
        const last = stamps.findLast((stamp, index) => {
          const before = Math.max(stamps[index - 1] ?? Number.NEGATIVE_INFINITY, 0);
          return index === 0 ? stamp <= 20_000 : stamp - before < 660_000;
        });
        const latest = (last ?? 0) + 600_000 + 20_000 + 60_000 + 20_000;
        return seen._tag === "Reaping" && seen.forced && now <= Math.max(latest, 80_000);
      }),
    );
  });
});
