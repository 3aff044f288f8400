/**
 * Settings: what a fake machine is like.
 *
 * Everything has a default, which is that of a plain user on a plain machine. Settings stay as they
 * are for the life of the machine; what changes in it is told to the control.
 */
import type { Program } from "./Program.js";
import { noQuirks, type Quirks } from "./Quirks.js";
import type { TmuxVersion } from "./Version.js";

/** The machine, its tmux, and who uses it. */
export interface FakeTmuxSettings {
  /** The release that answers. */
  readonly version: TmuxVersion;
  /** Programs besides the built-in ones, by name, by path, or by the text of a script for sh. */
  readonly programs: Readonly<Record<string, Program>>;
  readonly socket: string;
  readonly host: string;
  readonly user: string;
  readonly uid: number;
  /** The home of the user where HOME does not say. */
  readonly home: string;
  /** The login shell of new panes. */
  readonly shell: string;
  /** The environment of whoever starts the server. */
  readonly environment: Readonly<Record<string, string>>;
  /** The directory of whoever starts the server. */
  readonly cwd: string;
  /** The environment of later clients; of it tmux takes what `update-environment` names. */
  readonly clientEnvironment: Readonly<Record<string, string>>;
  readonly clientCwd: string;
  /** The PATH of a client whose request names none. */
  readonly path: string;
  /** Whether clients take UTF-8; without it everything else is printed as `_`. */
  readonly utf8: boolean;
  /** Directories in which nothing can start. */
  readonly missingDirectories: ReadonlySet<string>;
  /** Names and paths of programs that are not there, built-in ones included. */
  readonly missingPrograms: ReadonlySet<string>;
  /** What any other name is that is neither built in nor given in `programs`. */
  readonly unknownPrograms: "defect" | "missing";
  /** The first process that is started gets this pid; later ones count up. */
  readonly firstPid: number;
  /** The pid of the program under test. */
  readonly ownPid: number;
  readonly bootId: string;
  readonly quirks: Quirks;
}

/** What a test has to say about it. */
export type FakeTmuxOptions = Partial<
  Omit<
    FakeTmuxSettings,
    "environment" | "clientEnvironment" | "missingDirectories" | "missingPrograms" | "quirks"
  >
> & {
  readonly environment?: Readonly<Record<string, string>>;
  readonly clientEnvironment?: Readonly<Record<string, string>>;
  readonly missingDirectories?: Iterable<string>;
  readonly missingPrograms?: Iterable<string>;
  readonly quirks?: Partial<Quirks>;
};

const standard: FakeTmuxSettings = {
  version: "3.3a",
  programs: {},
  socket: "/run/fake-tmux/socket",
  host: "fake",
  user: "tester",
  uid: 1000,
  home: "/home/tester",
  shell: "/bin/sh",
  environment: {
    HOME: "/home/tester",
    LANG: "C.UTF-8",
    PATH: "/usr/bin:/bin",
    SHELL: "/bin/sh",
  },
  cwd: "/",
  clientEnvironment: {},
  clientCwd: "/",
  path: "/usr/bin:/bin",
  utf8: true,
  missingDirectories: new Set(),
  missingPrograms: new Set(),
  unknownPrograms: "defect",
  firstPid: 1000,
  ownPid: 100,
  bootId: "00000000-0000-4000-8000-000000000000",
  quirks: noQuirks,
};

/** Fills in the defaults. */
export const settingsOf = (options: FakeTmuxOptions): FakeTmuxSettings => ({
  ...standard,
  ...options,
  missingDirectories: new Set(options.missingDirectories ?? []),
  missingPrograms: new Set(options.missingPrograms ?? []),
  quirks: { ...noQuirks, ...options.quirks },
});
