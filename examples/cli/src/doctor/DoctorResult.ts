/**
 * DoctorResult: the schema of what doctor answers.
 */
import { Schema } from "effect";
import { findingCodes } from "./Finding.js";

/**
 * What `doctor` answers: where everything is, and what was found. `server` is what answers at the
 * socket. `mend` is a command line for a shell, `null` where no command can help.
 */
export const DoctorResult = Schema.Struct({
  home: Schema.String,
  socket: Schema.String,
  tmux: Schema.Struct({ program: Schema.String, version: Schema.NullOr(Schema.String) }),
  server: Schema.NullOr(Schema.Struct({ pid: Schema.Int, version: Schema.String })),
  registry: Schema.Literal("missing", "sound", "newer", "damaged", "unavailable"),
  findings: Schema.Array(
    Schema.Struct({
      code: Schema.Literal(...findingCodes),
      severity: Schema.Literal("error", "warning", "note"),
      cause: Schema.String,
      mend: Schema.NullOr(Schema.String),
    }),
  ),
});
