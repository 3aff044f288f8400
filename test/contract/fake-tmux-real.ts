/**
 * A real tmux of its own, for comparisons.
 *
 * Its socket and everything else is in a temporary directory, and it is ended through that socket,
 * or by the pids that answered there. The default server is never touched.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import type { SyncFake } from "./fake-tmux-pair.js";

/** What a client left behind. */
export interface Reply {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the real tmux and the fake are told alike. */
export const surroundings = {
  PATH: "/usr/bin:/bin",
  HOME: "/",
  LANG: "C.UTF-8",
  SHELL: "/bin/sh",
  TZ: "UTC",
} as const;

/** Whether the process lives. */
export const isRunning = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
};

const isShell = (pid: string): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sh\0-c\0");

/**
 * Whether it is a shell whose command does not run yet. Till then it swallows an interrupt, and so
 * does its child before it is another program (dash 0.5.12).
 */
const isStarting = (pid: string): boolean => {
  try {
    if (!isShell(pid)) return false;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return children === "" || children.split(" ").some(isShell);
  } catch {
    return false;
  }
};

/** Whether a client of this name runs. */
export const isClient = (name: string): boolean => isRunning(Number(name.replace("client-", "")));

/** Waits in place. */
export const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

// Its stdin never ends, because it could be written to by itself.
const staying =
  '[ -p "$0" ] || mkfifo "$0"; trap "" HUP; ("$@" <>"$0" 2>&1 | cat) >/dev/null 2>&1 &';

/** One private tmux; `end` it. */
export class RealTmux {
  // Wherever homes are: its socket's path must be short.
  protected readonly directory = mkdtempSync("/tmp/fake-tmux-");
  readonly socket = join(this.directory, "s");
  private readonly fifo = join(this.directory, "stdin");
  readonly host = hostname();
  readonly user = userInfo();
  private servers: Array<number> = [];

  constructor(protected readonly program: string) {}

  static find(program = "/usr/bin/tmux"): string | null {
    return existsSync(program) ? program : null;
  }

  run(argv: ReadonlyArray<string>, stdin: string | null): Reply {
    const flags = ["-u", "-S", this.socket, "-f", "/dev/null"];
    const { error, status, stdout, stderr } = spawnSync(this.program, [...flags, ...argv], {
      cwd: "/",
      env: surroundings,
      input: stdin ?? "",
      timeout: 10_000,
      killSignal: "SIGKILL",
    });
    // A client that ends without reading its stdin breaks the pipe, and has answered all the same.
    const broken = error as NodeJS.ErrnoException | undefined;
    if (broken !== undefined && broken.code !== "EPIPE") throw broken;
    return {
      exitCode: status ?? -1,
      stdout: stdout.toString("utf8"),
      stderr: stderr.toString("utf8"),
    };
  }

  private clients(): ReadonlySet<string> {
    return new Set(this.run(["list-clients", "-F", "#{client_name}"], null).stdout.split("\n"));
  }

  /**
   * Lets a client in control mode run that stays until it is told to leave; its name, or `null`
   * when it never came. It has a parent that a hangup does not end, for it may send one.
   */
  attach(argv: ReadonlyArray<string>): string | null {
    const before = this.clients();
    const flags = ["-u", "-S", this.socket, "-f", "/dev/null"];
    spawnSync("/bin/sh", ["-c", staying, this.fifo, this.program, ...flags, ...argv], {
      cwd: "/",
      env: surroundings,
      stdio: "ignore",
    });
    let name: string | undefined;
    this.until(() => {
      name = [...this.clients()].find((each) => !before.has(each));
      return name !== undefined;
    });
    return name ?? null;
  }

  /** Whether such a list is for it. */
  takes(_argv: ReadonlyArray<string>, _stdin: string | null): boolean {
    return true;
  }

  /** The fake, asked in the same way. */
  beside(fake: SyncFake): SyncFake {
    return fake;
  }

  /** Learns which server answers, so that its end can be waited for. */
  noteServer(): number | null {
    const { exitCode, stdout } = this.run(["display-message", "-p", "#{pid}"], null);
    const pid = exitCode === 0 ? Number(stdout) : null;
    if (pid !== null && !this.servers.includes(pid)) this.servers.push(pid);
    return pid;
  }

  /** Waits until no server runs that was noted; tells whether that came to be. */
  awaitEnd(): boolean {
    for (let tries = 0; tries < 400; tries++) {
      this.servers = this.servers.filter(isRunning);
      if (this.servers.length === 0) return true;
      pause(5);
    }
    return false;
  }

  /** Waits until every shell of a pane has come to its command. */
  awaitCommands(): void {
    const { stdout } = this.run(["list-panes", "-a", "-F", "#{pane_pid}"], null);
    const pids = stdout.split("\n").filter((pid) => pid !== "");
    this.until(() => !pids.some(isStarting));
  }

  /** Asks until the answer is the wanted one, within two seconds. */
  until(ask: () => boolean): boolean {
    for (let tries = 0; tries < 80; tries++) {
      if (ask()) return true;
      pause(Math.min(25, 1 + tries));
    }
    return false;
  }

  /** Ends the server, if there is one, and leaves nothing at the path. */
  stop(): void {
    this.noteServer();
    if (this.servers.length > 0) this.run(["kill-server"], null);
    if (!this.awaitEnd()) for (const pid of this.servers) process.kill(pid, "SIGKILL");
    rmSync(this.socket, { force: true });
  }

  /** Ends the server and removes the directory. */
  end(): void {
    this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
