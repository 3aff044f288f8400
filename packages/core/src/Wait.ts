/**
 * Wait: until something holds of a terminal, or it is known that it never will, or a deadline.
 *
 * Needs no actor and no claim, and writes nothing; one that is cut off leaves nothing behind. The
 * deadline holds over everything, a tmux that does not answer too. What was there before the wait
 * began counts: it holds at once. What was shown and cleared between two looks may be missed.
 */
import { Clock, type Deferred, Effect, Option, Schema } from "effect";
import { TerminalId } from "./Identity.js";
import { isFinal } from "./Lifecycle.js";
import { missing } from "./Missing.js";
import { type ClosingOf, terminalIn } from "./Output.js";
import { OutputFiles, type TerminalOutput } from "./OutputFiles.js";
import { milliseconds } from "./Quantity.js";
import { Registry } from "./Registry.js";
import { ProgramExit, type SessionRecord } from "./Session.js";
import { NotFound, RegistryUnavailable } from "./SessionError.js";
import { SessionName } from "./SessionName.js";
import type { WaitOptions } from "./SessionOptions.js";
import { conditionProblem, InvalidCondition, WaitCondition } from "./WaitCondition.js";
import { Waiter } from "./Waiter.js";

const attempted = "wait";

const TIMEOUT_MS = 30_000;

/**
 * A condition that came true. `line` is the newest line that matched, `number` which one it is from
 * the oldest that the terminal keeps, which is 1: both `null` unless a line was waited for. `exit`
 * is how the program ended, `null` unless that was waited for.
 */
export const Waited = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  terminal: TerminalId,
  condition: WaitCondition,
  line: Schema.NullOr(Schema.String),
  number: Schema.NullOr(Schema.Int),
  exit: Schema.NullOr(ProgramExit),
  waitedMs: Schema.Int,
});
export type Waited = typeof Waited.Type;

/** What is waited for, where, and until when. */
export interface WaitFor {
  readonly record: SessionRecord;
  readonly output: TerminalOutput;
  readonly condition: WaitCondition;
  readonly beganMs: number;
  readonly timeoutMs: number;
  /** Done when this program lets go of the session. */
  readonly closed: Deferred.Deferred<void>;
  /** Ends when something may have been printed. */
  readonly changed: Effect.Effect<void>;
}

/** The terminal that is meant, of the newest incarnation of the name. */
const terminalOf = Effect.fnUntraced(function* (session: SessionName, named: string | undefined) {
  const registry = yield* Registry;
  const record = Option.getOrNull(yield* registry.get(session));
  if (record === null || isFinal(record.state)) {
    return yield* missing({ session, attempted }, record);
  }
  const terminal = terminalIn(record, named);
  if (terminal !== null) return { record, terminal };
  return yield* new NotFound({ session, attempted, terminal: named ?? null });
});

/** The bound of an idle wait counts from when it could be over. */
const timeoutOf = (condition: WaitCondition, options: WaitOptions): number =>
  milliseconds("timeoutMs", options.timeoutMs) ??
  ("idleMs" in condition ? condition.idleMs + TIMEOUT_MS : TIMEOUT_MS);

/** Whether it came true; `null` when it did not, and who waited, for what that means. */
const waiting = (
  wait: Pick<WaitFor, "condition" | "beganMs" | "timeoutMs">,
  session: SessionName,
  named: string | undefined,
  closing: ClosingOf,
  began: (waiter: Waiter) => void,
) =>
  Effect.gen(function* () {
    const files = yield* OutputFiles;
    const { record, terminal } = yield* terminalOf(session, named);
    const { generation, incarnation } = record;
    const output = { incarnation, terminal };
    const closed = yield* closing(session, incarnation);
    const changed = yield* files.watch(output);
    const waiter = new Waiter({ ...wait, record, output, closed, changed });
    began(waiter);
    // Without any time to wait, one look is had all the same, bounded by its own deadlines.
    const found = yield* wait.timeoutMs === 0 ? waiter.look : waiter.run;
    if (found === null) return null;
    const { beganMs, condition } = wait;
    const waitedMs = Math.round((yield* Clock.currentTimeMillis) - beganMs);
    const waited: Waited = { session, generation, terminal, condition, ...found, waitedMs };
    return waited;
  }).pipe(Effect.scoped);

/** Waits; `closing` tells when this program lets go of the session. */
export const waitFor = Effect.fnUntraced(function* (
  session: SessionName,
  condition: WaitCondition,
  options: WaitOptions,
  closing: ClosingOf,
) {
  const beganMs = yield* Clock.currentTimeMillis;
  const reason = conditionProblem(condition);
  if (reason !== null) return yield* new InvalidCondition({ session, attempted, reason });
  const timeoutMs = timeoutOf(condition, options);
  const wait = { condition, beganMs, timeoutMs };
  const who: Array<Waiter> = [];
  const work = waiting(wait, session, options.terminal, closing, (waiter) => who.push(waiter));
  const waited = yield* timeoutMs === 0
    ? work
    : Effect.map(Effect.timeoutOption(work, timeoutMs), Option.getOrNull);
  if (waited !== null) return waited;
  const [waiter] = who;
  const detail = "it could not be read before the wait was over";
  if (waiter === undefined) return yield* new RegistryUnavailable({ session, attempted, detail });
  return yield* waiter.failure(yield* Clock.currentTimeMillis, null);
});
