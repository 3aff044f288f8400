/**
 * Waiter: one wait under way: when it looks at what, and what it makes of it.
 *
 * What is recorded of the terminal says when it printed, and only then is the screen looked at, the
 * less often the more is printed. Where nothing is recorded the screen is looked at with pauses
 * that double. An end that nobody waits for ends the wait, too: nothing is printed behind it.
 */
import { Clock, Effect } from "effect";
import type { Unknown } from "./Looks.js";
import type { Ended } from "./OutputReader.js";
import { type Heard, Printing } from "./Printing.js";
import type { ProgramExit } from "./Session.js";
import { Settings } from "./Settings.js";
import type { WaitFor } from "./Wait.js";
import { WaitEnd } from "./WaitEnd.js";
import { type Matched, WaitScreen } from "./WaitScreen.js";
import { WaitTimeout } from "./WaitTimeout.js";

const attempted = "wait";

/** How long no hint is listened to behind one that told of something. */
const DEAF_MS = 50;
/** How long before the deadline the screen is looked at for the last time, at most. */
const LAST_MS = 500;

/** How the condition came true: what matched, or how it ended, where that was waited for. */
export interface Found extends Matched {
  readonly exit: ProgramExit | null;
}

const found = (exit: ProgramExit | null): Found => ({ line: null, number: null, exit });

/** Mutable; one fiber at a time waits. */
export class Waiter {
  private readonly printing: Printing;
  private readonly screen: WaitScreen;
  private readonly end: WaitEnd;
  private heard: Heard = { printed: null, recorder: null };
  private tookLast = false;
  private deafUntilMs = 0;

  constructor(private readonly wait: WaitFor) {
    const { beganMs, output, record } = wait;
    this.printing = new Printing(output, record.spec.log, beganMs);
    this.screen = new WaitScreen(wait);
    this.end = new WaitEnd(wait);
  }

  /** Looks once; `null` when the condition does not hold. */
  readonly look = Effect.gen(this, function* () {
    const now = yield* Clock.currentTimeMillis;
    this.heed(yield* this.printing.listen, now);
    yield* this.end.watch(now);
    return (yield* this.lookAtScreen(now)) ?? (yield* this.lookForEnd(now)) ?? (yield* this.quiet);
  });

  /** Looks until the condition holds. */
  readonly run = Effect.gen(this, function* () {
    for (;;) {
      const found = yield* this.look;
      if (found !== null) return found;
      yield* this.rest;
    }
  });

  /** What a wait that is over now fails with; `ended` is how the program did, if that is why. */
  failure(now: number, ended: Ended | null): WaitTimeout | Unknown {
    const { beganMs, condition, output, record, timeoutMs } = this.wait;
    const { session } = record;
    const looks = "exit" in condition ? this.end.looks : this.screen.looks;
    // That something was printed is known from what is recorded, whatever tmux says.
    const isKnown = ended !== null || ("idleMs" in condition && !this.isBlind);
    const doubt = isKnown ? null : looks.doubt(now, session, attempted);
    if (doubt !== null) return doubt;
    return new WaitTimeout({
      session,
      attempted,
      terminal: output.terminal,
      condition,
      reason: ended === null ? "deadline" : "ended",
      timeoutMs,
      waitedMs: Math.round(now - beganMs),
      screen: this.screen.shown,
      exit: ended?.exit ?? null,
    });
  }

  private get isBlind(): boolean {
    return this.heard.printed === null;
  }

  /** When it will have been quiet for long enough; never, unless that is waited for. */
  private get quietAtMs(): number {
    const { condition } = this.wait;
    const never = Number.POSITIVE_INFINITY;
    return "idleMs" in condition ? this.printing.lastMs + condition.idleMs : never;
  }

  /** Whether the screen tells something that is waited for, and was not looked at yet. */
  private get isScreenNew(): boolean {
    const { condition } = this.wait;
    if ("text" in condition || "regex" in condition) return this.screen.isNew || this.isBlind;
    return "idleMs" in condition && this.isBlind;
  }

  private get lastLookMs(): number {
    const { beganMs, timeoutMs } = this.wait;
    return beganMs + timeoutMs - Math.min(timeoutMs / 10, LAST_MS);
  }

  private heed(heard: Heard, now: number): void {
    this.heard = heard;
    if (heard.printed === true) {
      this.screen.isNew = true;
      this.screen.looks.rest(now);
      this.deafUntilMs = now + DEAF_MS;
    }
  }

  private lookAtScreen(now: number) {
    return Effect.gen(this, function* () {
      const isDue = this.isScreenNew && now >= this.screen.looks.dueMs;
      const isLast = !this.tookLast && now >= this.lastLookMs;
      if (!isDue && !isLast) return null;
      this.tookLast ||= isLast;
      const { saw, matched } = yield* this.screen.look(now);
      // Whether a pane that is not there ever will be, the look for the end tells.
      if (saw === "nothing") this.end.looks.dueMs = Math.min(this.end.looks.dueMs, now);
      if (this.isBlind) {
        if (saw === "other") this.printing.lastMs = now;
        this.screen.lookBy(this.quietAtMs, now);
      }
      return matched === null ? null : { ...matched, exit: null };
    });
  }

  /**
   * What an ended program means: it prints nothing more, so the screen decides, once more. What it
   * printed last may be nowhere: tmux may drop it when the program ends right behind (3.3a).
   */
  private lookForEnd(now: number) {
    return Effect.gen(this, function* () {
      const { condition } = this.wait;
      const ended = yield* this.end.look(now);
      if (ended === null || "idleMs" in condition) return null;
      if ("exit" in condition) {
        return (yield* this.end.isSettled(ended, now)) ? found(ended.exit) : null;
      }
      const { matched, saw } = yield* this.screen.look(now);
      if (matched !== null) return { ...matched, exit: null };
      if (saw === "unknown") return null;
      return yield* this.failure(yield* Clock.currentTimeMillis, ended);
    });
  }

  /** Whether it was quiet for long enough, as far as everything that was printed is known. */
  private readonly quiet = Effect.gen(this, function* () {
    const { outputRecorderMs } = yield* Settings;
    const now = yield* Clock.currentTimeMillis;
    const { quietAtMs } = this;
    if (now < quietAtMs) return null;
    const isWhole = this.isBlind
      ? this.screen.seenAtMs >= quietAtMs
      : this.heard.recorder !== "recording" || now >= quietAtMs + outputRecorderMs;
    return isWhole ? found(null) : null;
  });

  /** Until something is due, may have been printed, or this program lets go of the session. */
  private readonly rest = Effect.gen(this, function* () {
    const { outputSpacingMs } = yield* Settings;
    const now = yield* Clock.currentTimeMillis;
    const isDeaf = this.isBlind || now < this.deafUntilMs;
    const dues = [this.end.looks.dueMs];
    if (this.isScreenNew) dues.push(this.screen.looks.dueMs);
    if (!this.tookLast) dues.push(this.lastLookMs);
    if (this.end.isWatching || !this.isBlind) dues.push(now + outputSpacingMs);
    if (!this.isBlind) dues.push(Math.max(this.quietAtMs, now + DEAF_MS));
    if (now < this.deafUntilMs) dues.push(this.deafUntilMs);
    const timer = Effect.sleep(Math.max(0, Math.min(...dues) - now));
    const hint = isDeaf ? Effect.never : this.wait.changed;
    yield* Effect.raceFirst(Effect.raceFirst(hint, this.end.closing), timer);
  });
}
