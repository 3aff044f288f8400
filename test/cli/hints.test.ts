/**
 * Hints: each command that a hint names is run here, and helps.
 *
 * The failure's own hint must be what the table says of its details, and the commands are taken
 * from the table, so that none is missed.
 */
import { describe, expect, it } from "vitest";
import { errorResult } from "../../examples/cli/src/Envelope.js";
import { exitRow } from "../../examples/cli/src/ExitCode.js";
import { type HintFacts, type HintName, hints } from "../../examples/cli/src/Hint.js";
import { commandLine } from "../../examples/cli/src/ProgramText.js";
import { atStage, callIn } from "../support/InProcess.js";
import type { Stage } from "../support/Stage.js";
import type { Play, Wrong } from "./HintPlay.js";
import { makeSession, plays } from "./HintPlays.js";

/** Where the command is told to look, as a shell would read it. */
const placesIn = (hint: string): ReadonlyArray<string> => {
  const found = /(--(?:home|socket|tmux)) (?:'((?:[^']|'\\'')*)'|(\/\S+))/.exec(hint);
  if (found === null) return [];
  const [, option = "", quoted, plain = ""] = found;
  return [option, quoted === undefined ? plain : quoted.replaceAll("'\\''", "'")];
};

/** The table's own words for this failure, and the commands in them. */
const commandsOf = (name: HintName, { details, hint }: Wrong) => {
  const commands: Array<ReadonlyArray<string>> = [];
  const places = placesIn(hint ?? "");
  const facts = { session: null, command: null, near: [], cwd: null, ...details } as HintFacts;
  const text = hints[name](facts, (...words) => {
    commands.push([...words, ...places]);
    return ["troupe", ...words, ...places.map((word) => commandLine([word]))].join(" ");
  });
  expect(hint).toBe(text);
  return commands;
};

const perform = async (stage: Stage, key: string, { fails, helps }: Play): Promise<void> => {
  const name = key as HintName;
  const failed = await fails(stage);
  if ("_tag" in failed) expect(exitRow(failed).hint).toBe(name);
  const wrong = "_tag" in failed ? errorResult(failed, []) : failed;
  const commands = commandsOf(name, wrong);
  expect([name, commands.length > 0]).toEqual([name, helps !== undefined]);
  await helps?.(async (at, ...more) => {
    const { err, exit, out } = await callIn(stage, [...(commands[at] ?? ["none"]), ...more]);
    return { exit, text: out + err };
  }, stage);
};

const all = Object.entries(plays);

describe("the hint of a failure", () => {
  it(
    "names commands that help, where there is a session",
    atStage(async (stage) => {
      await makeSession(stage);
      for (const [name, play] of all) if (play.beside) await perform(stage, name, play);
    }),
  );

  it.each(all.filter(([, { beside }]) => !beside))("%s names commands that help", (name, play) =>
    atStage((stage) => perform(stage, name, play))(),
  );
});
