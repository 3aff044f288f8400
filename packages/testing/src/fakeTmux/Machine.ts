/**
 * Machine: a host with processes, a socket, and tmux servers behind it.
 *
 * It is told the time and answers each client in one synchronous step. It never waits: a client
 * whose commands wait is given back unfinished, and tells when it ends.
 */
import { clientLeft } from "./Attaching.js";
import { builtInPrograms } from "./BuiltInPrograms.js";
import { byteLength, encodeBytes } from "./ByteOrder.js";
import { ClientRun } from "./ClientRun.js";
import { buildArgv, ParseFailure } from "./CommandBuilder.js";
import { connect } from "./Connecting.js";
import { FirstDefect } from "./FirstDefect.js";
import { countLingering } from "./Lingering.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import type { PanePipe } from "./PanePipe.js";
import { ProcessTree } from "./ProcessTree.js";
import type { Programs } from "./Program.js";
import type { Quirks } from "./Quirks.js";
import { Server, ServerCrash } from "./Server.js";
import { endServer, handleSignals } from "./ServerEnd.js";
import type { FakeTmuxSettings } from "./Settings.js";
import { Timers } from "./Timers.js";
import { Unfinished } from "./Unfinished.js";
import { rulesOf, type VersionRules } from "./Version.js";

/** One client of tmux: what it is run with. */
export interface ClientRequest {
  readonly argv: ReadonlyArray<string>;
  readonly stdin: string | Uint8Array | null;
  readonly startsServer: boolean;
  readonly path: string | null;
}

/** What a client left behind. */
export interface ClientReply {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How often a command succeeded and failed. */
export interface CommandTally {
  readonly succeeded: number;
  readonly failed: number;
}

/** What stands at the path of the socket. */
export type Socket =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Stale" }
  | { readonly _tag: "Listening"; readonly server: Server }
  /** Nobody may connect, whatever is behind it. */
  | { readonly _tag: "Denied"; readonly behind: Socket }
  | { readonly _tag: "DirectoryMissing" };

interface Waiting {
  readonly server: Server;
  readonly run: ClientRun;
  readonly unfinished: Unfinished;
}

const failed = (stderr: string): ClientReply => ({ exitCode: 1, stdout: "", stderr });
const argvBound = 16_364;
const argvLimit = 16_380;

/** Mutable; one for all that share a socket. */
export class Machine {
  readonly timers: Timers;
  readonly tree: ProcessTree;
  readonly rules: VersionRules;
  readonly programs: Programs;
  readonly pipes: Array<PanePipe> = [];
  readonly firstDefect = new FirstDefect();
  socket: Socket = { _tag: "Nothing" };
  /** Every server that lives, also those that nobody can reach. */
  servers: Array<Server> = [];
  /** For how many more clients a killed session is still listed. */
  lingerRuns = 0;
  private waiting: Array<Waiting> = [];
  /** How often each command succeeded and failed. */
  readonly tally = new Map<string, CommandTally>();
  private groups = 0;
  private readonly lookers: Array<() => void> = [];

  constructor(
    readonly settings: FakeTmuxSettings,
    now: number,
  ) {
    this.timers = new Timers(now);
    // Far enough back that start times look like those of a machine that has been up.
    this.tree = new ProcessTree(this.timers, now - 1_000_000, settings.firstPid);
    this.rules = rulesOf(settings.version);
    this.programs = {
      find: (name) => settings.programs[name] ?? builtInPrograms.get(name) ?? null,
    };
  }

  get prompt(): string {
    return this.settings.uid === 0 ? "# " : "$ ";
  }

  get quirks(): Quirks {
    return this.settings.quirks;
  }

  /** A command has run. */
  count(name: string, succeeded: boolean): void {
    const before = this.tally.get(name) ?? { succeeded: 0, failed: 0 };
    const one = succeeded ? "succeeded" : "failed";
    this.tally.set(name, { ...before, [one]: before[one] + 1 });
  }

  /** A number for a group of commands that fail together. */
  nextGroup(): number {
    return this.groups++;
  }

  /** The lowest terminal that no pane has. */
  freeTty(): number {
    const taken = new Set(
      this.servers.flatMap((server) =>
        server.panes().map(({ open, ttyNumber }) => (open ? ttyNumber : -1)),
      ),
    );
    for (let number = 0; ; number++) if (!taken.has(number)) return number;
  }

  /** Lets time pass: programs act, and servers that nothing keeps alive end. */
  advance(now: number): void {
    this.firstDefect.during(() => {
      this.timers.advance(now);
      this.settle();
    });
  }

  /** The server behind the socket. */
  reachable(): Server | null {
    return this.socket._tag === "Listening" ? this.socket.server : null;
  }

