/**
 * StressLane: one program of a stress run after another: who is killed is followed by the next.
 *
 * It knows whether its program stands still, and the time that passed for it while it did not.
 */
import type { Stage } from "../support/Stage.js";
import { SessionsProgram } from "./SessionsProgram.js";

/** Short waits: a name that a stopped program holds is given up soon. */
const settings = { claimWaitMs: 300, graceMs: 0, inputSettleMs: 10 };

/** A program, and the time as it passes there. */
export class StressLane {
  private stoppedAt: number | null = null;
  private stood = 0;
  program: SessionsProgram;
  finished = false;

  constructor(private readonly stage: Stage) {
    this.program = new SessionsProgram(stage, settings);
  }

  get isStopped(): boolean {
    return this.stoppedAt !== null;
  }

  /** The time that passed for a program that does not stand still. */
  get now(): number {
    return (this.stoppedAt ?? performance.now()) - this.stood;
  }

  async stop(): Promise<void> {
    await this.program.stop();
    this.stoppedAt ??= performance.now();
  }

  /** A program that is ready; one that ends although nobody killed it is a bug. */
  async ready(): Promise<SessionsProgram> {
    for (;;) {
      const { program } = this;
      if (await program.ready) return program;
      this.check(program);
    }
  }

  /** Nobody but this lane ends its program. */
  check(program: SessionsProgram): void {
    if (program === this.program) throw new Error("a program ended by itself");
  }

  goOn(): void {
    this.program.signal("SIGCONT");
    if (this.stoppedAt !== null) this.stood += performance.now() - this.stoppedAt;
    this.stoppedAt = null;
  }

  /** Kills the program, and starts another. */
  async replace(): Promise<void> {
    const gone = this.program.kill();
    this.goOn();
    this.program = new SessionsProgram(this.stage, settings);
    await gone;
  }
}
