/**
 * Command: what a command of tmux is, before and while it runs.
 *
 * A command runs in one synchronous step on the model. It says what it prints and which error it
 * raises through its `CommandRun`; the queue decides what an error does to the rest of the list.
 */
import type { ArgumentShape, Arguments } from "./Arguments.js";
import type { AttachedClient } from "./AttachedClient.js";
import type { ClientRun } from "./ClientRun.js";
import type { FoundTarget, TargetKind } from "./FoundTarget.js";
import type { Server } from "./Server.js";
import type { DollarEscape } from "./Vis.js";

/** `wait`: the rest of the list waits until something else continues this client. */
export type CommandResult = "normal" | "error" | "wait";

/** Which flag names the target, and what a miss means. */
export interface TargetFlag {
  readonly flag: string;
  readonly kind: TargetKind;
  /** A target that is not there leaves the found one empty instead of failing. */
  readonly canFail?: boolean;
  /** An index that no window has is a place for a new one. */
  readonly windowIndex?: boolean;
}

/** A command that the fake knows how to run. */
export interface CommandSpec {
  readonly name: string;
  readonly usage: string;
  readonly shape: ArgumentShape;
  readonly target?: TargetFlag;
  readonly source?: TargetFlag;
  /** The flag that names a client. */
  readonly client?: { readonly flag: "c" | "t"; readonly canFail: boolean };
  readonly startsServer?: boolean;
  readonly run: (run: CommandRun) => CommandResult;
}

/** One command of a list, parsed. Commands of one group fail together. */
export class Command {
  constructor(
    readonly spec: CommandSpec,
    readonly args: Arguments,
    public group: number,
    /** The file it stands in, for the errors of what it parses later; `null` for an argv. */
    readonly file: string | null,
    readonly line: number,
  ) {}
}

/** Commands in order. */
export class CommandList {
  constructor(
    readonly commands: ReadonlyArray<Command>,
    private readonly dollar: DollarEscape,
  ) {}

  /** As tmux prints it: `;` within a group, `;;` between groups. */
  print(): string {
    return this.commands
      .map((command, at) => {
        const args = command.args.print(this.dollar);
        const shown = args === "" ? command.spec.name : `${command.spec.name} ${args}`;
        const next = this.commands[at + 1];
        return next === undefined
          ? shown
          : `${shown} ${next.group === command.group ? ";" : ";;"} `;
      })
      .join("");
  }
}

/** A command that runs now: what it was asked for and how it answers. */
export interface CommandRun {
  readonly server: Server;
  readonly client: ClientRun;
  readonly command: Command;
  readonly args: Arguments;
  readonly target: FoundTarget;
  readonly source: FoundTarget;
  readonly targetClient: AttachedClient | null;
  /** The target of the list, which creations without `-d` change for what follows. */
  readonly current: FoundTarget;
  /** Expands a format for the target. */
  readonly format: (template: string) => string;
  /** One line of output. */
  readonly print: (line: string) => void;
  /** Reports an error and gives the result of a command that fails. */
  readonly fail: (message: string) => "error";
  /** Lets these commands run right behind this one. */
  readonly insert: (list: CommandList) => void;
  /** Lets these commands run right behind this one, about what it made. */
  readonly about: (made: FoundTarget, list: CommandList | null) => void;
}
