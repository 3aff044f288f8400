/**
 * ServerScope: how a tmux server that we start gets a scope of systemd of its own.
 *
 * `systemd-run --scope` moves itself into a new scope and becomes the client, so pipes, exit code
 * and pid are the client's, and the server that it forks stays in the scope. Whether that works is
 * tried once, when the layer is made, and not when the first session is. It moves no server that
 * runs already.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { ServerStarter } from "@troupe/tmux";
import { Effect, Schema } from "effect";
import { ownService } from "./ServiceUnit.js";
import { findProgram } from "./TmuxLocation.js";

/** No tmux server could be given a scope of its own. Nothing was started. */
export class ServerScopeUnavailable extends Schema.TaggedError<ServerScopeUnavailable>()(
  "ServerScopeUnavailable",
  { program: Schema.String, detail: Schema.String },
) {
  override get message(): string {
    return `the tmux server cannot be given a scope of systemd of its own: ${this.program}: ${this.detail}`;
  }
}

const TRIAL_MS = 10_000;

const runtimeDirectory = (uid: number): string | undefined => {
  const usual = `/run/user/${uid}`;
  return process.env.XDG_RUNTIME_DIR ?? (existsSync(usual) ? usual : undefined);
};

/** What the manager of a user is found by. None of it comes to the server. */
const managerOf = (uid: number): ReadonlyMap<string, string> => {
  const places = {
    XDG_RUNTIME_DIR: runtimeDirectory(uid),
    DBUS_SESSION_BUS_ADDRESS: process.env.DBUS_SESSION_BUS_ADDRESS,
  };
  return new Map(
    Object.entries(places).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
};

/** What stands before a tmux whose server gets a scope, from the manager that is found so. */
export const scopeStarter = (
  program: string,
  socket: string,
  uid: number,
  environment: ReadonlyMap<string, string>,
): ServerStarter => {
  const unset = [...environment.keys()].flatMap((name) => ["-u", name]);
  return {
    argv: [
      ...[program, ...(uid === 0 ? [] : ["--user"]), "--scope", "--quiet", "--collect"],
      // Else a scope is stopped, from systemd 253 on, when one program in it had too much memory.
      "--property=Delegate=yes",
      `--description=tmux server of troupe at ${socket}`,
      "--",
      ...(unset.length === 0 ? [] : ["/usr/bin/env", ...unset]),
    ],
    environment,
  };
};

/** Runs `true` as the server would be started; why that did not work, or `null`. */
const trial = ({ argv, environment }: ServerStarter) =>
  Effect.async<string | null>((resume) => {
    const [program = "", ...rest] = argv;
    const child = spawn(program, [...rest, "true"], {
      ...{ cwd: "/", detached: true, stdio: ["ignore", "ignore", "pipe"] },
      ...{ timeout: TRIAL_MS, killSignal: "SIGKILL" },
      env: { ...Object.fromEntries(environment), LANG: "C.UTF-8", PATH: process.env.PATH ?? "" },
    });
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8").slice(0, 400);
    });
    child.once("error", (error) => resume(Effect.succeed(error.message)));
    child.once("close", (code, signal) => {
      const why = said.trim() === "" ? `it ended with ${signal ?? code}` : said.trim();
      resume(Effect.succeed(code === 0 ? null : why));
    });
    return Effect.sync(() => child.kill("SIGKILL"));
  });

/** A starter that was tried, for a server at this socket. */
export const systemdScope = (
  socket: string,
): Effect.Effect<ServerStarter, ServerScopeUnavailable> =>
  Effect.gen(function* () {
    const name = "systemd-run";
    const program = findProgram(name);
    if (program === null) {
      return yield* new ServerScopeUnavailable({ program: name, detail: "it is not on PATH" });
    }
    const uid = process.getuid?.() ?? 0;
    const starter = scopeStarter(program, socket, uid, uid === 0 ? new Map() : managerOf(uid));
    const detail = yield* trial(starter);
    return detail === null ? starter : yield* new ServerScopeUnavailable({ program, detail });
  });

/** Says once that a server which this program starts would end with its service. */
export const warnOfService: Effect.Effect<void> = Effect.suspend(() => {
  const unit = ownService();
  if (unit === null) return Effect.void;
  return Effect.logWarning(
    `a tmux server that this program starts is in ${unit} and ends with it, with every session: ` +
      'make the layer with { server: { scope: "systemd" } }, or set KillMode=process in the unit ' +
      'and say { server: { scope: "inherited" } }',
  );
});
