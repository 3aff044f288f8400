/**
 * Holders: other programs that keep what troupe needs: the lock of the registry, the claim of a
 * name.
 *
 * A program that works is no finding. One that is stopped holds what it has for as long as nobody
 * lets it go on; one that keeps the registry locked keeps every other program out of it.
 */
import { join } from "node:path";
import type { SessionRecord } from "@troupe/core";
import { parseOwner } from "@troupe/sqlite";
import { Either } from "effect";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";

const isStopped = ({ text }: Machine, pid: number): boolean =>
  /^[0-9]+ \(.*\) [Tt] /s.test(text(`/proc/${pid}/stat`) ?? "");

const programOf = (machine: Machine, pid: number): string => {
  const name = machine.text(`/proc/${pid}/comm`)?.trim() ?? "";
  const told = name === "" ? `process ${pid}` : `process ${pid} (${name})`;
  return isStopped(machine, pid) ? `${told}, which is stopped (state T)` : told;
};

/** Lets go on what is stopped of these; no command makes another program give a lock up. */
const wake = (machine: Machine, pids: ReadonlyArray<number>) => {
  const stopped = pids.filter((pid) => isStopped(machine, pid));
  return stopped.length === 0 ? null : ["kill", "-CONT", ...stopped.map(String)];
};

/** Who keeps the registry locked. */
export const locked = ({ home, registry }: Patient, machine: Machine): ReadonlyArray<Finding> => {
  if (!registry.locked) return [];
  const database = join(home, "registry.db");
  const { pids, proven } = machine.lockers([database, `${database}-shm`]);
  const told = pids.map((pid) => programOf(machine, pid)).join(", ");
  const seen = proven ? told : `a program that is not shown, perhaps one that has it open: ${told}`;
  const who = pids.length === 0 ? "a program that cannot be seen from here" : seen;
  const cause = `${database} is kept locked by ${who}, so that nothing can be written`;
  return [finding("registry-locked", cause, wake(machine, pids))];
};

/** The process that holds the claim of the row, where that lives and is of this boot. */
const holderOf = ({ claim }: SessionRecord, { bootId, processes }: Patient): number | null => {
  const owner = claim.owner === null ? null : parseOwner(claim.owner);
  if (claim.holder !== "alive" || owner === null || Either.isLeft(processes)) return null;
  const { pid, startTime } = owner.process;
  const lives = processes.right.some(({ id }) => id.pid === pid && id.startTime === startTime);
  return lives && Either.isRight(bootId) ? pid : null;
};

/** Stopped programs that hold the claims of sessions, so that everybody else waits in vain. */
export const stoppedHolders = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const held = new Map<number, Array<string>>();
  for (const record of patient.rows?.records ?? []) {
    const pid = holderOf(record, patient);
    if (pid === null || !isStopped(machine, pid)) continue;
    held.set(pid, [...(held.get(pid) ?? []), record.session]);
  }
  return [...held].map(([pid, names]) => {
    const cause = `${programOf(machine, pid)}, holds ${names.join(", ")}: others wait for it in vain, unless with --force`;
    return finding("claim-stopped", cause, wake(machine, [pid]));
  });
};
