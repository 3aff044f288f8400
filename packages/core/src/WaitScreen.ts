/**
 * WaitScreen: what a terminal shows, looked at for a wait, and the line of it that is waited for.
 *
 * All of the screen and its history is read each time: what scrolled away between two looks is
 * found as long as tmux keeps it. The pane is the one of the incarnation that the wait began with.
 */
import { Effect, Option } from "effect";
import { Looks } from "./Looks.js";
import { Patterns } from "./Patterns.js";
import { Registry } from "./Registry.js";
import { Tmux } from "./Tmux.js";
import type { WaitFor } from "./Wait.js";
import { InvalidCondition, linesOf, newestWith } from "./WaitCondition.js";

const attempted = "wait";

/** The first and the longest pause between two looks, and the longest where nothing is recorded. */
const FIRST_MS = 50;
const LONGEST_MS = 500;
const UNTOLD_MS = 1_000;

/** A line that was waited for; its number is 1 for the oldest that the terminal keeps. */
export interface Matched {
  readonly line: string | null;
  readonly number: number | null;
}

/**
 * What a look saw: the terminal, showing the `same` as at the last look, something `other`, or the
 * `first` that was seen of it; `nothing` where it has no pane; `unknown` when tmux did not tell.
 */
export interface ScreenLook {
  readonly saw: "first" | "same" | "other" | "nothing" | "unknown";
  readonly matched: Matched | null;
}

/** Mutable; one fiber at a time looks. */
export class WaitScreen {
  readonly looks: Looks;
  /** Whether there may be something that was not looked at. */
  isNew = true;
  /** When the look began that saw the terminal last. */
  seenAtMs = Number.NEGATIVE_INFINITY;
  private seen: string | null = null;

  constructor(private readonly wait: WaitFor) {
    const { beganMs, record } = wait;
    this.looks = new Looks(beganMs, FIRST_MS, record.spec.log ? LONGEST_MS : UNTOLD_MS);
  }

  /** The newest that was seen, of as many lines as the terminal was made with. */
  get shown(): string | null {
    const { rows } = this.wait.record.spec;
    return this.seen?.split("\n").slice(-rows).join("\n") ?? null;
  }

  /** Looks, and for a line when one is waited for. */
  look(now: number) {
    return Effect.gen(this, function* () {
      const taken = yield* this.looks.take(this.capture);
      const text = taken?.told?.text ?? null;
      if (taken === null || text === null) {
        const look: ScreenLook = { saw: taken === null ? "unknown" : "nothing", matched: null };
        return look;
      }
      const saw = this.seen === null ? "first" : this.seen === text ? "same" : "other";
      this.isNew = false;
      this.seenAtMs = now;
      this.seen = text;
      const look: ScreenLook = { saw, matched: yield* this.match(linesOf(text)) };
      return look;
    });
  }

  /** Makes the next look due at this time, when it would be later, and not at once. */
  lookBy(dueMs: number, now: number): void {
    this.looks.dueMs = Math.min(this.looks.dueMs, Math.max(now + FIRST_MS, dueMs));
  }

  private readonly capture = Effect.gen(this, function* () {
    const { output, record } = this.wait;
    const registry = yield* Registry;
    const tmux = yield* Tmux;
    const known = Option.getOrElse(yield* registry.find(output.incarnation), () => record);
    const { paneId = null } = known.terminals.find((t) => t.terminal === output.terminal) ?? {};
    const { server, session } = known;
    if (paneId === null || server === null) return null;
    const how = { lines: null, join: true, ansi: false };
    return yield* tmux.capture({ server, paneId, session }, how);
  });

  private match(lines: ReadonlyArray<string>) {
    return Effect.gen(this, function* () {
      const { condition, record } = this.wait;
      if (!("text" in condition || "regex" in condition)) return null;
      const patterns = yield* Patterns;
      const at =
        "text" in condition
          ? newestWith(condition.text, lines)
          : patterns.newest(condition.regex, lines);
      if (at === null) {
        const reason = "the pattern is too large, or takes too long on what the terminal shows";
        return yield* new InvalidCondition({ session: record.session, attempted, reason });
      }
      const matched: Matched = { line: lines[at] ?? null, number: at + 1 };
      return at === -1 ? null : matched;
    });
  }
}
