/**
 * schema: the JSON Schema of what the commands write, for whoever reads that with a program.
 *
 * Generated when it is asked for, from the schemas that the commands use; nothing is looked at: no
 * home, no registry and no tmux.
 */
import { Effect, Schema } from "effect";
import { commandResults, commandSchema, programSchema } from "../AnswerSchema.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { mistyped } from "../Near.js";
import { SchemaResult } from "../Results.js";

const asRecord = Schema.decodeUnknown(SchemaResult.fields.schema);

const run = (call: Call): Effect.Effect<Outcome, CommandFailure> =>
  Effect.gen(function* () {
    const command = call.args.length === 0 ? null : call.args.join(" ");
    const made = command === null ? programSchema() : commandSchema(command);
    if (made === null) {
      const reason = `there is no command ${JSON.stringify(command)}`;
      const known = Object.keys(commandResults);
      return yield* yield* mistyped({ command: "schema", reason, word: command ?? "", known });
    }
    const schema = yield* Effect.orDie(asRecord(made));
    return yield* outcome(
      SchemaResult,
      { command, schema },
      `${JSON.stringify(schema, null, 2)}\n`,
    );
  });

/** `troupe schema` */
export const schema: CommandSpec = {
  name: "schema",
  alias: null,
  summary: "the JSON Schema of what commands write",
  about:
    "Prints the JSON Schema of the line that COMMAND writes with --json, be it a result or an " +
    "error; of each line, for logs and events. Without COMMAND, that of a line of any command, " +
    "with a definition for each. A later version may add fields, and its schema says so. Nothing " +
    "is looked at: no home, and no tmux.",
  args: { usage: "[COMMAND]", least: 0, most: 2, tail: false },
  options: [],
  examples: ["troupe schema delete", "troupe schema terminal add", "troupe schema --json"],
  run,
};