  /** The server behind the socket dies. */
  crash(): void {
    const server = this.reachable();
    if (server !== null) this.tree.signal(server.process, "KILL");
  }

  /** Starts a server that listens at the socket. */
  startServer(): Server {
    const process = this.tree.spawn({
      parent: 1,
      leader: null,
      program: "tmux: server",
      environment: new Map(Object.entries(this.settings.environment)),
    });
    const server = new Server(this, process);
    handleSignals(this, server);
    this.servers.push(server);
    this.socket = { _tag: "Listening", server };
    return server;
  }

  /** Answers one client, except when its commands wait. */
  run(request: ClientRequest): ClientReply | Unfinished {
    return this.firstDefect.during(() => this.answer(request));
  }

  private answer(request: ClientRequest): ClientReply | Unfinished {
    const connected = connect(this, request);
    if (!(connected instanceof Server)) return connected;
    const size = request.argv.reduce((sum, word) => sum + byteLength(word) + 1, 0);
    const reply =
      size > argvLimit
        ? failed("command too long\n")
        : size > argvBound
          ? failed("failed to send command\n")
          : this.serve(connected, request);
    // What the commands started begins now, so that its defect is one of this run.
    this.timers.advance(this.timers.now);
    this.settle();
    return reply;
  }

  private serve(server: Server, request: ClientRequest): ClientReply | Unfinished {
    const { stdin } = request;
    const run = new ClientRun(server, {
      stdin: typeof stdin === "string" ? encodeBytes(stdin) : stdin,
      path: request.path ?? this.settings.path,
    });
    const list = buildArgv(server, request.argv.length === 0 ? ["new-session"] : request.argv);
    if (list instanceof ParseFailure) {
      if (list.getopt !== null) run.stderr = `${list.getopt}\n`;
      run.error(list.message);
    } else run.add(list);
    return this.step(server, run) ?? this.park(server, run);
  }

  // `null` when it waits.
  private step(server: Server, run: ClientRun): ClientReply | null {
    try {
      run.step();
    } catch (error) {
      if (!(error instanceof ServerCrash)) throw error;
      return this.crashed(server);
    }
    if (server.diesOfNews) return this.crashed(server);
    if (!run.done) return null;
    server.tellNews();
    clientLeft(server);
    countLingering(server);
    const { stdout, stderr } = run;
    return { exitCode: server.ending ? run.lastExitCode : run.exitCode, stdout, stderr };
  }

  private crashed(server: Server): ClientReply {
    endServer(this, server, "crash");
    return failed("server exited unexpectedly\n");
  }

  /** Runs a line of a client in control mode; its answer is where its blocks went. */
  runLine(server: Server, run: ClientRun): void {
    try {
      run.step();
    } catch (error) {
      if (!(error instanceof ServerCrash)) throw error;
      this.crashed(server);
      return;
    }
    if (server.diesOfNews) {
      this.crashed(server);
      return;
    }
    if (!run.done) outsideTheModel("a line in control mode that waits");
    server.tellNews();
    if (server.clients.some(({ leaving }) => leaving)) clientLeft(server);
    countLingering(server);
  }

  /** Called whenever something may have happened, for as long as the machine is there. */
  onSettled(look: () => void): void {
    this.lookers.push(look);
  }

  private park(server: Server, run: ClientRun): Unfinished {
    const unfinished = new Unfinished();
    this.waiting.push({ server, run, unfinished });
    return unfinished;
  }

  /** Lets clients go on that wait no more, and ends servers that are idle. */
  settle(): void {
    for (const server of this.servers) {
      if (server.diesOfNews) this.crashed(server);
      else server.tellNews();
    }
    for (let changed = true; changed; ) {
      changed = false;
      for (const each of this.waiting) {
        if (each.run.waits) continue;
        this.waiting = this.waiting.filter((other) => other !== each);
        const reply = this.step(each.server, each.run);
        if (reply === null) this.waiting.push(each);
        else each.unfinished.end(reply);
        changed = true;
      }
      for (const server of this.servers) {
        if (!server.isIdle()) continue;
        const flushed = this.waiting.some((each) => each.server === server);
        server.waits.flush();
        if (!flushed) endServer(this, server, "exit");
        changed = true;
      }
    }
    for (const look of this.lookers) look();
  }

  /** The clients of a server that died learn of it. */
  abandon(server: Server): void {
    const lost = this.waiting.filter((each) => each.server === server);
    this.waiting = this.waiting.filter((each) => each.server !== server);
    for (const { unfinished } of lost) unfinished.end(failed("server exited unexpectedly\n"));
  }

  /** A client that is gone waits no more; what it waits for is not told. */
  forget(unfinished: Unfinished): void {
    this.waiting = this.waiting.filter((each) => each.unfinished !== unfinished);
  }
}
