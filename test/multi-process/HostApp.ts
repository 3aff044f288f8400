/**
 * HostApp: the built `examples/host-app` as a process on the home of a stage, asked over HTTP.
 *
 * It listens on a port that the kernel chose, which it says in its log. A call ends with a reply,
 * or fails when the process dies.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Stage } from "../support/Stage.js";

/** A reply, read to its end. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** A job as it is told. */
export interface ToldJob {
  readonly id: string;
  readonly state: string;
  readonly exit: { readonly code: number | null } | null;
}

const main = fileURLToPath(new URL("../../examples/host-app/dist/main.js", import.meta.url));

/** The service on the home of a stage. */
export class HostApp {
  /** What it logged. */
  readonly log: Array<string> = [];

  private constructor(
    private readonly process: ChildProcess,
    private readonly address: string,
    /** Ends when the process is gone. */
    private readonly gone: Promise<void>,
  ) {}

  /** Starts it, behind a command that becomes it where one is given; ends when it listens. */
  static start(
    { directory, home, socket }: Stage,
    env: Readonly<Record<string, string>> = {},
    before: ReadonlyArray<string> = [],
  ): Promise<HostApp> {
    const [program = process.execPath, ...words] = [...before, process.execPath, main];
    const child = spawn(program, words, {
      cwd: directory,
      env: {
        ...{ PATH: process.env.PATH, HOME: directory },
        ...{ HOST_APP_HOME: home, HOST_APP_SOCKET: socket, HOST_APP_PORT: "0" },
        ...env,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
    return new Promise((resolve, reject) => {
      const early: Array<string> = [];
      let app: HostApp | null = null;
      createInterface({ input: child.stderr ?? process.stdin }).on("line", (line) => {
        (app?.log ?? early).push(line);
        const [address] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
        if (app !== null || address === undefined) return;
        app = new HostApp(child, address, gone);
        app.log.push(...early);
        resolve(app);
      });
      void gone.then(() => reject(new Error(`it did not listen: ${early.join("\n")}`)));
    });
  }

  /** Asks, and reads the reply to its end. */
  async ask(method: string, path: string, body?: object, key?: string): Promise<Reply> {
    const reply = await fetch(`${this.address}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: key === undefined ? {} : { "idempotency-key": key },
    });
    return { status: reply.status, text: await reply.text() };
  }

  /** The job of that command, one for each key. */
  async start(command: ReadonlyArray<string>, key: string): Promise<ToldJob> {
    const { status, text } = await this.ask("POST", "/jobs", { command }, key);
    if (status !== 201) throw new Error(`${status}: ${text}`);
    return JSON.parse(text);
  }

  async get(id: string): Promise<ToldJob> {
    return JSON.parse((await this.ask("GET", `/jobs/${id}`)).text);
  }

  async list(): Promise<ReadonlyArray<ToldJob>> {
    return JSON.parse((await this.ask("GET", "/jobs")).text).jobs;
  }

  /** What the job printed up to now. */
  async printed(id: string): Promise<string> {
    const { text } = await this.ask("GET", `/jobs/${id}/output?follow=false`);
    // None at all while nothing is printed.
    const lines = text.split("\n").filter((line) => line !== "");
    const data = lines.flatMap((line) => {
      const element = JSON.parse(line);
      return element.type === "data" ? [Buffer.from(element.data, "base64")] : [];
    });
    return Buffer.concat(data).toString("utf8");
  }

  /** Sends the signal; ends when the process is gone. */
  end(signal: NodeJS.Signals): Promise<void> {
    this.process.kill(signal);
    return this.gone;
  }
}
