/**
 * Timers: what the fake machine does later.
 *
 * There is no clock in here: time is what `advance` is told, and everything that is due by then
 * runs in the order of its time, then in the order in which it was asked for.
 */

interface Timer {
  readonly at: number;
  readonly sequence: number;
  readonly run: () => void;
}

/** The pending work of one machine. */
export class Timers {
  private pending: Array<Timer> = [];
  private sequence = 0;

  constructor(
    /** Now, in milliseconds since 1970. */
    public now: number,
  ) {}

  after(milliseconds: number, run: () => void): void {
    const timer = { at: this.now + Math.max(0, milliseconds), sequence: this.sequence++, run };
    const before = this.pending.findLastIndex(({ at }) => at <= timer.at);
    this.pending.splice(before + 1, 0, timer);
  }

  /** When the next work is due; `null` when there is none. */
  next(): number | null {
    return this.pending[0]?.at ?? null;
  }

  /** Runs what is due. Time never goes back: an earlier instant only runs what is due already. */
  advance(now: number): void {
    for (;;) {
      const timer = this.pending[0];
      if (timer === undefined || timer.at > now) break;
      this.pending.shift();
      this.now = Math.max(this.now, timer.at);
      timer.run();
    }
    this.now = Math.max(this.now, now);
  }
}
