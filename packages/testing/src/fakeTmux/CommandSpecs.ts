/**
 * CommandSpecs: every command that the fake can run, by its name.
 */
import type { CommandSpec } from "./Command.js";
import { bufferCommands } from "./commands/BufferCommands.js";
import { environmentCommands } from "./commands/EnvironmentCommands.js";
import { flowCommands } from "./commands/FlowCommands.js";
import { inputCommands } from "./commands/InputCommands.js";
import { newSession } from "./commands/NewSession.js";
import { optionCommands } from "./commands/OptionCommands.js";
import { paneCommands } from "./commands/PaneCommands.js";
import { sessionCommands } from "./commands/SessionCommands.js";
import { windowCommands } from "./commands/WindowCommands.js";
import { setHookCommand } from "./Hooks.js";

let specs: ReadonlyMap<string, CommandSpec> | null = null;

/** Looked up on first use: the commands that source others know this table. */
export const commandSpecs = {
  get: (name: string): CommandSpec | undefined => {
    specs ??= new Map(
      [
        newSession,
        ...sessionCommands,
        ...windowCommands,
        ...paneCommands,
        ...inputCommands,
        ...bufferCommands,
        ...optionCommands,
        ...environmentCommands,
        ...flowCommands,
        setHookCommand,
      ].map((spec) => [spec.name, spec]),
    );
    return specs.get(name);
  },
};
