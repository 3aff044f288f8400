/**
 * Unfinished: a client whose commands wait.
 *
 * It tells its end once, also to one that asks later. Who waits for it is not known here, and a
 * client that is gone is taken out by its machine.
 */
import type { ClientReply } from "./Machine.js";

/** Mutable until its end. */
export class Unfinished {
  private reply: ClientReply | null = null;
  private tell: ((reply: ClientReply) => void) | null = null;

  end(reply: ClientReply): void {
    this.reply = reply;
    this.tell?.(reply);
  }

  onEnd(tell: (reply: ClientReply) => void): void {
    this.tell = tell;
    if (this.reply !== null) tell(this.reply);
  }
}
