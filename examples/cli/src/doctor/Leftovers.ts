/**
 * Leftovers: what is left of sessions and programs that have ended: files, locks, processes.
 *
 * Nothing is called left over that the registry could not be asked about. Processes that a delete
 * was told to spare are alive on purpose, which cannot be seen of them; they are found as well.
 */
import { join } from "node:path";
import { isFinal, type ProcessEntry } from "@troupe/core";
import { Either } from "effect";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";

const WEEK = 7 * 86_400_000;
const MINUTE = 60_000;

/** When what is in a directory was changed last, two levels deep: as far as output goes. */
const changedAt = (path: string, machine: Machine, levels = 2): number =>
  Math.max(
    machine.place(path)?.changedAt ?? 0,
    ...(levels === 0
      ? []
      : machine.names(path).map((name) => changedAt(join(path, name), machine, levels - 1))),
  );

/** What gc would remove: it keeps what no row knows for a week, and so long it is no finding. */
const files = ({ home, known, now, outputs, rows, troupe }: Patient, machine: Machine) => {
  if (known === null || rows === null || rows.unreadable.length > 0) return [];
  const sessions = new Set<string>(rows.records.map(({ session }) => session));
  const { names } = machine;
  const kept = [
    ...outputs.filter((name) => !known.has(name)).map((name) => join(home, "output", name)),
    ...names(join(home, "snapshots"))
      .filter((name) => !sessions.has(name))
      .map((name) => join(home, "snapshots", name)),
  ].filter((path) => now - changedAt(path, machine) >= WEEK);
  const made = names(home)
    .filter((name) => /^new-[A-Za-z0-9]{6}$/.test(name))
    .map((name) => join(home, name))
    .filter((path) => now - changedAt(path, machine, 0) >= MINUTE);
  const orphans = [...kept, ...made];
  if (orphans.length === 0) return [];
  const cause = `of no session that is known: ${orphans.join(", ")}`;
  return [finding("files-orphaned", cause, troupe("gc"))];
};

/** Whether a process is, or lives below, a tmux server with its mark: never taken for left over. */
const isSheltered = (
  pid: number,
  pids: ReadonlyArray<number>,
  all: ReadonlyArray<ProcessEntry>,
) => {
  for (let at = all.find(({ id }) => id.pid === pid); at !== undefined; ) {
    if (at.tmuxServer && pids.includes(at.id.pid)) return true;
    const { id, parent } = at;
    at = all.find((entry) => entry.id.pid === parent && entry.id.pid !== id.pid);
  }
  return false;
};

const processes = ({ known, marked, processes }: Patient): ReadonlyArray<Finding> => {
  const all = Either.getOrElse(processes, () => []);
  return [...marked].flatMap(([incarnation, pids]) => {
    const record = known?.get(incarnation);
    const left = pids.filter((pid) => !isSheltered(pid, pids, all));
    if (record === undefined || !isFinal(record.state) || left.length === 0) return [];
    const { generation, session, state } = record;
    const cause = `${session} (generation ${generation}) is ${state}, and processes of it live: ${left.join(", ")}`;
    return [finding("processes-left", cause, ["kill", "-KILL", ...left.map(String)])];
  });
};

/** Locks that prove nothing any more: no claim is left of their programs. */
const locks = ({ freeLocks, rows, troupe }: Patient): ReadonlyArray<Finding> => {
  const owners = new Set((rows?.records ?? []).map(({ claim }) => claim.owner));
  const left = rows === null ? [] : freeLocks.filter((owner) => !owners.has(owner));
  if (left.length === 0) return [];
  return [finding("locks-left", `their programs have ended: ${left.join(" ")}`, troupe("gc"))];
};

/** What is left over. */
export const leftovers = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => [
  ...files(patient, machine),
  ...locks(patient),
  ...processes(patient),
];
