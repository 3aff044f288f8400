/**
 * OtherServers: tmux servers that were started for the home's socket and are not the one that
 * answers there, and how to come to one.
 *
 * They are known by the registry, and by their command line where that knows nothing of them. The
 * one to keep is that with the most sessions of the home, the oldest of several. What has its
 * place is moved aside and not taken it, so that nobody's sessions become unreachable: a socket
 * that was renamed still leads to its server.
 */
import { dirname } from "node:path";
import { isFinal, type ServerRecord, sameServer } from "@troupe/core";
import { SOCKET_BOUND } from "@troupe/node";
import { Either } from "effect";
import { commandLine } from "../ProgramText.js";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";

/** A server that lives. */
export interface LivingServer {
  readonly pid: number;
  readonly startTime: number;
  readonly record: ServerRecord | null;
}

/** The servers of the socket that live: recorded ones, newest first, then those that are not. */
export const livingServers = (patient: Patient): ReadonlyArray<LivingServer> => {
  const { bootId, processes, servers, serving } = patient;
  if (Either.isLeft(processes) || Either.isLeft(bootId)) return [];
  const all = processes.right;
  const lives = ({ process }: ServerRecord) =>
    process.bootId === bootId.right &&
    all.some(({ id }) => id.pid === process.pid && id.startTime === process.startTime);
  const recorded = (servers ?? []).filter(lives);
  const others = all.filter(
    ({ id }) => serving.includes(id.pid) && recorded.every(({ process }) => process.pid !== id.pid),
  );
  return [
    ...recorded.map((record) => ({ ...record.process, record })),
    ...others.map(({ id }) => ({ ...id, record: null })),
  ];
};

const answeringOf = ({ listing }: Patient) =>
  Either.isRight(listing) && listing.right._tag === "Server" ? listing.right : null;

const isAnswering = ({ pid, record }: LivingServer, patient: Patient): boolean => {
  const answering = answeringOf(patient);
  if (answering === null) return false;
  return record === null
    ? pid === answering.server.pid
    : sameServer(record.server, answering.server);
};

/** Sessions of the home that the server has, as rows and its own answer tell. */
const namesIn = (server: LivingServer, patient: Patient): ReadonlyArray<string> => {
  const { mark, rows } = patient;
  const recorded = (rows?.records ?? []).filter(
    (row) =>
      row.server !== null &&
      server.record !== null &&
      sameServer(row.server, server.record.server) &&
      !(isFinal(row.state) || row.state === "lost"),
  );
  const shown = isAnswering(server, patient) ? (answeringOf(patient)?.sessions ?? []) : [];
  const ours = shown.filter((session) => session.mark?.home === mark);
  return [...new Set([...recorded.map(({ session }) => session), ...ours.map((s) => s.name)])];
};

const keeperOf = (living: ReadonlyArray<LivingServer>, patient: Patient) =>
  [...living].sort(
    (a, b) => namesIn(b, patient).length - namesIn(a, patient).length || a.startTime - b.startTime,
  )[0];

const asideOf = ({ socket }: Patient, pid: number): string => `${socket}.${pid}`;

const lineOf = (commands: ReadonlyArray<ReadonlyArray<string>>): string =>
  commands.map(commandLine).join(" && ");

/** Commands by which the server answers at the socket, which nobody has. */
const listen = (patient: Patient, { place }: Machine, pid: number) => {
  const { socket } = patient;
  const aside = asideOf(patient, pid);
  if (place(aside)?.kind === "socket") return [["mv", aside, socket]];
  const directory = dirname(socket);
  const made = place(directory) === null ? [["mkdir", "-p", "-m", "700", directory]] : [];
  return [...made, ["kill", "-USR1", String(pid)]];
};

/** Nobody answers, and one lives or several do. */
const split = (
  living: ReadonlyArray<LivingServer>,
  keeper: LivingServer,
  patient: Patient,
  machine: Machine,
): Finding => {
  const { registry, socket, troupe } = patient;
  const pids = living.map(({ pid }) => pid).join(", ");
  const are = living.length === 1 ? `${pids} lives` : `${pids} live`;
  const found = finding("server-split", `tmux server ${are}, and nothing answers at ${socket}`);
  const words = registry.state === "damaged" ? ["reconcile", "--rebuild"] : ["reconcile"];
  const heals = living.length === 1 && ["sound", "missing", "damaged"].includes(registry.state);
  return {
    ...found,
    mend: lineOf(heals ? [troupe(...words)] : listen(patient, machine, keeper.pid)),
  };
};

/**
 * Another one answers: that gives up the place to the one to keep, and to one that nobody can look
 * into. One that can be reached and is not to be kept ends.
 */
const second = (
  server: LivingServer,
  keeper: LivingServer,
  patient: Patient,
  machine: Machine,
): Finding => {
  const { socket, tmux } = patient;
  const { pid } = server;
  const answering = answeringOf(patient)?.server.pid ?? 0;
  const names = namesIn(server, patient);
  const has = names.length === 0 ? "" : `, with ${names.join(", ")}`;
  const cause = `tmux server ${pid} lives${has}, and server ${answering} answers at ${socket}`;
  const own = asideOf(patient, pid);
  const isReachable = machine.place(own)?.kind === "socket";
  const aside = asideOf(patient, answering);
  const fits = Buffer.byteLength(aside) <= SOCKET_BOUND;
  if (pid === keeper.pid || (!isReachable && fits)) {
    const after = fits
      ? `the mend leaves that one reachable with tmux -S ${aside}`
      : "the mend leaves what runs in that one unreachable";
    const moved = fits ? [["mv", socket, aside]] : [];
    const mend = lineOf([...moved, ...listen(patient, machine, pid)]);
    return { ...finding("server-second", `${cause}; ${after}`), mend };
  }
  const where = isReachable ? `, which tmux -S ${own} shows,` : "";
  const end = isReachable ? [tmux, "-S", own, "kill-server"] : ["kill", "-TERM", String(pid)];
  return finding("server-second", `${cause}; what runs in it${where} ends with the mend`, end);
};

/** The servers that live and are not the one that answers. */
export const otherServers = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  if (Either.isLeft(patient.listing)) return [];
  const living = livingServers(patient);
  const others = living.filter((server) => !isAnswering(server, patient));
  const keeper = keeperOf(living, patient);
  if (keeper === undefined || others.length === 0) return [];
  if (answeringOf(patient) === null) return [split(living, keeper, patient, machine)];
  return others.map((server) => second(server, keeper, patient, machine));
};
