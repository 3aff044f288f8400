/**
 * Waiting for a client to come back: by one fiber at a time, and by none while somebody is there.
 *
 * Method: a clock that counts who waits on it, which the test's own does not tell.
 */
import { expect, it } from "@effect/vitest";
import { ActorId, AwakeMillis, ClientId, SessionName, TurnSeat } from "@troupe/core";
import { Effect } from "effect";
import { Attendance } from "../../packages/core/src/Attendance.js";
import { DetachmentWatch } from "../../packages/core/src/DetachmentWatch.js";
import { settle } from "./TurnHome.js";

const session = SessionName.make("a");
const client = ClientId.make("c");
const bounds = { orphanGraceMs: 20_000, activityStaleMs: 0, interruptSettleMs: 0 };
const at = AwakeMillis(0);

/** A watch on a clock that stands still, and how many wait on that. */
const watched = Effect.gen(function* () {
  const attendance = new Attendance(session, at);
  const actor = ActorId.make("x");
  const writer = { session, actor, surface: "test", attended: () => false, taken: Effect.void };
  let waiting = 0;
  const sleepUntil = () =>
    Effect.acquireUseRelease(
      Effect.sync(() => void waiting++),
      () => Effect.never,
      () => Effect.sync(() => void waiting--),
    );
  const watch = new DetachmentWatch(
    {
      attendance,
      seat: new TurnSeat(writer, "interactive", 1),
      awake: { now: Effect.succeed(at), sleepUntil },
      bounds,
      background: Effect.succeed("none"),
      nativeClients: Effect.succeed("none"),
      end: () => Effect.void,
      perform: () => Effect.void,
    },
    yield* Effect.scope,
  );
  const comes = Effect.sync(() => {
    const viewer = { client, since: at, holds: [1], closes: false };
    attendance.step({ _tag: "Attach", viewer, isLive: true, waits: false });
  });
  const leaves = Effect.sync(() => {
    attendance.step({ _tag: "Leave", client, hold: null, at, graceMs: 20_000 });
  });
  const goes = Effect.zipRight(leaves, watch.start);
  const ends = Effect.sync(() => {
    attendance.step({ _tag: "End", reason: "explicit_close" });
  });
  return { comes, leaves, goes, ends, start: watch.start, waiting: () => waiting };
});

it.scoped("it is one for a writer, however often its client comes and goes", () =>
  Effect.gen(function* () {
    const { comes, goes, waiting } = yield* watched;
    for (let flap = 0; flap < 1000; flap++) yield* Effect.zipRight(comes, goes);
    yield* settle;
    expect(waiting()).toBe(1);
    yield* comes;
    yield* settle;
    expect(waiting()).toBe(0);
  }),
);

it.scoped("it is over in the step in which the writer ends, whoever ends it", () =>
  Effect.gen(function* () {
    const { comes, ends, goes, waiting } = yield* watched;
    yield* Effect.zipRight(comes, goes);
    yield* settle;
    expect(waiting()).toBe(1);
    yield* ends;
    yield* settle;
    expect(waiting()).toBe(0);
  }),
);

it.scoped("it is one, although its client came and went again before it began", () =>
  Effect.gen(function* () {
    const { comes, goes, leaves, start, waiting } = yield* watched;
    yield* Effect.all([comes, leaves, comes, goes, start]);
    yield* settle;
    expect(waiting()).toBe(1);
    yield* comes;
    yield* settle;
    expect(waiting()).toBe(0);
  }),
);
