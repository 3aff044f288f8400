/**
 * ServerUnit: whether the server was born in a service, which takes it along when it is restarted.
 *
 * The unit is the innermost one of the path: a scope of its own inside a user's manager is safe,
 * although that manager is itself a service.
 */
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";
import { serverPid } from "./Server.js";

/** The innermost units that a /proc/PID/cgroup tells, one for each hierarchy that has one. */
export const unitsOf = (cgroup: string): ReadonlyArray<string> => {
  const paths = cgroup.split("\n").flatMap((line) => {
    const [, controllers, path] = /^[0-9]+:([^:]*):(.*)$/.exec(line) ?? [];
    return controllers === "" || controllers === "name=systemd" ? [path ?? ""] : [];
  });
  return paths.flatMap(
    (path) => path.split("/").findLast((word) => /\.(service|scope)$/.test(word)) ?? [],
  );
};

/** The service that a process of that cgroup is in; `null` when it is in none. */
export const serviceOf = (cgroup: string): string | null =>
  unitsOf(cgroup).find((unit) => unit.endsWith(".service")) ?? null;

/** Whether the server ends with a service. */
export const serverUnit = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const pid = serverPid(patient);
  const unit = pid === null ? null : serviceOf(machine.text(`/proc/${pid}/cgroup`) ?? "");
  if (unit === null) return [];
  const cause =
    `tmux server ${pid} is in ${unit} and ends with it, with every session; a server that is ` +
    "started with systemd-run --scope, or with KillMode=process in the unit, does not";
  return [finding("server-in-service-cgroup", cause)];
};
