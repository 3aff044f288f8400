/**
 * AttachResult: the schema of what attach answers.
 */
import { ProgramExit, SessionName, SessionState } from "@troupe/core";
import { Schema } from "effect";

/**
 * What `attach` answers. `switch`: the client that shows the caller shows this session now.
 * `ended`: the session ended while it was shown. `exit` is how its first program had ended before.
 */
export const AttachResult = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  state: SessionState,
  how: Schema.Literal("attach", "switch"),
  outcome: Schema.Literal("detached", "ended", "switched", "printed"),
  exit: Schema.NullOr(ProgramExit),
  argv: Schema.Array(Schema.String),
});
