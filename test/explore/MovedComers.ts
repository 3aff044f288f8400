/**
 * MovedComers: another program that wants a session whose lease goes from hand to hand, or from
 * name to name, while a child lives that a turn under it named; and what is promised of that.
 *
 * It comes now and then, from the beginning to behind the end of the program that had the lease.
 * Whatever becomes of that, it begins beside no child and no turn of others, unless by force, and
 * has the lease in the end.
 */
import type { LeaseOver } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Effect, Exit } from "effect";
import { takesSettled } from "./LeaseMeetWorlds.js";
import type { Kit, LeaseEnding } from "./LeaseWorld.js";

/** How often somebody comes, and how many times. */
export const [COMES_MS, COMES] = [150, 14];

/** Longer than whoever comes waits. */
export const WORK_MS = 160;

/** Work that takes so long. */
export const works = (kit: Kit, ms = WORK_MS) =>
  Effect.acquireUseRelease(
    kit.log(`begin ${kit.owner}`),
    () => Effect.interruptible(Effect.sleep(ms)),
    () => kit.log(`end ${kit.owner}`),
  );

/** Another program that wants the session. */
export interface Comer {
  readonly name: string;
  readonly comes: (kit: Kit, session: string) => Effect.Effect<unknown, unknown>;
  readonly forced?: boolean;
}

/** As anybody does. */
export const plainly: Comer = {
  name: "another program claims it",
  comes: (kit, session) =>
    Effect.flatMap(kit.handles.get(session, { kind: "turn" }), (handle) =>
      handle.runTurn(() => works(kit, 0)),
    ),
};

const takes = (over: LeaseOver) => (kit: Kit, session: string) =>
  Effect.gen(function* () {
    const lease = yield* takesSettled(kit, session, over);
    yield* works(kit, 0);
    yield* kit.registry.releaseLease(lease);
  });

/** Over a holder who runs nothing. */
export const settled: Comer = {
  name: "another program takes what is settled",
  comes: takes("settled"),
};

/** Over any holder. */
export const byForce: Comer = {
  name: "another program takes it by force",
  comes: takes("any"),
  forced: true,
};

/** It comes, each time from the beginning. */
export const comes =
  ({ comes: once }: Comer, session: string) =>
  (kit: Kit) =>
    Effect.gen(function* () {
      for (let left = COMES; left > 0; left--) {
        yield* Effect.sleep(COMES_MS);
        const exit = yield* Effect.exit(once(kit, session));
        yield* Explore.reached(Exit.isSuccess(exit) ? "had" : "refused");
      }
    });

/** Beside whom it began, by the lines of the log; `at` is the name that the lease was of last. */
const besides = (log: ReadonlyArray<string>, session: string): string | null => {
  const there = new Set<string>();
  // While it goes it is of either name.
  let at: string | null = "a";
  for (const line of log) {
    const [what, who = ""] = line.split(" ");
    if (what === "leaves") at = null;
    if (what === "at") at = who;
    if (what === "begin" && who === "program2" && there.size > 0 && at === session)
      return `${who} began beside ${[...there]}: ${log}`;
    if (what === "named" || (what === "begin" && who === "program1")) there.add(who);
    if (what === "gone" || what === "end" || what === "crash") there.delete(who);
  }
  return null;
};

/** What is promised; where calls about leases fail the program may not have had it at all. */
export const judged =
  (session: string, { forced = false }: Comer, isTroubled = false) =>
  ({ log }: LeaseEnding): string | null => {
    const wrong = forced ? null : besides(log, session);
    const isDue = !isTroubled || log.includes("begin program1") || log.includes("leaves");
    if (wrong !== null || !isDue) return wrong;
    return log.includes("begin program2") ? null : `it was never had: ${log}`;
  };
