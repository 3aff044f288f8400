/**
 * Creation: the input of a create, checked whole before anything is done.
 *
 * Directory, environment and program are looked up here, on the machine of the creator and outside
 * the mailbox, so that bad input costs no claim, no row and no call to tmux.
 */
import { Effect, Redacted } from "effect";
import {
  checkEnvironment,
  checkInherited,
  checkSize,
  inheritedEnvironment,
  type SuppliedEnvironment,
} from "./Environment.js";
import { Host } from "./Host.js";
import { checkDirectory, checkProgram } from "./Program.js";
import { count, milliseconds } from "./Quantity.js";
import type { SessionSpec } from "./Session.js";
import type { SessionName } from "./SessionName.js";
import type { CreateOptions } from "./SessionOptions.js";
import { Settings } from "./Settings.js";

/** A creation whose input was checked. */
export interface Creation {
  readonly spec: SessionSpec;
  readonly environment: SuppliedEnvironment;
  readonly startWindowMs: number;
  /** The same request makes one session, however often it is sent. */
  readonly requestId: string | null;
  /** Delete what holds the name first, in the same message. */
  readonly replace: boolean;
}

/** What `exec` falls back to when there is no PATH at all. */
export const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** What is started when no command is given. */
export const loginShell = ({ environment }: Host["Type"]): ReadonlyArray<string> => [
  environment.get("SHELL") || "/bin/sh",
  "-l",
];

const COLUMNS = 200;
const ROWS = 50;

/** The limits that were given; what is not recorded cannot be known to be idle. */
const limitsIn = ({ idleTtlMs, log, ttlMs }: CreateOptions): Partial<SessionSpec> => {
  const idle = milliseconds("idleTtlMs", idleTtlMs);
  const age = milliseconds("ttlMs", ttlMs);
  if (idle !== undefined && log === false) {
    throw new RangeError("idleTtlMs wants a session that is recorded");
  }
  return {
    ...(age === undefined ? {} : { ttlMs: Math.trunc(age) }),
    ...(idle === undefined ? {} : { idleTtlMs: Math.trunc(idle) }),
  };
};

/** Checks the input; the creation as it will be written and done. */
export const creationOf = Effect.fnUntraced(function* (
  session: SessionName,
  options: CreateOptions,
) {
  const host = yield* Host;
  const settings = yield* Settings;
  const checked = { session, attempted: "create" };
  const startWindowMs = milliseconds("startWindowMs", options.startWindowMs);
  const columns = count("columns", options.columns) ?? COLUMNS;
  const rows = count("rows", options.rows) ?? ROWS;
  const supplied = yield* checkEnvironment(checked, options.env ?? {});
  const inherits = options.inheritEnv ?? false;
  yield* checkInherited(checked, host.undecodable, { given: supplied, inherits });
  const inherited = inherits ? inheritedEnvironment(host.environment) : [];
  const environment: SuppliedEnvironment = new Map([...inherited, ...supplied]);
  yield* checkSize(checked, environment);
  const cwd = options.cwd ?? (yield* host.cwd);
  yield* checkDirectory(checked, cwd);
  const command = options.command ?? loginShell(host);
  const own = environment.get("PATH");
  const path = own === undefined ? host.environment.get("PATH") : Redacted.value(own);
  yield* checkProgram(checked, command, cwd, path ?? DEFAULT_PATH);
  const creation: Creation = {
    spec: {
      command,
      cwd,
      envNames: [...supplied.keys()].sort(),
      inheritEnv: inherits,
      log: options.log ?? true,
      columns,
      rows,
      ...limitsIn(options),
    },
    environment,
    startWindowMs: startWindowMs ?? settings.startWindowMs,
    requestId: options.requestId ?? null,
    replace: options.replace ?? false,
  };
  return creation;
});
