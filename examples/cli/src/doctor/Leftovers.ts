/**
 * Leftovers: what is left of sessions and programs that have ended: files, locks, processes.
 *
 * Nothing is called left over that the registry could not be asked about. Processes that a delete
 * was told to spare are alive on purpose, which cannot be seen of them; they are found as well.
 */
import { join } from "node:path";
import { isFinal, KEPT_MS, type Leftover, type ProcessEntry } from "@troupe/core";
import { Either } from "effect";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";

/** When what is in a directory was changed last, two levels deep: as far as output goes. */
const changedAt = (path: string, machine: Machine, levels = 2): number =>
  Math.max(
    machine.place(path)?.changedAt ?? 0,
    ...(levels === 0
      ? []
      : machine.names(path).map((name) => changedAt(join(path, name), machine, levels - 1))),
  );

/**
 * Files of sessions that no row knows, of an age at which gc removes them: younger ones are no
 * finding, because nothing mends that yet. What tmux shows is for a reconcile to take up.
 */
const orphaned = ({ home, known, listing, now, outputs, rows }: Patient, machine: Machine) => {
  if (known === null || rows === null || rows.unreadable.length > 0) return [];
  const names = new Set<string>(rows.records.map(({ session }) => session));
  const answered = Either.isRight(listing) && listing.right._tag === "Server";
  const sessions = answered ? listing.right.sessions : [];
  const shown = new Set<string>(sessions.flatMap(({ mark }) => mark?.incarnation ?? []));
  return [
    ...outputs
      .filter((name) => !known.has(name) && !shown.has(name))
      .map((name) => join(home, "output", name)),
    ...machine
      .names(join(home, "snapshots"))
      .filter((name) => !names.has(name))
      .map((name) => join(home, "snapshots", name)),
  ].filter((path) => now - changedAt(path, machine) >= KEPT_MS);
};

const isLock = ({ what }: Leftover): boolean => what.startsWith("lock of ");

const files = (patient: Patient, machine: Machine, removable: ReadonlyArray<Leftover>) => {
  const made = removable.filter((leftover) => !isLock(leftover)).map(({ what }) => what);
  const orphans = [...orphaned(patient, machine), ...made];
  if (orphans.length === 0) return [];
  const cause = `of no session that is known: ${orphans.join(", ")}`;
  return [finding("files-orphaned", cause, patient.troupe("gc"))];
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
const locks = (removable: ReadonlyArray<Leftover>, { troupe }: Patient) => {
  const left = removable.filter(isLock).map(({ what }) => what);
  if (left.length === 0) return [];
  return [finding("locks-left", `their programs have ended: ${left.join(", ")}`, troupe("gc"))];
};

/** What lives and what is left over cannot be told apart. */
const unseen = ({ home, leftovers, registry }: Patient, { place, uid }: Machine) => {
  // Said better by what it is: the registry is in the same directory.
  if (Either.isRight(leftovers) || registry.state === "unavailable") return [];
  const directory = join(home, "locks");
  const there = place(directory);
  const lacks = there?.uid === uid && (there.mode & 0o700) !== 0o700;
  const cause = `whether other programs live cannot be seen: ${leftovers.left.detail}`;
  return [finding("locks-unseen", cause, lacks ? ["chmod", "u+rwx", directory] : null)];
};

/** What is left over. */
export const leftovers = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const told = Either.getOrElse(patient.leftovers, (): ReadonlyArray<Leftover> => []);
  const removable = told.filter((leftover) => leftover.removable);
  return [
    ...files(patient, machine, removable),
    ...unseen(patient, machine),
    ...locks(removable, patient),
    ...processes(patient),
  ];
};
