/**
 * Completions: scripts with which a shell completes the command line.
 *
 * Loaded only for that. They offer what the parser takes and nothing else, from the same
 * definitions, and ask neither the home nor tmux.
 */
import { Effect } from "effect";
import type { Usage } from "../CommandFailure.js";
import type { CommandSpec } from "../CommandSpec.js";
import { mistyped } from "../Near.js";
import { bash } from "./Bash.js";
import { fish } from "./Fish.js";
import { placesOf } from "./Words.js";
import { zsh } from "./Zsh.js";

const scripts = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);

/** The script for `bash`, `zsh` or `fish`. */
export const completionScript = (
  commands: ReadonlyArray<CommandSpec>,
  shell: string,
): Effect.Effect<string, Usage> => {
  const script = scripts.get(shell);
  if (script !== undefined) return Effect.succeed(script(placesOf(commands)));
  const known = [...scripts.keys()];
  const reason = "--completions wants bash, zsh or fish";
  return Effect.flatMap(mistyped({ command: null, reason, word: shell, known }), Effect.fail);
};
