/**
 * Server: whether the tmux server of the home is the one that is recorded, lives and answers.
 *
 * A recorded server that lives is looked at as a process, so that a socket that is gone, and a
 * stranger at its path, are told apart from a server that has ended, which is no finding.
 */
import { type ProcessEntry, type ServerRecord, sameBoot, sameServer } from "@troupe/core";
import { Either } from "effect";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";
import { versionOf } from "./TmuxProgram.js";

/** The processes of recorded servers that live, newest first. */
const living = ({ bootId, processes, servers }: Patient): ReadonlyArray<ServerRecord> => {
  if (Either.isLeft(processes) || Either.isLeft(bootId)) return [];
  const lives = ({ process }: ServerRecord) =>
    process.bootId === bootId.right &&
    processes.right.some(({ id }) => id.pid === process.pid && id.startTime === process.startTime);
  return (servers ?? []).filter(lives);
};

const servesSocket = ({ id, tmuxServer }: ProcessEntry, { socket }: Patient, { text }: Machine) => {
  const words = tmuxServer ? (text(`/proc/${id.pid}/cmdline`) ?? "").split("\0") : [];
  return words.some((word, at) => word === "-S" && words[at + 1] === socket);
};

/** The pid of the server, by the registry, else by the command line; `null` where none is known. */
export const serverPid = (patient: Patient, machine: Machine): number | null => {
  const { listing, processes } = patient;
  if (Either.isRight(listing) && listing.right._tag === "Server") return listing.right.server.pid;
  const [recorded] = living(patient);
  if (recorded !== undefined) return recorded.process.pid;
  const all = Either.getOrElse(processes, () => []);
  return all.find((entry) => servesSocket(entry, patient, machine))?.id.pid ?? null;
};

/** The program of the server itself, which can always talk to it. */
const ownProgram = ({ troupe }: Patient, pid: number) =>
  troupe("--tmux", `/proc/${pid}/exe`, "doctor");

/** What is wrong where nothing was answered. */
const unanswered = (patient: Patient, machine: Machine): Finding => {
  const { listing, socket } = patient;
  const failure = Either.isLeft(listing) ? listing.left : null;
  const pid = serverPid(patient, machine);
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

/** What is wrong with who answers. */
const answered = (patient: Patient): ReadonlyArray<Finding> => {
  const { listing, socket, troupe } = patient;
  if (Either.isLeft(listing)) return [];
  const answering = listing.right._tag === "Server" ? listing.right : null;
  return living(patient)
    .filter(({ server }) => answering === null || !sameServer(server, answering.server))
    .map(({ process: { pid } }) =>
      answering === null
        ? finding(
            "server-split",
            `tmux server ${pid} lives, and nothing answers at ${socket}`,
            troupe("reconcile"),
          )
        : finding(
            "server-second",
            `tmux server ${pid} lives, and server ${answering.server.pid} answers at ${socket}`,
            ["kill", "-USR1", String(pid)],
          ),
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
  const silent = Either.isLeft(listing) ? [unanswered(patient, machine)] : answered(patient);
  return [...silent, ...skew(patient), ...outOfSight(patient)];
};
