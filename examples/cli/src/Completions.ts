/**
 * Completions: scripts with which a shell completes the command line.
 *
 * The definitions are turned into commands of `@effect/cli`, which writes the scripts. It is loaded
 * only for that: it would more than double the start-up of every other command.
 */
import { Effect } from "effect";
import type { Usage } from "./CommandFailure.js";
import { groupOf, groupsOf, membersOf } from "./CommandGroup.js";
import type { CommandSpec } from "./CommandSpec.js";
import { mistyped } from "./Near.js";
import { globals } from "./Options.js";

const load = Effect.promise(() =>
  Promise.all([import("@effect/cli/Command"), import("@effect/cli/Options")]),
);

/** The script for `bash`, `zsh` or `fish`. */
export const completionScript = (
  commands: ReadonlyArray<CommandSpec>,
  shell: string,
): Effect.Effect<string, Usage> =>
  Effect.gen(function* () {
    const [Command, Options] = yield* load;
    const one = (word: string, { options }: CommandSpec) =>
      Command.make(
        word,
        Object.fromEntries(
          [...options, ...globals.filter((o) => o.name !== "help")].map((option) => [
            option.name,
            option.kind === "switch" ? Options.boolean(option.name) : Options.text(option.name),
          ]),
        ),
      );
    const alone = commands
      .filter((command) => groupOf(command) === null)
      .flatMap((command) =>
        [command.name, ...(command.alias === null ? [] : [command.alias])].map((word) =>
          one(word, command),
        ),
      );
    const grouped = groupsOf(commands).flatMap((group) => {
      const [first, ...rest] = membersOf(commands, group).map((command) =>
        one(command.name.slice(group.length + 1), command),
      );
      return first === undefined
        ? []
        : [Command.withSubcommands(Command.make(group), [first, ...rest])];
    });
    const [first, ...rest] = [...alone, ...grouped];
    if (first === undefined) return "";
    const program = Command.withSubcommands(Command.make("troupe"), [first, ...rest]);
    const scripts: Readonly<Record<string, () => Effect.Effect<Array<string>>>> = {
      bash: () => Command.getBashCompletions(program, "troupe"),
      zsh: () => Command.getZshCompletions(program, "troupe"),
      fish: () => Command.getFishCompletions(program, "troupe"),
    };
    const script = scripts[shell];
    if (script === undefined) {
      const reason = "--completions wants bash, zsh or fish";
      const known = Object.keys(scripts);
      return yield* yield* mistyped({ command: null, reason, word: shell, known });
    }
    return `${(yield* script()).join("\n")}\n`;
  });
