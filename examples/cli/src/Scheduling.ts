/**
 * Scheduling: how fibers take turns in this program: only where they wait or yield themselves.
 *
 * The default scheduler also yields after 2048 operations, which gives input and output no turn
 * and makes a program harder to reason about. The library needs neither behaviour; a program of
 * our own chooses the calmer one.
 */
import { Scheduler } from "effect";

/** Effect's own scheduler without its automatic yields. */
export class CalmScheduler extends Scheduler.MixedScheduler {
  constructor() {
    super(2048);
  }

  override shouldYield(): false {
    return false;
  }
}
