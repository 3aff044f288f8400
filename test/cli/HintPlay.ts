/**
 * HintPlay: what the plays of hints are made of: calls that fail, and commands that help.
 *
 * A play brings a failure about on a stage or makes it up, and shows that what its hint names is of
 * use there.
 */
import { expect } from "vitest";
import type { CommandFailure } from "../../examples/cli/src/CommandFailure.js";
import { type CallerOptions, callIn } from "../support/InProcess.js";
import type { Stage, Told } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

/** A failure as JSON tells it. */
export type Wrong = Told["error"];

/** What a command of a hint came to. */
export type Run = (
  at: number,
  ...more: ReadonlyArray<string>
) => Promise<{ exit: number; text: string }>;

/** What brings a hint about, and what shows that it helps. */
export interface Play {
  /** Brings it about, or makes it up. */
  readonly fails: (stage: Stage) => Promise<Wrong | CommandFailure>;
  /** Whether it plays where there is a session `a` that said hello, which it leaves as it is. */
  readonly beside?: true;
  /** Runs the commands; a hint that names none has nothing to be shown. */
  readonly helps?: (run: Run, stage: Stage) => Promise<void>;
}

export const json = async (stage: Stage, words: ReadonlyArray<string>, options?: CallerOptions) =>
  JSON.parse((await callIn(stage, ["--json", ...words], options)).out) as Told;

export const calls = async (stage: Stage, ...lines: ReadonlyArray<string>): Promise<Wrong> => {
  let error: Wrong | undefined;
  for (const line of lines) error = (await json(stage, line.split(" "))).error;
  if (error === undefined) throw new Error(`${lines.at(-1)} is no failure`);
  return error;
};

export const failing =
  (...lines: ReadonlyArray<string>): Play["fails"] =>
  (stage) =>
    calls(stage, ...lines);

export const where = { session: "a", attempted: "delete" };
export const made =
  (failure: CommandFailure): Play["fails"] =>
  () =>
    Promise.resolve(failure);

/** A session whose program keeps running. */
export const CAT_A = "create a -- cat";

/** Every command exits with 0 and says what is expected of it, in order. */
export const saying =
  (...texts: ReadonlyArray<RegExp>): NonNullable<Play["helps"]> =>
  async (run) => {
    for (const [at, text] of texts.entries()) {
      const said = await run(at);
      expect(said).toMatchObject({ exit: 0 });
      expect(said.text).toMatch(text);
    }
  };

/** A session whose program has ended, and whose row says so. */
export const ENDED_A = ["create a --start-window 0 -- true", "wait a --exit", "reconcile a"];

/** A create that was killed in its start window, so that its row is unfinished. */
export const cutOff = async (stage: Stage): Promise<void> => {
  const cut = stage.start(["create", "a", "--start-window", "1h", "--", "sleep", "600"]);
  await waitFor("the session", () => stage.sessionsInTmux.includes("a"));
  cut.signal("SIGKILL");
  await cut.ended;
};
