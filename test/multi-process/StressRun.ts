/**
 * StressRun: a script played by real programs on one home, with what each call came to.
 *
 * It goes on as fast as the calls do. When every program that still has calls is stopped, the next
 * trouble comes at once. A program that was killed is started anew and goes on with its calls.
 */
import { lives } from "../support/Processes.js";
import type { Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";
import type { Answer } from "./SessionsProgram.js";
import { StressLane } from "./StressLane.js";
import { StressLog } from "./StressLog.js";
import type { Call, Script, Trouble } from "./StressScript.js";

/** A call that has ended. */
export interface Told {
  readonly call: Call;
  readonly answer: Answer;
  /** The newest event of the log when the call began, and when it had ended. */
  readonly from: number;
  readonly to: number;
  /** How long it took, without the time that its program stood still. */
  readonly ms: number;
}

/** What was played. */
export interface Played {
  readonly told: ReadonlyArray<Told>;
  /** How often what was done. */
  readonly done: Readonly<Record<Trouble["what"], number>>;
}

class Player {
  private readonly lanes: ReadonlyArray<StressLane>;
  private readonly left: Array<Trouble>;
  private readonly told: Array<Told> = [];
  private readonly done = { kill: 0, stop: 0, continue: 0, "end the server": 0 };
  private troubling: Promise<void> = Promise.resolve();

  constructor(
    private readonly stage: Stage,
    private readonly script: Script,
    private readonly log: StressLog,
    private readonly mayHoldAll: boolean,
  ) {
    this.lanes = script.calls.map(() => new StressLane(stage));
    this.left = [...script.troubles];
  }

  /** A program that stands still in the middle of a write holds all others up, to their bound. */
  private async stop(lane: StressLane): Promise<void> {
    await lane.stop();
    if (this.mayHoldAll) return;
    let looks = 0;
    const isFree = await waitFor("a registry that is free", () =>
      this.log.isFree ? "yes" : ++looks === 20 && "no",
    );
    if (isFree === "no") lane.goOn();
  }

  /** Ends the server, when one answers. */
  private async endServer(): Promise<void> {
    const { code, out } = this.stage.tmux("display-message", "-p", "#{pid}");
    const pid = Number(out);
    if (code !== 0 || !(pid > 1)) return;
    process.kill(pid, "SIGKILL");
    await waitFor("the end of the server", () => !lives(pid));
    this.done["end the server"] += 1;
  }

  private async make({ program, what }: Trouble): Promise<void> {
    if (what === "end the server") return this.endServer();
    const lane = this.lanes[program];
    if (lane === undefined || (lane.finished && what !== "continue")) return;
    this.done[what] += 1;
    if (what === "kill") return lane.replace();
    if (what === "stop") return this.stop(lane);
    lane.goOn();
  }

  /** The troubles that are due, one after the other; those at the end only let go. */
  private trouble(): Promise<void> {
    const due = async (): Promise<void> => {
      for (;;) {
        const [next] = this.left;
        const waiting = this.lanes.filter(({ finished }) => !finished);
        const isStuck = waiting.length > 0 && waiting.every(({ isStopped }) => isStopped);
        if (next === undefined || (next.at > this.told.length && !isStuck)) return;
        this.left.shift();
        await this.make(next);
      }
    };
    this.troubling = this.troubling.then(due);
    return this.troubling;
  }

  private async play(lane: StressLane, calls: ReadonlyArray<Call>): Promise<void> {
    for (const call of calls) {
      const program = await lane.ready();
      const from = this.log.newest;
      const begun = lane.now;
      const answer = await program.ask(call.method, ...call.words);
      if (answer.died === true) lane.check(program);
      this.told.push({ call, answer, from, to: this.log.newest, ms: lane.now - begun });
      await this.trouble();
    }
    lane.finished = true;
    await this.trouble();
  }

  async run(): Promise<Played> {
    try {
      await Promise.all(this.lanes.map((lane, at) => this.play(lane, this.script.calls[at] ?? [])));
      await this.troubling;
      for (const lane of this.lanes) lane.goOn();
      await Promise.all(this.lanes.map(({ program }) => program.end()));
    } finally {
      await Promise.all(this.lanes.map(({ program }) => program.kill()));
    }
    const { done, told } = this;
    return { done, told };
  }
}

/**
 * Plays the script. With `mayHoldAll` a program may stand still while it writes to the registry,
 * which nobody else can write to then.
 */
export const playStress = async (
  stage: Stage,
  script: Script,
  options: { readonly mayHoldAll: boolean },
): Promise<Played> => {
  const log = new StressLog(stage);
  try {
    return await new Player(stage, script, log, options.mayHoldAll).run();
  } finally {
    log.close();
  }
};
