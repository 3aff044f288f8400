/**
 * Finding: what doctor can find: the table of its codes, each with how bad it is.
 *
 * A code is a contract: scripts compare it, so none changes its meaning or goes away. A cause is
 * what was observed and no guess; `mend` is a command line that ends the finding, `null` where no
 * command can. An `error` keeps troupe from doing what it promises; a `warning` will, or hides
 * something; a `note` is worth knowing.
 */
import { Struct } from "effect";
import { commandLine } from "../ProgramText.js";

/** Every code: how bad it is. */
export const severities = {
  /** There is no such program, or it cannot be executed. */
  "tmux-missing": "error",
  /** It does not say which version it is, or not in time. */
  "tmux-broken": "error",
  /** It is older than the oldest supported version. */
  "tmux-unsupported": "error",
  /** The server is another version than the program. */
  "server-version-skew": "warning",
  /** The server's process is stopped, so nothing is answered. */
  "server-stopped": "error",
  /** Something listens and does not answer as a tmux server does, or not in time. */
  "server-unanswering": "error",
  /** The server lives, or several do, and its socket is gone. */
  "server-split": "error",
  /** The server lives, and another one answers in its place. */
  "server-second": "error",
  /** The server was recorded where its processes cannot be seen from here. */
  "server-out-of-sight": "warning",
  /** The server belongs to a service and ends with it. */
  "server-in-service-cgroup": "warning",
  /** The path that was asked for is longer than a socket's may be. */
  "socket-too-long": "error",
  /** The home's path is too long for a socket in it, which is elsewhere. */
  "socket-elsewhere": "note",
  /** Others can put their own server there, or did. */
  "socket-unsafe": "error",
  /** Something else than a socket is in its place. */
  "socket-obstructed": "error",
  /** The socket may not be connected to. */
  "socket-not-permitted": "error",
  /** The home is no directory. */
  "home-obstructed": "error",
  /** The home cannot be entered, read or written to. */
  "home-not-permitted": "error",
  /** The home is another user's. */
  "home-of-another": "warning",
  /** Others may enter the home. */
  "home-open": "warning",
  /** Others may read files of the home. */
  "home-files-open": "warning",
  /** The home is on a file system of another machine, whose locks cannot be relied on. */
  "home-on-network": "warning",
  /** The home is on a file system that is gone after a restart. */
  "home-passing": "warning",
  /** The file system of the home has no room left. */
  "disk-full": "error",
  /** It has little room left. */
  "disk-low": "warning",
  /** The registry cannot be read. */
  "registry-unavailable": "error",
  /** Another program keeps the registry locked, so that nothing can be written. */
  "registry-locked": "error",
  /** Something else than a file is in the registry's place. */
  "registry-obstructed": "error",
  /** The registry's files may not be written to. */
  "registry-read-only": "error",
  /** A newer troupe wrote the registry. */
  "registry-newer": "error",
  /** An older troupe wrote it; the next change brings it up. */
  "registry-older": "note",
  /** The registry is damaged. */
  "registry-damaged": "error",
  /** There is no registry, and tmux has sessions of this home. */
  "registry-lost": "error",
  /** A program ended in the middle of a change. */
  "rows-unfinished": "error",
  /** A stopped program holds the claims of sessions, and everybody waits for it. */
  "claim-stopped": "error",
  /** The registry and tmux say different things. */
  "rows-differ": "warning",
  /** Sessions were lost, and can be restored. */
  "sessions-lost": "warning",
  /** A session of troupe's server is none of troupe's. */
  "sessions-foreign": "note",
  /** Programs of sessions that have ended are alive. */
  "processes-left": "warning",
  /** Processes cannot be looked at, so that nothing can be proved of them. */
  "processes-unseen": "error",
  /** Output or snapshots of sessions that the registry does not know. */
  "files-orphaned": "note",
  /** Locks of programs that have ended. */
  "locks-left": "note",
  /** Locks cannot be looked at, so that a program that died counts as living. */
  "locks-unseen": "error",
  /** Something was recorded at a time that has not come yet. */
  "clock-behind": "warning",
} as const satisfies Readonly<Record<string, "error" | "warning" | "note">>;

/** A code of the table. */
export type FindingCode = keyof typeof severities;

/** Every code. */
export const findingCodes = Struct.keys(severities);

/** What was found. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: (typeof severities)[FindingCode];
  readonly cause: string;
  readonly mend: string | null;
}

/** A finding; `mend` is an argv, or a line of several. */
export const finding = (
  code: FindingCode,
  cause: string,
  mend: ReadonlyArray<string> | null = null,
): Finding => ({
  code,
  severity: severities[code],
  cause,
  mend: mend === null ? null : commandLine(mend),
});
