/**
 * HomeDirectory: whether the home is a directory of ours that we can use and others cannot.
 *
 * A home that is not there is no finding: the first change makes it.
 */
import { join } from "node:path";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";

const others = 0o077;

const octal = (mode: number): string => `0${(mode & 0o777).toString(8)}`;

/** The files and directories at the top of the home, and its locks, that others could look into. */
const openFiles = ({ home }: Patient, { names, place }: Machine): ReadonlyArray<string> =>
  [home, join(home, "locks")]
    .flatMap((directory) => names(directory).map((name) => join(directory, name)))
    .filter((path) => {
      const there = place(path);
      // Who may connect to a socket is for tmux to say, and a link has no permissions.
      const tells = there?.kind === "file" || there?.kind === "directory";
      return tells && (there.mode & others) !== 0;
    });

/** What is wrong with the home itself. */
export const homeDirectory = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const { home } = patient;
  const place = machine.place(home);
  if (place === null) return [];
  if (place.kind !== "directory") {
    return [finding("home-obstructed", `${home} is no directory`, ["mv", home, `${home}.aside`])];
  }
  const found: Array<Finding> = [];
  const ours = place.uid === machine.uid;
  if (!machine.may(home, "rwx")) {
    const lacks = ours && (place.mode & 0o700) !== 0o700;
    const cause = `${home} (${octal(place.mode)}, user ${place.uid}) may not be read, written and entered`;
    found.push(finding("home-not-permitted", cause, lacks ? ["chmod", "u+rwx", home] : null));
  }
  if (!ours) {
    const cause = `${home} belongs to user ${place.uid}, and this is user ${machine.uid}`;
    const mend = machine.uid === 0 ? ["chown", "-R", "0", home] : null;
    found.push(finding("home-of-another", cause, mend));
  }
  const mayMend = ours || machine.uid === 0;
  if ((place.mode & others) !== 0) {
    const cause = `${home} has the permissions ${octal(place.mode)}, and not 0700`;
    found.push(finding("home-open", cause, mayMend ? ["chmod", "700", home] : null));
  }
  const open = openFiles(patient, machine);
  if (open.length > 0) {
    const cause = `others have permissions for ${open.join(", ")}`;
    found.push(finding("home-files-open", cause, mayMend ? ["chmod", "go-rwx", ...open] : null));
  }
  return found;
};
