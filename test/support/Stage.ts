/**
 * Stage: a home, a socket and a directory of their own, for one test of the built command.
 *
 * Whatever the test did, its tmux server, its processes and its files are gone afterwards; no other
 * server is ever asked.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KEEPER } from "@troupe/tmux";
import { expect } from "vitest";
import { makeDirectory, removePlace, socketIn } from "./Place.js";
import { endProcessesOf } from "./Processes.js";
import type { Terminal } from "./Terminal.js";
import { waitFor } from "./Waiting.js";
import { realTmux, writeWrapper } from "./Wrapper.js";

/** The command as it is installed. */
export const troupe = fileURLToPath(new URL("../../examples/cli/bin/troupe.js", import.meta.url));
const boundMs = 40_000;

/** How a call ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** The one object that a call with `--json` writes. */
export interface Told {
  readonly ok: boolean;
  readonly command: string | null;
  readonly result: Readonly<Record<string, unknown>>;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
    readonly retryable: boolean;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** What a call may be given beside its words. */
export interface CallOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly uid?: number;
}

/** A call under way, in a process group of its own. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Sends the signal to the whole group, as a terminal does. */
  readonly signal: (signal: NodeJS.Signals) => void;
}

/** The object on standard output, which must be the only thing there. */
export const toldBy = ({ stdout }: Ended): Told => {
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(stdout.trimEnd()).not.toContain("\n");
  return JSON.parse(stdout);
};

/** Where one test plays. */
export class Stage {
  readonly directory = makeDirectory();
  readonly home = join(this.directory, "home");
  readonly socket = socketIn(this.directory);
  readonly realTmux = realTmux();
  private readonly first = readdirSync(this.directory);

  /** Starts `troupe` with these words, in this home. */
  start(words: ReadonlyArray<string>, options: CallOptions = {}): Running {
    const startedAt = performance.now();
    const places = { TROUPE_HOME: this.home, TROUPE_SOCKET: this.socket, HOME: this.directory };
    const child = spawn(troupe, words, {
      cwd: options.cwd ?? this.directory,
      env: { PATH: process.env.PATH, ...places, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
      timeout: boundMs,
      killSignal: "SIGKILL",
    });
    const [stdout, stderr]: [Array<Buffer>, Array<Buffer>] = [[], []];
    child.stdout.on("data", (data: Buffer) => stdout.push(data));
    child.stderr.on("data", (data: Buffer) => stderr.push(data));
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        const text = (parts: Array<Buffer>) => Buffer.concat(parts).toString("utf8");
        const ms = performance.now() - startedAt;
        resolve({ code, signal, stdout: text(stdout), stderr: text(stderr), ms });
      });
    });
    const { pid } = child;
    if (pid === undefined) throw new Error(`${troupe} did not start`);
    return { child, ended, signal: (signal) => void process.kill(-pid, signal) };
  }

  /** Runs `troupe` to its end. */
  run(...words: ReadonlyArray<string>): Promise<Ended> {
    return this.start(words).ended;
  }

  /** Runs `troupe` with `--json` in front to its end, and reads its answer. */
  async json(...words: ReadonlyArray<string>): Promise<Ended & { readonly told: Told }> {
    const ended = await this.run("--json", ...words);
    return { ...ended, told: toldBy(ended) };
  }

  /** What the tmux server of this stage answers; the code is `null` when it did not in time. */
  tmux(...args: ReadonlyArray<string>): { readonly code: number | null; readonly out: string } {
    return this.tmuxAt(this.socket, ...args);
  }

  /** The same of a server at another socket. */
  tmuxAt(socket: string, ...args: ReadonlyArray<string>) {
    const options = { encoding: "utf8", timeout: 5_000, killSignal: "SIGKILL" } as const;
    const done = spawnSync(this.realTmux, ["-u", "-S", socket, ...args], options);
    return { code: done.signal === null ? done.status : null, out: done.stdout + done.stderr };
  }

  /** What stands in the directory that was not there in the beginning. */
  get made(): ReadonlyArray<string> {
    return readdirSync(this.directory).filter((name) => !this.first.includes(name));
  }

  /** The names of the sessions that tmux has, but for keepers of connections. */
  get sessionsInTmux(): ReadonlyArray<string> {
    const others = `#{!=:#{@troupe-gen},${KEEPER}}`;
    const { code, out } = this.tmux("list-sessions", "-f", others, "-F", "#{session_name}");
    return code === 0 ? out.split("\n").filter((name) => name !== "") : [];
  }

  /**
   * Types prefix and `d` on the terminal of a client of this server. Keys that reach a session
   * within a millisecond of each other, or of a client that comes, tmux holds for pasted text, in
   * which its prefix is none; so it is told to hold nothing for that.
   */
  async detach(terminal: Terminal, prefix = "\x02"): Promise<void> {
    this.tmux("set-option", "-g", "assume-paste-time", "0");
    terminal.type(prefix);
    await waitFor("tmux to take the prefix", () =>
      this.tmux("list-clients", "-F", "#{client_prefix}").out.includes("1"),
    );
    terminal.type("d");
  }

  /** A script to be given as tmux; in it `$REAL` is tmux and `$STAGE` this directory. */
  wrapper(name: string, script: string): string {
    return writeWrapper(this.directory, name, script);
  }

  /** A module for node to load, which `--import` takes. */
  module(script: string): string {
    const path = join(this.directory, "loaded.mjs");
    writeFileSync(path, script);
    return path;
  }

  /** What a program writes to a file of this directory, once there is something. */
  read(name: string): Promise<string> {
    const path = join(this.directory, name);
    return waitFor(`text in ${name}`, () =>
      existsSync(path) ? readFileSync(path, "utf8") || null : null,
    );
  }

  /** Ends and removes everything. */
  close(): void {
    if (existsSync(this.socket)) this.tmux("kill-server");
    endProcessesOf(this.directory);
    removePlace(this.directory, this.socket);
  }
}

/** Plays on a stage of its own, and clears it whatever happened. */
export const onStage = (play: (stage: Stage) => Promise<void>) => async (): Promise<void> => {
  const stage = new Stage();
  try {
    await play(stage);
  } finally {
    stage.close();
  }
};
