/**
 * OutputReader: one reader of one terminal's output, from a sequence on.
 *
 * It holds a position and nothing else: what it reads it reads from the files, so a slow reader
 * costs no memory and is told of a gap. That the terminal ended is looked at when the recorder
 * ended, when the session's scope closed, and from time to time while nothing is printed; a look
 * that fails is none, and is repeated. Behind an end it reads what was still to be recorded, up to
 * a bound, and where that is not known to be all it says so.
 */
import { Clock, Deferred, Effect, Option } from "effect";
import { isKnown, tryReap } from "./ExitStatus.js";
import { isFinal, type Observation } from "./Lifecycle.js";
import { absentState } from "./Missing.js";
import { OutputFiles, type OutputRange, type TerminalOutput } from "./OutputFiles.js";
import { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import { Closing } from "./SessionError.js";
import type { OutputElement, OutputEnd } from "./SessionOutput.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { Tmux } from "./Tmux.js";

const attempted = "read output";

/** The most bytes of one element; for a reader that is behind they double up to the greater. */
const CHUNK = 64 * 1024;
const GREAT_CHUNK = 512 * 1024;

/** How soon a look comes behind the last output; the pauses double from there. */
const FIRST_LOOK_MS = 100;

/** How far apart looks are at least, however often something is printed: each costs a process. */
const LOOK_SPACING_MS = 500;

/** How a terminal ended. */
export type Ended = Pick<OutputEnd, "reason" | "exit">;

/** How the terminal ended, given its row as it was behind the look; `null` while it lives. */
export const endedAs = (
  record: SessionRecord,
  terminal: TerminalOutput["terminal"],
  seen: Observation,
): Ended | null => {
  const row = record.terminals.find((t) => t.terminal === terminal)?.state ?? "creating";
  const [deleted, lost] = (["deleted", "lost"] as const).map((reason) => ({ reason, exit: null }));
  if (isFinal(record.state)) return deleted ?? null;
  if (seen._tag === "Absent") {
    if (record.state === "creating") return null;
    return (record.state === "deleting" ? deleted : lost) ?? null;
  }
  const pane = seen.session.terminals.find((t) => t.terminal === terminal);
  // A delete asks its program to end first; that it ended is no end of the terminal then.
  const ending = record.state === "deleting" || row === "deleting";
  if (pane !== undefined) {
    return pane.exit === null || ending ? null : { reason: "exited", exit: pane.exit };
  }
  if (row === "creating") return null;
  return (row === "running" || row === "exited" ? lost : deleted) ?? null;
};

/** How it ended as far as its row says, which a reconcile may not have brought up to date. */
export const endedInRow = (
  { state, terminals }: SessionRecord,
  terminal: TerminalOutput["terminal"],
): Ended | null => {
  const row = terminals.find((t) => t.terminal === terminal);
  if (state === "lost") return { reason: "lost", exit: null };
  if (isFinal(state) || row?.state === "gone") return { reason: "deleted", exit: null };
  return row?.state === "exited" ? { reason: "exited", exit: row.exit } : null;
};

/** What is read, from where, and what says that this program lets go of its session. */
export interface Reading {
  readonly session: string;
  readonly output: TerminalOutput;
  readonly from: number;
  /** When its recorder was to begin, at the latest. */
  readonly startedAt: number;
  /** Whether to wait for more at the end of what is recorded. */
  readonly follow: boolean;
  /** What is told at that end when it is not waited for. */
  readonly ended: Ended | null;
  readonly closed: Deferred.Deferred<void>;
  /** Ends when there may be more. */
  readonly changed: Effect.Effect<void>;
}

/** How a terminal ended, and what its session is where that is not there either. */
export interface SeenEnd {
  readonly ended: Ended;
  readonly gone: string | null;
}

/** Looks whether a terminal ended, and how; `null` when it lives. */
export const lookAtEnd = Effect.fnUntraced(function* (output: TerminalOutput, attempted: string) {
  const tmux = yield* Tmux;
  const registry = yield* Registry;
  const listing = yield* tmux.list(attempted);
  // Read behind the listing: a delete says what it wants before it does it.
  const record = Option.getOrNull(yield* registry.find(output.incarnation));
  if (record === null) return null;
  const final = isFinal(record.state);
  const seen = final ? GONE : yield* observe(record, listing, attempted);
  const ended = endedAs(record, output.terminal, seen);
  if (ended === null) return null;
  if (listing._tag === "Server" && !final && !isKnown(ended.exit)) {
    yield* tryReap(listing.server);
  }
  const told: SeenEnd = { ended, gone: seen._tag === "Absent" ? absentState(record) : null };
  return told;
});

/** The same, also `null` when it could not be found out. */
const lookAt = ({ output, session }: Reading) =>
  lookAtEnd(output, attempted).pipe(
    Effect.map((seen) => seen?.ended ?? null),
    Effect.catchTags({
      LookupFailed: () => Effect.succeed(null),
      RegistryUnavailable: () => Effect.succeed(null),
      RegistryCorrupt: () => Effect.succeed(null),
    }),
    Effect.withSpan("OutputReader.look", { attributes: { session } }),
  );

const NEVER = Number.NEGATIVE_INFINITY;

const GONE: Observation = { _tag: "Absent", why: "vanished" };

/** Mutable; one fiber at a time pulls. */
export class OutputReader {
  private at: number;
  private most = CHUNK;
  private lookedAtMs = NEVER;
  private looksAtMs = Number.POSITIVE_INFINITY;
  private pauseMs = FIRST_LOOK_MS;
  private ended: Ended | null;
  private readAtMs = 0;
  private toldBroken = false;
  private sawData = false;
  private sawClosed = false;
  private over = false;

  constructor(private readonly reading: Reading) {
    this.at = reading.from;
    this.ended = reading.follow ? null : reading.ended;
  }

  /** The next element; none when there is no further one. Waits for it when the reader follows. */
  readonly next = Effect.gen(this, function* () {
    const files = yield* OutputFiles;
    const { outputRecorderMs } = yield* Settings;
    while (!this.over) {
      if (this.reading.follow) yield* this.lookWhenDue();
      const range = yield* files.read(this.reading.output, this.at, this.most);
      const now = yield* Clock.currentTimeMillis;
      const element = this.elementOf(range, this.isLate(range, now, outputRecorderMs));
      if (element !== null) {
        this.readAtMs = now;
        this.rest(now, FIRST_LOOK_MS);
        return Option.some(element);
      }
      const end = yield* this.endOf(range, now);
      if (end !== null) return Option.some(end);
      if (!this.reading.follow) break;
      if (range.recorder === "ended" && this.pauseMs === FIRST_LOOK_MS) this.looksAtMs = now;
      // What is there is given before the first look: tmux may take long to answer.
      if (this.lookedAtMs === NEVER) this.looksAtMs = now;
      else yield* this.wait(now);
    }
    return Option.none<OutputElement>();
  });

  private place(sequence: number) {
    return { incarnation: this.reading.output.incarnation, sequence };
  }

  private readonly isClosing = Effect.suspend(() =>
    this.sawClosed ? Effect.succeed(false) : Deferred.isDone(this.reading.closed),
  );

  private rest(now: number, pauseMs: number): void {
    this.pauseMs = pauseMs;
    if (this.lookedAtMs === NEVER) return;
    this.looksAtMs = Math.max(now + pauseMs, this.lookedAtMs + LOOK_SPACING_MS);
  }

  /** Whether there is nothing that records, where there must be something by now. */
  private isLate({ recorder }: OutputRange, now: number, boundMs: number): boolean {
    return recorder === "absent" && (this.sawData || now > this.reading.startedAt + boundMs);
  }

  private elementOf(range: OutputRange, late: boolean): OutputElement | null {
    const sequence = this.at;
    if (range.from > sequence) {
      this.at = range.from;
      return { ...this.place(sequence), type: "gap", to: range.from };
    }
    if (range.data.length > 0) {
      this.at += range.data.length;
      const isBehind = range.data.length >= this.most;
      this.most = isBehind ? Math.min(2 * this.most, GREAT_CHUNK) : Math.max(CHUNK, this.most / 2);
      this.sawData = true;
      return { ...this.place(sequence), type: "data", data: range.data };
    }
    return late || range.recorder === "broken" ? this.brokenOff() : null;
  }

  /** That nobody knows what came from here on; once. */
  private brokenOff(): OutputElement | null {
    if (this.toldBroken) return null;
    this.toldBroken = true;
    return { ...this.place(this.at), type: "gap", to: null };
  }

  /** The end, once it is known and everything before it was read, or the bound passed. */
  private endOf(range: OutputRange, now: number) {
    return Effect.gen(this, function* () {
      const { outputRecorderMs, outputSettleMs } = yield* Settings;
      const { ended } = this;
      if (ended === null) return null;
      const { exit } = ended;
      // tmux may not have reaped the program yet; then how it ended is looked at again.
      const known = isKnown(exit);
      // A recorder may not even have begun, on a busy machine, when its program has ended.
      const whole = ["idle", "ended", "broken"].includes(range.recorder);
      const waitsMs = Math.max(known ? 0 : outputSettleMs, whole ? 0 : outputRecorderMs);
      if (this.reading.follow && now < this.readAtMs + waitsMs) return null;
      // An end that was not waited for long enough may have bytes before it that nobody has.
      const gap = whole ? null : this.brokenOff();
      if (gap !== null) return gap;
      this.over = true;
      const end: OutputElement = { ...this.place(this.at), type: "end", ...ended };
      return end;
    });
  }

  /** Looks whether the terminal ended, unless it is too early for that. */
  private lookWhenDue() {
    return Effect.gen(this, function* () {
      const { outputLookMs } = yield* Settings;
      const now = yield* Clock.currentTimeMillis;
      const closed = yield* this.isClosing;
      if (!closed && now < this.looksAtMs) return;
      const before = this.ended;
      this.ended = (yield* lookAt(this.reading)) ?? before;
      this.lookedAtMs = now;
      this.rest(now, Math.min(2 * this.pauseMs, outputLookMs));
      // The wait behind an end begins when it is known: the look itself may have taken long.
      if (before === null) this.readAtMs = yield* Clock.currentTimeMillis;
      if (!closed) return;
      this.sawClosed = true;
      const { session } = this.reading;
      if (this.ended === null) return yield* new Closing({ session, attempted });
    });
  }

  /** Until there may be more, the session's scope closes, or it is time to look again. */
  private wait(now: number) {
    return Effect.gen(this, function* () {
      const { outputSpacingMs } = yield* Settings;
      const due = Math.max(0, this.looksAtMs - now);
      const timer = Effect.sleep(Math.min(outputSpacingMs, due));
      const { changed, closed } = this.reading;
      const closing = this.sawClosed ? Effect.never : Deferred.await(closed);
      yield* Effect.raceFirst(Effect.raceFirst(changed, closing), timer);
    });
  }
}
