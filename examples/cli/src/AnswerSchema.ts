/**
 * AnswerSchema: the JSON Schema of what a command writes with `--json`.
 *
 * Made of the schemas that the commands encode with, never written by hand. It is of one whole
 * line: the one of most commands, and each of those that `logs` and `events` write.
 */
import { AddedTerminal, TerminalDeleteResult } from "@troupe/core";
import { JSONSchema, Schema } from "effect";
import { ErrorResult } from "./ErrorSchema.js";
import { GcResult, ServerStatusResult, ServerStopResult } from "./GcResult.js";
import * as Leases from "./LeaseResult.js";
import * as Results from "./Results.js";

type Result = Schema.Schema.AnyNoContext;

/** What each command answers, by its name. */
export const commandResults: Readonly<Record<string, Result>> = {
  create: Results.SessionDetails,
  list: Results.ListResult,
  inspect: Results.InspectResult,
  send: Results.SendResult,
  wait: Results.WaitResult,
  attach: Results.AttachResult,
  capture: Results.CaptureResult,
  logs: Results.LogsResult,
  events: Results.EventsResult,
  delete: Schema.Union(Results.DeleteOneResult, Results.DeleteResult),
  reconcile: Results.ReconcileResult,
  restore: Results.RestoreResult,
  adopt: Results.SessionDetails,
  gc: GcResult,
  "terminal add": AddedTerminal,
  "terminal list": Results.TerminalListResult,
  "terminal delete": TerminalDeleteResult,
  "lease show": Leases.LeaseShowResult,
  "lease release": Leases.LeaseReleaseResult,
  "lease take-over": Leases.LeaseTakeOverResult,
  "server status": ServerStatusResult,
  "server stop": ServerStopResult,
  doctor: Results.DoctorResult,
  "home list": Results.HomeListResult,
  demo: Results.DemoResult,
  schema: Results.SchemaResult,
  version: Results.VersionResult,
};

/** A line of the command: a result, an error, or both where it went on after a failure. */
const lineOf = (command: string | null, result: Result | null): Result => {
  const of = Schema.Literal(command);
  const failed = Schema.Struct({ ok: Schema.Literal(false), command: of, error: ErrorResult });
  if (result === null) return failed;
  return Schema.Union(
    Schema.Struct({ ok: Schema.Literal(true), command: of, result }),
    failed,
    Schema.Struct({ ok: Schema.Literal(false), command: of, result, error: ErrorResult }),
  );
};

/** With `--help` every command answers a text. */
const lineOfCommand = (command: string, result: Result) =>
  lineOf(command, Schema.Union(result, Results.TextResult));

/** What stands in place of a command, or is the first word of several. */
const wordsOf = (commands: ReadonlyArray<string>): ReadonlyArray<string> => {
  const groups = commands.filter((name) => name.includes(" ")).map((name) => name.split(" ")[0]);
  return ["help", "completions", ...new Set(groups.filter((group) => group !== undefined))];
};

/** The JSON Schema of a line of this command; `null` when there is no such command. */
export const commandSchema = (command: string): JSONSchema.JsonSchema7Root | null => {
  const result = Object.hasOwn(commandResults, command) ? commandResults[command] : undefined;
  return result === undefined ? null : JSONSchema.make(lineOfCommand(command, result));
};

/** The JSON Schema of a line of any command, each in a definition of its own name. */
export const programSchema = (): JSONSchema.JsonSchema7Root => {
  const named = (name: string, line: Result) => line.annotations({ identifier: name });
  const lines = [
    ...Object.entries(commandResults).map(([command, result]) =>
      named(command.replaceAll(" ", "-"), lineOfCommand(command, result)),
    ),
    ...wordsOf(Object.keys(commandResults)).map((word) =>
      named(word, lineOf(word, Results.TextResult)),
    ),
    named("no-command", lineOf(null, null)),
  ];
  return JSONSchema.make(Schema.Union(...lines));
};
