/**
 * RegistryFile: whether the registry can be read and written to, is whole, and of this program.
 *
 * A registry that is not there is a fault only where tmux has sessions of the home. A damaged one
 * is told and never repaired here.
 */
import { join } from "node:path";
import { Either } from "effect";
import { type Finding, finding } from "./Finding.js";
import { locked } from "./Holders.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";

/** Files of ours whose owner's permissions lack something. */
const lacking = (files: ReadonlyArray<string>, { place, uid }: Machine): ReadonlyArray<string> =>
  files.filter((file) => {
    const there = place(file);
    return there !== null && there.uid === uid && (there.mode & 0o600) !== 0o600;
  });

const lost = ({ home, listing, mark, troupe }: Patient): ReadonlyArray<Finding> => {
  const sessions =
    Either.isRight(listing) && listing.right._tag === "Server" ? listing.right.sessions : [];
  const ours = sessions.filter((session) => session.mark?.home === mark).map(({ name }) => name);
  if (ours.length === 0) return [];
  const cause = `${home} has no registry, and tmux has sessions of it: ${ours.join(", ")}`;
  return [finding("registry-lost", cause, troupe("reconcile", "--rebuild"))];
};

const unwritable = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const database = join(patient.home, "registry.db");
  const files = [database, `${database}-wal`, `${database}-shm`].filter((f) => machine.place(f));
  const refused = files.filter((file) => !machine.may(file, "rw"));
  if (refused.length === 0) return [];
  const lacks = lacking(refused, machine);
  const cause = `${refused.join(", ")} may not be read and written to`;
  return [
    finding("registry-read-only", cause, lacks.length > 0 ? ["chmod", "u+rw", ...lacks] : null),
  ];
};

/** A directory, say, where the registry should be. */
const obstructed = ({ home }: Patient, { place }: Machine): ReadonlyArray<Finding> => {
  const database = join(home, "registry.db");
  const kind = place(database)?.kind ?? "file";
  if (kind === "file") return [];
  const cause = `${database} is a ${kind}, and no file`;
  return [finding("registry-obstructed", cause, ["mv", database, `${database}.aside`])];
};

/** Why it cannot be read: said best by what it is, and not again where the home is no directory. */
const unreadable = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  if ((machine.place(patient.home)?.kind ?? "directory") !== "directory") return [];
  const detail = patient.registry.detail ?? "";
  const known = [...obstructed(patient, machine), ...locked(patient, machine)];
  const all = [...known, ...unwritable(patient, machine)];
  return all.length > 0 ? all : [finding("registry-unavailable", detail)];
};

/** What is wrong with the registry. */
export const registryFile = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const { registry, rows, troupe } = patient;
  const detail = registry.detail ?? "";
  const refused = unwritable(patient, machine);
  switch (registry.state) {
    case "missing":
      return lost(patient);
    case "newer":
      return [
        finding("registry-newer", `${detail}; use the troupe that wrote it, or a newer one`),
        ...refused,
      ];
    case "damaged":
      return [finding("registry-damaged", detail, troupe("reconcile", "--rebuild")), ...refused];
    case "unavailable":
      return unreadable(patient, machine);
    case "sound": {
      const { knownSchema, schema } = registry;
      const older =
        schema !== null && schema < knownSchema
          ? [finding("registry-older", `it has schema ${schema}, and this troupe ${knownSchema}`)]
          : [];
      const damaged = (rows?.unreadable ?? []).map((row) =>
        finding(
          "registry-damaged",
          `${row.session}: ${row.detail}`,
          troupe("reconcile", "--rebuild"),
        ),
      );
      return [...older, ...locked(patient, machine), ...damaged, ...refused];
    }
  }
};
