/**
 * Faults: what may go wrong between a client and tmux, as data.
 *
 * A fault is for the runs that it matches, once unless it says otherwise. Faults that were given
 * first come first; a run meets at most one.
 */
import type { TmuxReply, TmuxRequest } from "@troupe/tmux";

/** What happens to one run. */
export type Fault =
  /** The client ends with this, and tmux has done nothing. */
  | {
      readonly _tag: "Reply";
      /** What it hears, by what it asked. */
      readonly reply: (request: TmuxRequest) => TmuxReply;
    }
  /** tmux does it; what the client hears is changed. */
  | {
      readonly _tag: "Rewrite";
      /** What it hears in place of tmux's answer. */
      readonly rewrite: (reply: TmuxReply) => TmuxReply;
    }
  /**
   * The client hears nothing before its deadline. `at-once`: tmux did it. `released`: tmux does it
   * when the test releases what hangs, and then answers a client that still waits. `never`: not.
   */
  | { readonly _tag: "Hang"; readonly effect: "at-once" | "released" | "never" }
  /** tmux takes its time before it acts, or before it answers. */
  | { readonly _tag: "Slow"; readonly beforeMs: number; readonly afterMs: number }
  /** The server dies; the socket stays as a file. */
  | { readonly _tag: "Crash"; readonly effect: boolean };

/** A fault with the runs that it is for. */
export interface FaultRule {
  readonly fault: Fault;
  /** Every run, when it is left out. */
  readonly matches?: (request: TmuxRequest) => boolean;
  /** How many matching runs pass before it. */
  readonly skip?: number;
  /** How many runs it is for: one when it is left out, none when it is 0. */
  readonly times?: number;
}

const reply = (exitCode: number, stdout: string, stderr: string): Fault => ({
  _tag: "Reply",
  reply: () => ({ exitCode, stdout, stderr }),
});

/** Faults by name. */
export const Fault = {
  /** Exit code 1 with this on stderr, and no effect. */
  refuse: (stderr: string): Fault => reply(1, "", stderr),
  /** The answer of a success that did not happen. */
  replyWithoutEffect: (answer: TmuxReply | ((request: TmuxRequest) => TmuxReply)): Fault => ({
    _tag: "Reply",
    reply: typeof answer === "function" ? answer : () => answer,
  }),
  /** Exit code 0, nothing printed, nothing done: a client that got SIGTERM. */
  silent: reply(0, "", ""),
  /** Done, but nobody hears of it before the deadline. */
  effectWithoutReply: { _tag: "Hang", effect: "at-once" } satisfies Fault as Fault,
  /** Not done before the test releases it, which may be after the client was killed. */
  lateEffect: { _tag: "Hang", effect: "released" } satisfies Fault as Fault,
  /** Never done and never answered. */
  hang: { _tag: "Hang", effect: "never" } satisfies Fault as Fault,
  /** Done; the answer is changed. */
  rewrite: (rewrite: (reply: TmuxReply) => TmuxReply): Fault => ({ _tag: "Rewrite", rewrite }),
  /** Done; the last line of the answer is missing. */
  shortened: {
    _tag: "Rewrite",
    rewrite: (answer) => ({ ...answer, stdout: answer.stdout.replace(/[^\n]*\n$/, "") }),
  } satisfies Fault as Fault,
  /** Done; every line of the answer has its first field only. */
  garbled: {
    _tag: "Rewrite",
    rewrite: (answer) => ({ ...answer, stdout: answer.stdout.replace(/ .*$/gm, "") }),
  } satisfies Fault as Fault,
  /** Acts after a while, and answers after another. */
  slow: (beforeMs: number, afterMs = 0): Fault => ({ _tag: "Slow", beforeMs, afterMs }),
  /** The server dies before it acts. */
  crashBefore: { _tag: "Crash", effect: false } satisfies Fault as Fault,
  /** The server dies when it has acted, before it answers. */
  crashAfter: { _tag: "Crash", effect: true } satisfies Fault as Fault,
} as const;

interface Pending {
  readonly rule: FaultRule;
  skip: number;
  times: number;
}

/** The faults that are still to come. */
export class FaultPlan {
  private pending: Array<Pending> = [];

  add(rule: FaultRule): void {
    const times = rule.times ?? 1;
    if (times > 0) this.pending.push({ rule, skip: rule.skip ?? 0, times });
  }

  clear(): void {
    this.pending = [];
  }

  /** The fault of this run, which uses it up. */
  take(request: TmuxRequest): Fault | null {
    for (const each of this.pending) {
      if (each.rule.matches?.(request) === false) continue;
      if (each.skip > 0) {
        each.skip--;
        continue;
      }
      each.times--;
      this.pending = this.pending.filter(({ times }) => times > 0);
      return each.rule.fault;
    }
    return null;
  }
}
