/**
 * AwakeCount: how much of the time that passed this program was awake for.
 *
 * It is shown the time again and again. A gap that is longer than the most that is ever between
 * two looks was a suspend, a stop or a blocked event loop, and counts as the most. So it may fall
 * behind and never runs ahead of the time that it is shown. It reads no clock itself.
 */

/** Mutable; one for each clock. */
export class AwakeCount {
  private awakeMs = 0;

  /** `lastMs`: the time now. `mostMs`: the longest gap that a program that is awake leaves. */
  constructor(
    private lastMs: number,
    private readonly mostMs: number,
  ) {}

  /** Takes a look at the time and gives the total; time that went back adds nothing. */
  look(timeMs: number): number {
    this.awakeMs += Math.min(Math.max(timeMs - this.lastMs, 0), this.mostMs);
    this.lastMs = timeMs;
    return this.awakeMs;
  }
}
