/**
 * ClientRun: one client from its first command to its exit, with the queue of its commands.
 *
 * Commands run one after the other in one step, until the list ends or one waits. An error takes
 * the rest of its group out of the queue and makes the exit code 1; what was printed stays.
 */
import type { AttachedClient, FormatClient } from "./AttachedClient.js";
import type { Command, CommandList, CommandResult, CommandRun } from "./Command.js";
import { formatTarget } from "./FormatContext.js";
import { FoundTarget } from "./FoundTarget.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import type { Server } from "./Server.js";
import type { Session } from "./Session.js";
import { findTargetClient } from "./TargetClient.js";
import { findTarget, TargetMissing } from "./Targets.js";
import { sanitize, visOutput } from "./Vis.js";

/** What a client brings with it. */
export interface ClientInput {
  readonly stdin: Uint8Array | null;
  /** `null` for a client that shows a session: its panes have the PATH of their session. */
  readonly path: string | null;
}

interface QueueItem {
  /** `null` for work that is no command. */
  readonly command: Command | null;
  readonly run: (() => void) | null;
}

const itemsOf = ({ commands }: CommandList): ReadonlyArray<QueueItem> =>
  commands.map((command) => ({ command, run: null }));

/** Mutable while its commands run. */
export class ClientRun implements FormatClient {
  readonly lastSession = null;
  stdout = "";
  stderr = "";
  exitCode = 0;
  protected readonly current = new FoundTarget();
  private queue: Array<QueueItem> = [];
  private waiting = false;
  private stdinTaken = false;
  private errors = 0;
  private readonly writes = { stdout: 0, stderr: 0 };
  private stdoutIsFile = false;
  private ownPid: number | null = null;

  constructor(
    private readonly server: Server,
    private readonly input: ClientInput,
  ) {}

  get pid(): number {
    this.ownPid ??= this.server.machine.tree.reservePid();
    return this.ownPid;
  }

  get name(): string {
    return `client-${this.pid}`;
  }

  get created(): number {
    return this.server.seconds();
  }

  get path(): string | null {
    return this.input.path;
  }

  /** The session that the client shows. */
  get session(): Session | null {
    return null;
  }

  /** Whether it can show a session. */
  get attaches(): boolean {
    return false;
  }

  get flags(): ReadonlyArray<string> {
    return [];
  }

  /** Begins to show a session, with these flags. */
  show(session: Session, flags: string): void {
    outsideTheModel(`a client that shows ${session.name} with ${flags}`);
  }

  /**
   * The exit code where the server ends with this client. tmux sends the code only when nothing
   * is left to write, and the first write of a stream is held until there is a second one.
   */
  get lastExitCode(): number {
    const { stderr, stdout } = this.writes;
    return stdout === 1 || stderr === 1 ? 0 : this.exitCode;
  }

  /** Whether nothing is left to do. */
  get done(): boolean {
    return this.queue.length === 0 && !this.waiting;
  }

  /** Whether it can only go on when something else happens. */
  get waits(): boolean {
    return this.waiting;
  }

  /** What is on stdin. A second reader finds it empty. */
  takeStdin(): Uint8Array {
    const bytes = this.stdinTaken ? null : this.input.stdin;
    this.stdinTaken = true;
    return bytes ?? new Uint8Array();
  }

  add(list: CommandList): void {
    for (const command of list.commands) this.queue.push({ command, run: null });
  }

  /** A line of output, as this client can show it. */
  print(line: string): void {
    this.printRaw(`${this.shown(line)}\n`);
  }

  /** Output as it is, without a newline of its own. */
  printRaw(text: string): void {
    this.writes.stdout++;
    if (this.stdoutIsFile) outsideTheModel("lines behind a buffer that is shown");
    this.stdout += text;
  }

  /** Writes stdout as a file. A client's stdout can be opened once: for lines, or as a file. */
  writeFile(text: string): void {
    if (this.stdoutIsFile || this.writes.stdout > 0) {
      this.error("-: Bad file descriptor");
      return;
    }
    this.stdoutIsFile = true;
    this.stdout += text;
  }

