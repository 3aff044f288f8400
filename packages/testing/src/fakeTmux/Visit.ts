/**
 * Visit: a client at the fake tmux, from when it comes until it has its answer or is gone.
 *
 * One that is gone, by its deadline or its caller, leaves no queue behind: what waited in it never
 * runs. It decides nothing about commands that tmux has met before.
 */

/** Mutable; one for each run that takes more than one step. */
export class Visit {
  /** tmux has met its commands. */
  acted = false;
  /** The server that it came to has died: nothing that it asks for is done any more. */
  lost = false;
  private gone = false;
  private leave: (() => void) | null = null;

  /** The client needs no answer any more. */
  close(): void {
    this.gone = true;
    this.leave?.();
  }

  /** What is to be done then; at once, when the client is gone already. */
  onClose(leave: () => void): void {
    this.leave = leave;
    if (this.gone) leave();
  }
}
