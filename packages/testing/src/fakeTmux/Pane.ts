/**
 * Pane: one program with its terminal, as tmux holds it.
 *
 * A pane whose program has ended stays when `remain-on-exit` says so: dead, with the way the
 * program ended. That can be unknown, while the program is a zombie that tmux has not reaped.
 */
import type { OptionSet } from "./OptionSet.js";
import type { PanePipe } from "./PanePipe.js";
import type { FakeProcess, ProcessEnd } from "./ProcessTree.js";
import type { ProgramRun } from "./Program.js";
import type { Screen } from "./Screen.js";
import type { Tty } from "./Tty.js";
import type { Window } from "./Window.js";

/** Mutable; owned by the server. */
export class Pane {
  /** What it was started with; empty for a login shell. */
  argv: ReadonlyArray<string> = [];
  shell = "/bin/sh";
  cwd = "/";
  process: FakeProcess | null = null;
  run: ProgramRun | null = null;
  tty: Tty | null = null;
  /** `false` when the terminal has gone and the pane is dead. */
  open = false;
  end: ProcessEnd | null = null;
  /** When it was shown as dead, in seconds. */
  deadSince: number | null = null;
  pipe: PanePipe | null = null;
  ttyNumber = 0;
  inCopyMode = false;
  /** What is typed into it by the list that runs. */
  typed = "";

  constructor(
    readonly number: number,
    readonly window: Window,
    readonly screen: Screen,
    readonly options: OptionSet,
  ) {}

  get id(): string {
    return `%${this.number}`;
  }
}
