/**
 * Liveness: whether the program behind an owner's name lives: alive, dead or unknown.
 *
 * The lock answers first, and is proof either way. Without a lock file the process is looked at:
 * one of this host and this boot by its pid and start time, one of an earlier boot is dead, one
 * of another host or another pid namespace is unknown. Whatever could not be found out is
 * unknown, and unknown counts as alive. Nothing is changed by asking.
 */
import { type LookupFailed, type ProcessTable, sameBoot, sameProcess } from "@troupe/core";
import { Effect } from "effect";
import { lookAtLock } from "./KernelLock.js";
import { hostText, type ProcessIdentity, parseOwner } from "./ProcessIdentity.js";

/** Whether a program lives. */
export type Life = "alive" | "dead" | "unknown";

/** What is needed to judge. */
export interface Judge {
  readonly locks: string;
  readonly host: string;
  readonly processes: ProcessTable["Type"];
}

const lifeByProcess = (
  { host, processes }: Judge,
  identity: ProcessIdentity,
): Effect.Effect<Life, LookupFailed> =>
  Effect.gen(function* () {
    if (identity.host !== hostText(host)) return "unknown";
    const here = hostText(yield* processes.bootId);
    if (!sameBoot(identity.process.bootId, here)) return "dead";
    if (identity.process.bootId !== here) return "unknown";
    const entry = yield* processes.look(identity.process.pid);
    if (entry === null) return "dead";
    const { bootId, pid, startTime } = entry.id;
    const found = { pid, startTime, bootId: hostText(bootId) };
    return sameProcess(found, identity.process) ? "alive" : "dead";
  });

/** Judges the owner of a claim; never fails. */
export const lifeOf = (judge: Judge, owner: string): Effect.Effect<Life> =>
  Effect.gen(function* () {
    const identity = parseOwner(owner);
    if (identity === null) return "unknown";
    const verdict = yield* lookAtLock(judge.locks, owner);
    if (verdict === "held") return "alive";
    return verdict === "free" ? "dead" : yield* lifeByProcess(judge, identity);
  }).pipe(Effect.orElseSucceed(() => "unknown" as const));
