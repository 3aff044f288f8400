/**
 * GoldenCalls: calls in order, on one stage, after which every command has answered, and every
 * failure that needs no hostile machine has been told.
 *
 * The others are made up. Each call has a file of its name in `golden`, which is the command's or
 * the code's.
 */
import * as Core from "@troupe/core";
import {
  type CommandFailure,
  Internal,
  Interrupted,
} from "../../examples/cli/src/CommandFailure.js";
import { CapacityReached } from "../../examples/cli/src/LeaseFailure.js";
import type { LeaseInfo } from "../../examples/cli/src/LeaseResult.js";
import type { CallerOptions } from "../support/InProcess.js";
import type { Stage } from "../support/Stage.js";
import { hold, letGo } from "./Holder.js";

/** A call and what is done on the stage before it. */
export interface GoldenCall {
  /** The name of its file; a call without one only gets the stage there. */
  readonly file: string | null;
  readonly words: ReadonlyArray<string>;
  readonly first?: (stage: Stage) => unknown;
  readonly options?: (stage: Stage) => CallerOptions;
}

const golden = (file: string, ...words: ReadonlyArray<string>): GoldenCall => ({ file, words });
const step = (...words: ReadonlyArray<string>): GoldenCall => ({ file: null, words });

const elsewhere = ({ directory }: Stage): CallerOptions => ({
  environment: { TMUX: `${directory}/other,1,0`, TMUX_PANE: "%0" },
});

/** In order. */
export const goldenCalls: ReadonlyArray<GoldenCall> = [
  golden("version", "version"),
  golden("schema", "schema", "version"),
  golden("USAGE", "lsit"),
  golden("INVALID_NAME", "create", "my.app"),
  golden("INVALID_CWD", "create", "a", "--cwd", "/nowhere"),
  golden("INVALID_ENV", "create", "a", "--env", "1=2"),
  golden("START_FAILED", "create", "a", "--", "/nowhere/program"),
  golden(
    "create",
    ...["create", "build", "--cols", "80", "--rows", "24", "--env", "TOKEN=secret"],
    ...["--", "sh", "-c", "echo hello; exec sleep 600"],
  ),
  golden("ALREADY_EXISTS", "create", "build"),
  step("wait", "build", "--text", "hello"),
  golden("list", "list"),
  golden("inspect", "inspect", "build"),
  golden("NOT_FOUND", "inspect", "biuld"),
  golden("send", "send", "build", "typed", "--enter"),
  golden("wait", "wait", "build", "--regex", "^typ.d$"),
  golden("WAIT_TIMEOUT", "wait", "build", "--exit", "--timeout", "0"),
  golden("capture", "capture", "build", "--lines", "3"),
  golden("LOOKUP_FAILED", "capture", "build", "--tmux", "/nowhere/tmux"),
  golden("DOCTOR_FINDINGS", "doctor", "--tmux", "/nowhere/tmux"),
  golden("DEMO_FAILED", "demo", "--tmux", "/nowhere/tmux"),
  golden("attach", "attach", "build", "--print"),
  { ...golden("NESTED", "attach", "build", "--print"), options: elsewhere },
  { ...golden("lease-show", "lease", "show", "build"), first: (stage) => hold(stage, "build") },
  golden("LEASE_HELD", "lease", "take-over", "build", "--timeout", "0"),
  golden("lease-release", "lease", "release", "build", "--force"),
  { ...golden("lease-take-over", "lease", "take-over", "build"), first: letGo },
  golden("terminal-add", "terminal", "add", "build", "--without-env", "--", "cat"),
  golden("terminal-list", "terminal", "list", "build"),
  golden("terminal-delete", "terminal", "delete", "build", "t2", "--grace", "0"),
  {
    ...golden("FOREIGN_SESSION", "create", "mine"),
    first: (stage) => {
      // A format to tmux, whatever letters the directory has.
      const directory = stage.directory.replaceAll("#", "##");
      stage.tmux("new-session", "-d", "-s", "mine", "-c", directory, "sleep 600");
    },
  },
  golden("BUSY", "server", "stop"),
  golden("server-status", "server", "status"),
  golden("adopt", "adopt", "mine"),
  step("create", "done", "--", "sh", "-c", "echo bye; read line"),
  step("send", "done", "--enter"),
  step("wait", "done", "--exit"),
  golden("logs", "logs", "done", "--follow"),
  golden("TMUX_REFUSED", "send", "done", "x"),
  golden("reconcile", "reconcile"),
  golden("restore", "restore", "done", "build"),
  golden("delete", "delete", "build", "never", "--grace", "0"),
  golden("home-list", "home", "list"),
  golden("events", "events", "--since", "21"),
  golden("doctor", "doctor"),
  step("delete", "--all", "--grace", "0"),
  golden("gc", "gc", "--older-than", "0"),
  step("create", "last", "--", "cat"),
  step("delete", "last"),
  golden("server-stop", "server", "stop"),
  golden("demo", "demo", "--fake"),
];

const where = { session: "build", attempted: "delete" };

const held: LeaseInfo = {
  session: Core.SessionName.make("deploy"),
  incarnation: Core.IncarnationId.make("incarnation"),
  lease: Core.LeaseId.make("id"),
  epoch: 3,
  owner: "OWNER",
  component: "sessions",
  actor: Core.ActorId.make("id"),
  surface: "agent",
  pid: 4711,
  host: "host",
  bootId: "boot",
  children: [{ pid: 4712, startTime: 7, bootId: "boot" }],
  turn: Core.TurnId.make("id"),
  holder: "unknown",
  acquiredAt: "2026-01-01T00:00:00.000Z",
};

/** Failures that only a hostile machine brings about. */
export const hostile: ReadonlyArray<CommandFailure> = [
  new Internal({ detail: "no such thing" }),
  new Interrupted({ signal: "SIGINT" }),
  new Core.UnsupportedTmux({ ...where, attempted: "create", version: "2.9a" }),
  new Core.KillUnconfirmed({ ...where, detail: "tmux still shows it", after: null }),
  new Core.ProcessesSurvived({ ...where, pids: [4711], after: null }),
  new Core.MailboxFull({ ...where, bound: 64 }),
  new Core.Closing(where),
  new Core.LeaseLost({
    ...where,
    lease: Core.LeaseId.make("id"),
    held: 1,
    current: 2,
    holder: "OWNER",
  }),
  new CapacityReached({ ...where, active: 1, max: 1, holders: [held], oldestMs: 5_000 }),
  new Core.RegistryUnavailable({ ...where, detail: "disk I/O error" }),
  new Core.RegistryCorrupt({ ...where, detail: "file is not a database" }),
  new Core.SelfAttach({ session: "build", attempted: "attach", why: "pane" }),
];
