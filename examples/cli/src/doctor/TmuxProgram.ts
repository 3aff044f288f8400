/**
 * TmuxProgram: whether the tmux program is there, says its version, and is new enough.
 *
 * A development build is taken for new enough, as the library takes it. What mends is the tmux of
 * the PATH, where that is another one.
 */
import { findTmux } from "@troupe/node";
import { isSupported } from "@troupe/tmux";
import { Either } from "effect";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";

/** What `-V` prints: the name by which it was started, and a release or a development build. */
const VERSION = /^\S+ ((?:next-|openbsd-)?[0-9]+\.\S+|master)\n$/;

/** The version that the program says; `null` when it says none. */
export const versionOf = ({ version }: Patient): string | null => {
  if (Either.isLeft(version)) return null;
  return VERSION.exec(version.right.stdout)?.[1] ?? null;
};

/** The same call with the tmux of the PATH, where that is another one. */
const another = ({ tmux, troupe }: Patient, { may }: Machine): ReadonlyArray<string> | null => {
  const found = findTmux(undefined);
  return found === tmux || !may(found, "x") ? null : troupe("--tmux", found, "doctor");
};

/** What is wrong with the program. */
export const tmuxProgram = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const { tmux, version } = patient;
  const mend = another(patient, machine);
  if (Either.isLeft(version)) {
    const { detail, reason } = version.left;
    const missing = reason === "missing-program" || reason === "permission";
    return [finding(missing ? "tmux-missing" : "tmux-broken", detail, mend)];
  }
  const known = versionOf(patient);
  if (known === null) {
    const { exitCode, stderr, stdout } = version.right;
    const said = JSON.stringify((stdout + stderr).slice(0, 200));
    return [finding("tmux-broken", `${tmux} -V ended with ${exitCode} and said ${said}`, mend)];
  }
  if (isSupported(known)) return [];
  return [finding("tmux-unsupported", `${tmux} is version ${known}; 3.2 or newer is needed`, mend)];
};
