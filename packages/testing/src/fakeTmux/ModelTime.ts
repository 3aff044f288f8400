/**
 * ModelTime: the clock of the program to the time of the fake machine.
 *
 * Virtual clocks begin at 0, which tmux takes for "no time"; times near the epoch are therefore
 * moved to November 2023. Any other clock is taken as it is.
 */

const movedTo = 1_700_000_000_000;
const nearEpoch = 1_000_000_000_000;

/** Decided once, when the machine begins. */
export class ModelTime {
  private readonly offset: number;

  constructor(firstMillis: number) {
    this.offset = firstMillis < nearEpoch ? movedTo : 0;
  }

  of(millis: number): number {
    return millis + this.offset;
  }
}
