/**
 * Program: what runs in a pane of the fake, and what it can do there.
 *
 * A program is a function that is called once when its process starts. It acts through its
 * `ProgramRun`, in synchronous steps on the fake's own time; it has no fiber and no clock. What it
 * asks for after its end does nothing.
 */
import { outsideTheModel, placing } from "./OutsideTheModel.js";
import { checkSignal, type FakeProcess, type ProcessTree, type SignalName } from "./ProcessTree.js";
import type { Timers } from "./Timers.js";
import type { Tty } from "./Tty.js";

/** Called with the run of one process. It may return at once and go on by timers and input. */
export type Program = (run: ProgramRun) => void;

/** The programs that are installed on the fake machine: by name, path, or text of a script. */
export interface Programs {
  readonly find: (name: string) => Program | null;
}

/** What a run stands on. */
export interface ProgramHost {
  readonly timers: Timers;
  readonly tree: ProcessTree;
  readonly programs: Programs;
  /** What an interactive shell asks with. */
  readonly prompt: string;
  readonly settings: {
    readonly missingDirectories: ReadonlySet<string>;
    readonly missingPrograms: ReadonlySet<string>;
    readonly unknownPrograms: "defect" | "missing";
  };
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** One process that runs a program. */
export class ProgramRun {
  private generation = 0;

  constructor(
    private readonly host: ProgramHost,
    readonly process: FakeProcess,
    /** Its terminal; `null` for one that left it. */
    readonly tty: Tty | null,
    /** The program's name and its arguments. */
    public argv: ReadonlyArray<string>,
    readonly cwd: string,
    /** The id of the pane that it was started in. */
    readonly pane: string,
  ) {}

  get pid(): number {
    return this.process.pid;
  }

  get env(): ReadonlyMap<string, string> {
    return this.process.environment;
  }

  get prompt(): string {
    return this.host.prompt;
  }

  /** Whether the directory is there to be entered. */
  canEnter(directory: string): boolean {
    return !this.host.settings.missingDirectories.has(directory);
  }

  get alive(): boolean {
    return this.process.state === "running";
  }

  /** Prints on its terminal; `\n` begins a new line. */
  write(text: string): void {
    if (this.alive) this.tty?.output(text);
  }

  /** Ends with the lowest eight bits of the code, as the kernel keeps them. */
  exit(code: number): void {
    this.host.tree.finish(this.process, { _tag: "Exited", code: code & 255 });
  }

  /** Takes a step of this program: a defect in it tells the pane and the command line. */
  step<A>(step: () => A): A {
    return placing(() => `pane ${this.pane}, which runs ${JSON.stringify(this.argv)}`, step);
  }

  /** Goes on later, unless the process has ended or become another program by then. */
  after(milliseconds: number, then: () => void): void {
    const { generation } = this;
    this.host.timers.after(milliseconds, () => {
      if (this.alive && this.generation === generation) this.step(then);
    });
  }

  /** What is typed: whole lines with their newline, or bytes as they come after `raw`. */
  onInput(handler: (text: string) => void): void {
    if (this.tty === null) return;
    this.tty.reader = (text) => this.step(() => handler(text));
    this.tty.flush();
  }

  /** Turns off the terminal's own echo and line editing. */
  raw(): void {
    this.tty?.setRaw();
  }

  /** Makes a process group of its own, and that the one that the terminal's keys interrupt. */
  toForeground(): void {
    this.process.group = this.pid;
    if (this.tty !== null) this.tty.foreground = this.pid;
  }

  /** What a signal does from now on, in place of ending it. */
  onSignal(signal: SignalName, handler: "ignore" | (() => void)): void {
    checkSignal(signal);
    const own = handler === "ignore" ? handler : () => this.step(handler);
    this.process.handlers.set(signal, own);
  }

  /** Starts a child on the same terminal; `detached` gives it a kernel session of its own. */
  spawn(program: Program, options: { readonly detached: boolean }): ProgramRun {
    const process = this.host.tree.spawn({
      parent: this.pid,
      leader: options.detached ? null : this.process.leader,
      program: this.process.program,
      environment: this.env,
    });
    const tty = options.detached ? null : this.tty;
    const child = new ProgramRun(this.host, process, tty, this.argv, this.cwd, this.pane);
    child.step(() => program(child));
    return child;
  }

  /**
   * Replaces itself by another program, as exec(2): `false` when the machine was said to have none
   * of that name. One that nobody said anything of is outside of the model.
   */
  become(argv: ReadonlyArray<string>): boolean {
    const name = argv[0] ?? outsideTheModel("a program without a name");
    const program = this.find(name);
    if (program === null) return false;
    this.generation++;
    this.argv = argv;
    this.process.program = baseName(name).slice(0, 15);
    for (const [signal, handler] of [...this.process.handlers]) {
      if (handler !== "ignore") this.process.handlers.delete(signal);
    }
    if (this.tty !== null) this.tty.reader = null;
    this.step(() => program(this));
    return true;
  }

  private find(name: string): Program | null {
    const { programs, settings } = this.host;
    if (settings.missingPrograms.has(name)) return null;
    const program = programs.find(name) ?? programs.find(baseName(name));
    if (program !== null || settings.unknownPrograms === "missing") return program;
    return this.step(() =>
      outsideTheModel(`the program ${name} (in neither programs nor missingPrograms)`),
    );
  }
}
