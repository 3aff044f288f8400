/**
 * version: which troupe this is.
 *
 * The version stands in the package of the command and nowhere else. tmux and the home are not
 * looked at.
 */
import { createRequire } from "node:module";
import { Effect, Schema } from "effect";
import { type CommandSpec, outcome } from "../CommandSpec.js";
import { VersionResult } from "../Results.js";

const Package = Schema.Struct({ version: Schema.String });
const readPackage = Effect.sync(() => createRequire(import.meta.url)("../../package.json"));

/** Tells the version; what was called is not asked for. */
export const tellVersion = readPackage.pipe(
  Effect.flatMap(Schema.decodeUnknown(Package)),
  Effect.orDie,
  Effect.flatMap(({ version }) =>
    outcome(VersionResult, { version, node: process.version }, `troupe ${version}\n`),
  ),
);

/** `troupe version` */
export const version: CommandSpec = {
  name: "version",
  alias: null,
  summary: "which troupe this is",
  about: "Prints the version of troupe. Nothing is looked at: no home, and no tmux.",
  args: { usage: "", least: 0, most: 0, tail: false },
  options: [],
  examples: ["troupe version --json"],
  run: () => tellVersion,
};
