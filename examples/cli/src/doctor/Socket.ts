/**
 * Socket: whether a server can be started and reached at the socket's path, and by nobody else.
 *
 * It rests on the same judgement of the path as the library, which starts no server on a path that
 * it judges unsafe. What is not there yet is no fault.
 */
import { dirname } from "node:path";
import { SOCKET_BOUND, socketOf } from "@troupe/node";
import { socketProblem } from "@troupe/tmux";
import { type Finding, finding } from "./Finding.js";
import type { Machine, Place } from "./Machine.js";
import type { Patient } from "./Patient.js";

const openDirectory = (directory: string, place: Place, { uid }: Machine) =>
  place.kind === "directory" && place.uid === uid && (place.mode & 0o022) !== 0
    ? ["chmod", "go-w", directory]
    : null;

/** What is wrong with the socket's path. */
export const socket = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const { home, socket: path, socketGiven, troupe } = patient;
  const bytes = Buffer.byteLength(path);
  if (bytes > SOCKET_BOUND) {
    const cause = `${path} has ${bytes} bytes, and a socket's path has at most ${SOCKET_BOUND}`;
    return [finding("socket-too-long", cause, troupe("--socket", socketOf(home), "doctor"))];
  }
  const found: Array<Finding> = [];
  const place = machine.place(path);
  if (place !== null && place.kind !== "socket") {
    const cause = `${path} is there and is a ${place.kind === "other" ? "special file" : place.kind}`;
    found.push(finding("socket-obstructed", cause, ["mv", path, `${path}.aside`]));
  }
  const directory = dirname(path);
  const around = machine.place(directory);
  const problem = around === null ? null : socketProblem(path, { make: false });
  if (problem !== null && around !== null) {
    found.push(finding("socket-unsafe", problem, openDirectory(directory, around, machine)));
  }
  if (!socketGiven && dirname(path) !== home) {
    found.push(
      finding("socket-elsewhere", `${home} is too long for a socket in it, which is ${path}`),
    );
  }
  return found;
};