  /** Runs sourced lists next, then tells on stdout what could not be read. */
  source(lists: ReadonlyArray<CommandList>, failures: ReadonlyArray<string>): void {
    if (failures.length > 0) {
      this.exitCode = 1;
      this.errors++;
    }
    const tell = () => {
      for (const failure of failures) this.print(failure);
    };
    this.insert([
      ...lists.flatMap(({ commands }) => commands.map((command) => ({ command, run: null }))),
      { command: null, run: tell },
    ]);
  }

  error(message: string): void {
    this.writes.stderr++;
    const { utf8 } = this.server.machine.settings;
    this.stderr += `${utf8 ? message : sanitize(message)}\n`;
    this.exitCode = 1;
    this.errors++;
  }

  private shown(line: string): string {
    const { rules, machine } = this.server;
    const text = rules.octalOutput ? visOutput(line, rules.dollar) : line;
    return machine.settings.utf8 ? text : sanitize(text);
  }

  /** Runs to the end of the queue, or until a command waits. */
  step(): void {
    while (!this.waiting) {
      const item = this.queue.shift();
      if (item === undefined) return;
      if (item.command === null) item.run?.();
      else {
        const told = this.errors;
        const result = this.fire(item.command);
        const succeeded = result !== "error" && this.errors === told;
        this.server.machine.count(item.command.spec.name, succeeded);
        this.finish(item.command, result);
      }
    }
  }

  private finish(command: Command, result: CommandResult): void {
    if (result === "wait") this.waiting = true;
    if (result !== "error") return;
    this.queue = this.queue.filter((item) => item.command?.group !== command.group);
  }

  /** Goes on behind the command that waited. */
  resume(): void {
    this.waiting = false;
  }

  protected fire(command: Command): CommandResult {
    const { spec } = command;
    const targetClient = findTargetClient(this.server, command);
    if (typeof targetClient === "string") {
      this.error(targetClient);
      return "error";
    }
    const source = this.find(command, "source");
    if (source === null) return "error";
    const target = this.find(command, "target");
    if (target === null) return "error";
    return spec.run(this.runOf(command, target, source, targetClient));
  }

  private find(command: Command, which: "source" | "target"): FoundTarget | null {
    const flag = command.spec[which];
    if (flag === undefined)
      return which === "target" ? this.server.currentTarget() : new FoundTarget();
    const text = command.args.get(flag.flag);
    const found = findTarget(this.server, this.current, text, flag);
    if (!(found instanceof TargetMissing)) return found;
    if (flag.canFail === true) return found.partial;
    this.error(found.message);
    return null;
  }

  private runOf(
    command: Command,
    target: FoundTarget,
    source: FoundTarget,
    targetClient: AttachedClient | null,
  ): CommandRun {
    const { server, current } = this;
    const run: CommandRun = {
      server,
      client: this,
      command,
      args: command.args,
      target,
      source,
      targetClient,
      current,
      format: (template) => formatTarget(run, target, template),
      print: (line) => this.print(line),
      fail: (message) => {
        this.error(message);
        return "error";
      },
      insert: (list) => this.insert(itemsOf(list)),
      about: (made, list) => this.insertAbout(made, list),
    };
    return run;
  }

  private insertAbout(made: FoundTarget, list: CommandList | null): void {
    if (list === null) return;
    const before = new FoundTarget();
    const enter = () => {
      before.copyFrom(this.current);
      this.current.copyFrom(made);
    };
    const leave = () => this.current.copyFrom(before);
    const work = (run: () => void) => ({ command: null, run });
    this.insert([work(enter), ...itemsOf(list), work(leave)]);
  }

  /** Puts work right behind the command that runs. */
  insert(items: ReadonlyArray<QueueItem>): void {
    this.queue.unshift(...items);
  }
}
