/**
 * ServerUnit: whether the server was born in a service, which takes it along when it is restarted.
 *
 * The server's own unit is looked at, and not that of this program. Whether a unit spares what is
 * left of it when it stops (`KillMode`) is not known here.
 */
import { serviceOf } from "@troupe/node";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";
import { serverPid } from "./Server.js";

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
