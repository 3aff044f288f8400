/**
 * Printing: whether a terminal printed something, as what is recorded of it tells, and when.
 *
 * Files are looked at and tmux is not. Where nothing is recorded, or it broke off, or it cannot be
 * read, nothing is known of what is printed, and that is said. What was printed before the first
 * look counts as nothing.
 */
import { Clock, Effect } from "effect";
import { OutputFiles, type RecorderState, type TerminalOutput } from "./OutputFiles.js";

/** The most bytes of one read. */
const CHUNK = 1024 * 1024;

/** What a look told. */
export interface Heard {
  /** `null` where that cannot be known. */
  readonly printed: boolean | null;
  /** `null` where nothing is recorded or it cannot be read. */
  readonly recorder: RecorderState | null;
}

const deaf: Heard = { printed: null, recorder: null };

/** Mutable; one fiber at a time listens. */
export class Printing {
  private at: number | null = null;
  /** When something was last seen to have been printed; from the first look on. */
  lastMs: number;

  constructor(
    private readonly output: TerminalOutput,
    private readonly recorded: boolean,
    beganMs: number,
  ) {
    this.lastMs = beganMs;
  }

  /** Looks for what was printed since the last look. */
  readonly listen = Effect.gen(this, function* () {
    if (!this.recorded) return deaf;
    const files = yield* OutputFiles;
    const before = this.at;
    let at = before ?? 0;
    for (;;) {
      const { data, from, recorder } = yield* files.read(this.output, at, CHUNK);
      at = from + data.length;
      if (data.length === CHUNK) continue;
      this.at = at;
      if (recorder === "absent" || recorder === "broken") return { printed: null, recorder };
      const printed = before !== null && at > before;
      if (printed) this.lastMs = yield* Clock.currentTimeMillis;
      const heard: Heard = { printed, recorder };
      return heard;
    }
  }).pipe(Effect.catchTag("LookupFailed", () => Effect.succeed(deaf)));
}
