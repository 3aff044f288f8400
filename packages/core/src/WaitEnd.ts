/**
 * WaitEnd: whether the terminal of a wait has ended, looked for when there is a reason, and from
 * time to time.
 *
 * A reason is that its program is gone, which proves nothing, or that this program lets go of the
 * session. A terminal that is deleted or lost ends the wait; that its program ended
 * is told, for whoever waits to say what that means.
 */
import { Deferred, Effect, Either } from "effect";
import { Looks } from "./Looks.js";
import { type Ended, lookAtEnd } from "./OutputReader.js";
import { ProcessTable } from "./ProcessTable.js";
import { Closing, NotFound } from "./SessionError.js";
import { Settings } from "./Settings.js";
import type { WaitFor } from "./Wait.js";

const attempted = "wait";

/** The first and the longest pause between two looks. */
const FIRST_MS = 100;
const LONGEST_MS = 2_000;

/** Mutable; one fiber at a time looks. */
export class WaitEnd {
  readonly looks: Looks;
  private sawClosed = false;
  private settledByMs: number | null = null;
  /** The program of the terminal, until it was seen to be gone. */
  private pid: number | null;

  constructor(private readonly wait: WaitFor) {
    const { beganMs, output, record } = wait;
    this.looks = new Looks(beganMs, FIRST_MS, LONGEST_MS);
    this.pid = record.terminals.find((t) => t.terminal === output.terminal)?.panePid ?? null;
  }

  /** Whether there is a program that may be seen to go. */
  get isWatching(): boolean {
    return this.pid !== null;
  }

  /** Done when this program lets go of the session, once. */
  get closing(): Effect.Effect<void> {
    return this.sawClosed ? Effect.never : Deferred.await(this.wait.closed);
  }

  /** Looks whether the program is gone, and hurries the next look when it is. */
  watch(now: number) {
    return Effect.gen(this, function* () {
      if (!(yield* this.isProgramGone)) return;
      this.pid = null;
      this.looks.hurry(now);
    });
  }

  /** How the program ended; `null` while the terminal lives, as far as is known. */
  look(now: number) {
    return Effect.gen(this, function* () {
      const { closed, output, record } = this.wait;
      const { session } = record;
      const closing = !this.sawClosed && (yield* Deferred.isDone(closed));
      if (!closing && now < this.looks.dueMs) return null;
      const taken = yield* this.looks.take(lookAtEnd(output, attempted));
      const { ended, gone } = taken?.told ?? { ended: null, gone: null };
      this.sawClosed ||= closing;
      if (closing && ended === null) return yield* new Closing({ session, attempted });
      if (ended === null || ended.reason === "exited") return ended;
      return yield* new NotFound({ session, attempted, terminal: output.terminal, state: gone });
    });
  }

  /**
   * Whether it is known how it ended, or was not for as long as that may take: tmux may not have
   * reaped the program yet. Else it is looked at again.
   */
  isSettled({ exit }: Ended, now: number) {
    return Effect.gen(this, function* () {
      const { outputSettleMs } = yield* Settings;
      this.settledByMs ??= now + outputSettleMs;
      if (exit !== null && (exit.code !== null || exit.signal !== null)) return true;
      this.looks.dueMs = Math.min(this.looks.dueMs, Math.max(now + FIRST_MS, this.settledByMs));
      return now >= this.settledByMs;
    });
  }

  private readonly isProgramGone = Effect.gen(this, function* () {
    if (this.pid === null) return false;
    const processes = yield* ProcessTable;
    const entry = yield* Effect.either(processes.look(this.pid));
    return Either.isRight(entry) && entry.right === null;
  });
}
