/**
 * GcDryRun: what a gc would do and why, with nothing done.
 *
 * It reads what a gc reads, judges as that judges, takes no claim and writes nothing. What a repair
 * would bring to light is told as the repair alone; the steps of a real gc look again, so the two
 * differ by what happens in between.
 */
import { Effect, Either } from "effect";
import type { GcBounds, GcReading, GcVerdict } from "./GcPlan.js";
import { done, type GcDone, type GcReport, joined, keptBy } from "./GcReport.js";
import { claimOf, standing } from "./GcStep.js";
import { atWork, judged, provenAbsent, serverItem, survey, sweep } from "./GcSurvey.js";
import { listAlone } from "./OtherServer.js";
import { planEvery } from "./Plan.js";
import type { SessionRecord } from "./Session.js";
import type { SessionName } from "./SessionName.js";
import { type Listing, Tmux } from "./Tmux.js";

const attempted = "gc";

const look = Effect.flatMap(Tmux, ({ list }) => listAlone(attempted, list(attempted)));

/** What would be left of tmux behind the deletes; `left` is `null` where no server would be. */
interface After {
  readonly server: GcReport["server"];
  readonly left: Listing | null;
  readonly told: GcDone;
}

const serverAfter = (reading: GcReading, deleted: ReadonlyArray<SessionRecord>): After => {
  const gone = new Set<string>(deleted.map(({ incarnation }) => incarnation));
  const { listing } = reading;
  if (listing._tag === "NoServer") return { server: "none", left: listing, told: done({}) };
  const sessions = listing.sessions.filter(({ mark }) => !gone.has(mark?.incarnation ?? ""));
  const why = atWork(reading) ?? (sessions.length > 0 ? "it has a session" : null);
  if (why === null) return { server: "stopped", left: null, told: done({}) };
  const told = done({ kept: [serverItem(why)] });
  return { server: "kept", left: { ...listing, sessions }, told };
};

/** Names of which nothing but the claim would be left. */
const bareAfter = (reading: GcReading, forgotten: ReadonlyArray<SessionRecord>) => {
  const gone = new Set<string>(forgotten.map(({ incarnation }) => incarnation));
  const stay = reading.records.filter(({ incarnation }) => !gone.has(incarnation));
  const used = new Set<string>([...stay, ...reading.unreadable].map(({ session }) => session));
  const names = new Set([...reading.bare, ...forgotten].map(({ session }) => session));
  return [...names].filter((session) => !used.has(session));
};

/** With the listing `null`, no server would be left in which anything stands. */
const forgetName = Effect.fnUntraced(function* (session: SessionName, listing: Listing | null) {
  const what = claimOf(session);
  const why = listing === null ? null : yield* standing(session, listing);
  return why === null
    ? done({ forgotten: [{ ...what, why: "nothing else is left of the name" }] })
    : done({ kept: [{ ...what, why }] });
});

const forgetOutputs = (outputs: ReadonlyArray<GcVerdict<unknown>>, listing: Listing) => {
  const due = outputs.filter(({ verdict }) => verdict === "forget").map(({ item }) => item);
  return Effect.match(due.length === 0 ? Effect.void : provenAbsent(listing), {
    onFailure: (failure) => joined(due.map((item) => keptBy(item, failure))),
    onSuccess: () => done({ forgotten: due }),
  });
};

/** What would be done. */
export const plannedGc = Effect.fnUntraced(function* (bounds: GcBounds) {
  const due = yield* planEvery({ heals: false });
  const { reading, told } = yield* survey(look);
  const plan = judged(reading, bounds);
  const deleted = plan.records.filter(({ verdict }) => verdict === "delete");
  // What is deleted just now is as old as it has to be when every age is old enough.
  const ended = bounds.olderThanMs === 0 ? deleted : [];
  const rows = [...plan.records.filter(({ verdict }) => verdict === "forget"), ...ended];
  const outputs = yield* forgetOutputs(plan.outputs, reading.listing);
  const snapshots = plan.snapshots.filter(({ verdict }) => verdict === "forget");
  const swept = yield* sweep(false);
  const {
    left,
    server,
    told: after,
  } = serverAfter(
    reading,
    deleted.map(({ thing }) => thing),
  );
  const bare = bareAfter(
    reading,
    rows.map(({ thing }) => thing),
  );
  const names = yield* Effect.forEach(bare, (session) => forgetName(session, left));
  const steps: ReadonlyArray<GcDone> = [
    told,
    done({ deleted: deleted.map(({ item }) => item) }),
    done({ forgotten: [...rows, ...snapshots].map(({ item }) => item) }),
    plan.kept,
    outputs,
    swept,
    after,
    ...names,
  ];
  const known = new Set<string>(reading.records.map(({ session }) => session));
  const repaired = due.flatMap((part) =>
    part.due && known.has(part.session) && Either.isRight(part.outcome) ? [part.outcome.right] : [],
  );
  const report: GcReport = { ...joined(steps), dryRun: true, repaired, server };
  return report;
});
