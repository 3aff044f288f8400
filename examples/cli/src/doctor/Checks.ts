/**
 * Checks: every check that there is, in the order in which findings are told: what everything else
 * rests on comes first.
 */
import { fileSystem } from "./FileSystem.js";
import type { Finding } from "./Finding.js";
import { stoppedHolders } from "./Holders.js";
import { homeDirectory } from "./HomeDirectory.js";
import { leftovers } from "./Leftovers.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";
import { registryFile } from "./RegistryFile.js";
import { rows } from "./Rows.js";
import { server } from "./Server.js";
import { serverUnit } from "./ServerUnit.js";
import { socket } from "./Socket.js";
import { processView, strangers } from "./Strangers.js";
import { tmuxProgram } from "./TmuxProgram.js";

const checks: ReadonlyArray<(patient: Patient, machine: Machine) => ReadonlyArray<Finding>> = [
  tmuxProgram,
  homeDirectory,
  fileSystem,
  socket,
  server,
  serverUnit,
  processView,
  registryFile,
  rows,
  stoppedHolders,
  leftovers,
  strangers,
];

/** Everything that is found. */
export const findings = (patient: Patient, machine: Machine): ReadonlyArray<Finding> =>
  checks.flatMap((check) => check(patient, machine));
