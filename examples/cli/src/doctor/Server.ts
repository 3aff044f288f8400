/**
 * Server: whether the tmux server of the home is the one that is recorded, lives and answers.
 *
 * A recorded server that lives is looked at as a process, so that a socket that is gone, and a
 * stranger at its path, are told apart from a server that has ended, which is no finding.
 */
import { sameBoot } from "@troupe/core";
import { Either } from "effect";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import { livingServers, otherServers } from "./OtherServers.js";
import type { Patient } from "./Patient.js";
import { versionOf } from "./TmuxProgram.js";

/** The pid of the server, by the registry, else by the command line; `null` where none is known. */
export const serverPid = (patient: Patient): number | null => {
  const { listing } = patient;
  if (Either.isRight(listing) && listing.right._tag === "Server") return listing.right.server.pid;
  return livingServers(patient)[0]?.pid ?? null;
};

/** The program of the server itself, which can always talk to it. */
const ownProgram = ({ troupe }: Patient, pid: number) =>
  troupe("--tmux", `/proc/${pid}/exe`, "doctor");

/** What is wrong where nothing was answered. */
const unanswered = (patient: Patient, machine: Machine): Finding => {
  const { listing, socket } = patient;
  const failure = Either.isLeft(listing) ? listing.left : null;
  const pid = serverPid(patient);
  const cause = failure?.detail ?? "";
  const stopped =
    pid !== null && /^[0-9]+ \(.*\) [Tt] /s.test(machine.text(`/proc/${pid}/stat`) ?? "");
  if (stopped) {
    return finding("server-stopped", `tmux server ${pid} is stopped; ${cause}`, [
      "kill",
      "-CONT",
      String(pid),
    ]);
  }
  if (failure?.reason === "permission") {
    const place = machine.place(socket);
    const ours = place?.uid === machine.uid ? ["chmod", "u+rw", socket] : null;
    return finding("socket-not-permitted", cause, ours);
  }
  const skewed = failure?.reason === "version-skew" || failure?.reason === "server-exited";
  return finding(
    "server-unanswering",
    `${failure?.reason}: ${cause}`,
    skewed && pid !== null ? ownProgram(patient, pid) : null,
  );
};

const skew = (patient: Patient): ReadonlyArray<Finding> => {
  const { listing, tmux } = patient;
  const version = versionOf(patient);
  if (Either.isLeft(listing) || listing.right._tag !== "Server" || version === null) return [];
  const { server, version: running } = listing.right;
  if (running === version) return [];
  const cause = `server ${server.pid} is version ${running}, and ${tmux} is ${version}`;
  return [finding("server-version-skew", cause, ownProgram(patient, server.pid))];
};

const outOfSight = ({ bootId, servers }: Patient): ReadonlyArray<Finding> => {
  if (Either.isLeft(bootId)) return [];
  const here = bootId.right;
  return (servers ?? [])
    .filter(({ process }) => process.bootId !== here && sameBoot(process.bootId, here))
    .slice(0, 1)
    .map(({ process: { pid } }) =>
      finding(
        "server-out-of-sight",
        `tmux server ${pid} was recorded in another pid namespace, a container's say`,
      ),
    );
};

/** What is wrong with the server. */
export const server = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const { listing, version } = patient;
  // Without a program nothing could be asked, and a socket that is not safe is told by its check.
  const asked =
    Either.isRight(version) && !(Either.isLeft(listing) && listing.left.reason === "bad-socket");
  if (!asked) return [];
  const silent = Either.isLeft(listing)
    ? [unanswered(patient, machine)]
    : otherServers(patient, machine);
  return [...silent, ...skew(patient), ...outOfSight(patient)];
};
