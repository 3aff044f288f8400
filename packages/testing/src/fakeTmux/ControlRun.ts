/**
 * ControlRun: one line of a client in control mode, or the list that it begins with.
 *
 * What each command prints and the error that it raises stand in a block of its own. It is about
 * the session that its client shows, has no PATH to give to a pane, and what its client makes
 * without `-d`, that it shows from then on.
 */
import type { AttachedClient } from "./AttachedClient.js";
import { ClientRun } from "./ClientRun.js";
import type { Command, CommandResult } from "./Command.js";
import { FoundTarget } from "./FoundTarget.js";
import type { Server } from "./Server.js";
import type { Session } from "./Session.js";

/** The client that a run is of. */
export interface ControlOwner {
  readonly attached: AttachedClient | null;
  readonly show: (session: Session, flags: string) => void;
  readonly block: (text: string, failed: boolean) => void;
}

/** Mutable while its commands run. */
export class ControlRun extends ClientRun {
  constructor(
    server: Server,
    private readonly owner: ControlOwner,
  ) {
    super(server, { stdin: null, path: null });
    const { attached } = owner;
    if (attached !== null) this.current.copyFrom(FoundTarget.ofSession(attached.session));
  }

  override get session(): Session | null {
    return this.owner.attached?.session ?? null;
  }

  override get pid(): number {
    return this.owner.attached?.pid ?? super.pid;
  }

  override get attaches(): boolean {
    return true;
  }

  override get flags(): ReadonlyArray<string> {
    return this.owner.attached?.flags ?? [];
  }

  override show(session: Session, flags: string): void {
    this.owner.show(session, flags);
    this.current.copyFrom(FoundTarget.ofSession(session));
  }

  protected override fire(command: Command): CommandResult {
    const [printed, told] = [this.stdout.length, this.stderr.length];
    const result = super.fire(command);
    const text = this.stdout.slice(printed) + this.stderr.slice(told);
    this.owner.block(text, result === "error");
    return result;
  }
}
