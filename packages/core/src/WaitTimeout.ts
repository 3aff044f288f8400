/**
 * WaitTimeout: the failure of a wait whose condition did not come true.
 *
 * Waiting changes nothing, so the session is as it was. It is a positive statement: where tmux
 * could not be asked whether the condition holds, the wait fails with that instead.
 */
import { Schema } from "effect";
import { ProgramExit } from "./Session.js";
import { conditionText, WaitCondition } from "./WaitCondition.js";

/**
 * The condition did not come true: in time (`deadline`), or it never can, because the program
 * ended, with `exit` (`ended`). `screen` is the last that was seen of the terminal. A `timeoutMs`
 * of 0 is no time but for one look.
 */
export class WaitTimeout extends Schema.TaggedError<WaitTimeout>()("WaitTimeout", {
  session: Schema.NullOr(Schema.String),
  attempted: Schema.String,
  terminal: Schema.String,
  condition: WaitCondition,
  reason: Schema.Literal("deadline", "ended"),
  timeoutMs: Schema.JsonNumber,
  waitedMs: Schema.Int,
  screen: Schema.NullOr(Schema.String),
  exit: Schema.NullOr(ProgramExit),
}) {
  override get message(): string {
    const { condition, reason, session, terminal, timeoutMs, waitedMs } = this;
    const time = timeoutMs === 0 ? "so far: it was looked at once" : `within ${waitedMs} ms`;
    const why = reason === "ended" ? "and the program has ended" : time;
    return `terminal ${terminal} of session ${session}: ${conditionText(condition)} ${why}`;
  }
}
