/**
 * LineTmux: a real tmux that is asked over one client in control mode, for comparisons.
 *
 * The client writes to a file and reads from a pipe with a name, both of which can be met in place.
 * The fake beside it is asked in the same way.
 */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ControlListener, OpenControl } from "@troupe/tmux";
import { Lines } from "./fake-tmux-lines.js";
import type { SyncFake } from "./fake-tmux-pair.js";
import { isRunning, pause, RealTmux, type Reply, surroundings } from "./fake-tmux-real.js";

const begin = 'mkfifo "$0.in"; "$@" <>"$0.in" >"$0.out" 2>/dev/null & echo $!';
const patienceMs = 5_000;

interface Client {
  readonly pid: number;
  readonly input: number;
  readonly output: number;
  readonly listener: ControlListener;
}

/** Mutable. */
export class LineTmux extends RealTmux {
  private client: Client | null = null;
  private opened = 0;

  private readonly open: OpenControl = (argv, listener) => {
    this.opened += 1;
    const place = join(this.directory, `client-${this.opened}`);
    const flags = ["-u", "-N", "-S", this.socket, "-f", "/dev/null", "-C"];
    const words = ["-c", begin, place, this.program, ...flags, ...argv];
    const { stdout } = spawnSync("/bin/sh", words, {
      cwd: "/",
      env: surroundings,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [input, output] = [openSync(`${place}.in`, "r+"), openSync(`${place}.out`, "r")];
    const client = { pid: Number(stdout), input, output, listener };
    this.client = client;
    return {
      write: (text) => void writeSync(input, text),
      isCurrent: () => true,
      end: () => {
        if (isRunning(client.pid)) process.kill(client.pid, "SIGKILL");
      },
    };
  };

  private readonly lines = new Lines(
    this.open,
    (argv, stdin) => super.run(argv, stdin),
    (isSo) => this.await(isSo),
  );

  override run(argv: ReadonlyArray<string>, stdin: string | null): Reply {
    const reply = this.lines.ask(argv, stdin);
    this.awaitLeaving();
    return reply;
  }

  // A client whose keeper was killed leaves a moment later, and the fake's has left.
  private awaitLeaving(): void {
    const { client } = this;
    if (client === null) return;
    const { stdout } = super.run(["list-clients", "-F", "#{client_pid}"], null);
    if (stdout.split("\n").includes(String(client.pid))) return;
    this.until(() => !isRunning(client.pid));
    this.forget();
  }

  /** A client that is told to leave does so a moment later, and it is the one that asks. */
  override takes(argv: ReadonlyArray<string>, stdin: string | null): boolean {
    return !/detach/.test(`${argv.join(" ")} ${stdin ?? ""}`);
  }

  override beside(fake: SyncFake): SyncFake {
    const lines = new Lines(fake.openControl, fake.ask, () => {});
    return { ...fake, ask: lines.ask };
  }

  /** How many lists went over the connection. */
  get carried(): number {
    return this.lines.carried;
  }

  override awaitEnd(): boolean {
    const ended = super.awaitEnd();
    if (ended) this.forget();
    return ended;
  }

  private forget(): void {
    const { client } = this;
    if (client === null) return;
    this.client = null;
    if (isRunning(client.pid)) process.kill(client.pid, "SIGKILL");
    closeSync(client.input);
    closeSync(client.output);
    client.listener.left();
    client.listener.ended();
  }

  private await(isSo: () => boolean): void {
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 1) {
      const { client } = this;
      if (client === null) return;
      const isOver = !isRunning(client.pid);
      const buffer = Buffer.alloc(1024 * 1024);
      const size = readSync(client.output, buffer, 0, buffer.length, null);
      if (size > 0) client.listener.told(buffer.subarray(0, size).toString("utf8"));
      if (isSo()) return;
      if (isOver && size === 0) this.forget();
      else pause(1);
    }
  }
}
