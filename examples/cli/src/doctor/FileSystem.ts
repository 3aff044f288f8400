/**
 * FileSystem: whether what the home is on keeps what is written, with locks that hold.
 *
 * The kernel tells the kind as a number. One that is in no list is taken for a disk.
 */
import { dirname } from "node:path";
import { type Finding, finding } from "./Finding.js";
import type { Machine, Room } from "./Machine.js";
import type { Patient } from "./Patient.js";

const network: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x517b, "SMB"],
  [0x01021997, "9P"],
  [0x65735546, "FUSE"],
  [0x00c36400, "Ceph"],
  [0x5346414f, "AFS"],
  [0x0bd00bd0, "Lustre"],
]);

const passing: ReadonlyMap<number, string> = new Map([
  [0x01021994, "tmpfs"],
  [0x858458f6, "ramfs"],
  [0x794c7630, "overlay"],
]);

const MEBIBYTE = 1024 * 1024;

/** The nearest directory that is there. */
const nearest = (path: string, { place }: Machine): string =>
  place(path) !== null || dirname(path) === path
    ? path
    : nearest(dirname(path), { place } as Machine);

const roomFindings = (home: string, room: Room, mend: ReadonlyArray<string>) => {
  const { bytes, files, filesBound } = room;
  const free = `${Math.floor(bytes / MEBIBYTE)} MiB and ${files} files are free on the disk of ${home}`;
  const noFiles = filesBound > 0 && files === 0;
  // Forgetting is written down as well: on a disk that is full, gc cannot.
  if (bytes < MEBIBYTE || noFiles) {
    return [finding("disk-full", `${free}: remove something that is none of troupe's`)];
  }
  return bytes < 64 * MEBIBYTE ? [finding("disk-low", free, mend)] : [];
};

/** What is wrong with the file system of the home. */
export const fileSystem = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const { home, troupe } = patient;
  const room = machine.room(nearest(home, machine));
  if (room === null) return [];
  // The kernel's number is signed in some versions of node.
  const type = room.type >>> 0;
  const found = [...roomFindings(home, room, troupe("gc"))];
  const far = network.get(type);
  if (far !== undefined) {
    const cause = `${home} is on ${far}, where locks may not hold between programs and machines`;
    found.push(finding("home-on-network", cause));
  }
  const short = passing.get(type);
  if (short !== undefined) {
    found.push(finding("home-passing", `${home} is on ${short}, which is gone after a restart`));
  }
  return found;
};
