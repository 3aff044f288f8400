/**
 * CommandGroup: commands whose names begin with the same word: `terminal add`, `terminal list`.
 *
 * A group is nothing of its own: it is what the names of commands say, and can be asked for help.
 */
import type { CommandSpec } from "./CommandSpec.js";

/** The word that a command of two words begins with; `null` for one of a single word. */
export const groupOf = ({ name }: CommandSpec): string | null => {
  const [first = name, ...rest] = name.split(" ");
  return rest.length === 0 ? null : first;
};

/** The groups that there are. */
export const groupsOf = (commands: ReadonlyArray<CommandSpec>): ReadonlyArray<string> => [
  ...new Set(commands.map(groupOf).filter((group) => group !== null)),
];

/** The commands of a group. */
export const membersOf = (
  commands: ReadonlyArray<CommandSpec>,
  group: string,
): ReadonlyArray<CommandSpec> => commands.filter((command) => groupOf(command) === group);
