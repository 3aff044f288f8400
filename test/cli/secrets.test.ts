/**
 * Secret values reach the program and nothing else.
 *
 * While a session or a terminal is made, every command line on the machine is read again and
 * again; afterwards every file of the home is searched. The program itself must have the value, or
 * its absence elsewhere would prove nothing.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLinesWith } from "../support/Processes.js";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const canary = "canary-5f0c2a9b7d";
const program = ["--", "sh", "-c", 'printf %s "$SECRET" > got; exec sleep 600'];

const filesOf = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Starts the program while all command lines are watched; it must get the canary. */
const startWatched = async (stage: Stage, words: ReadonlyArray<string>): Promise<void> => {
  const { ended } = stage.start([...words, "--json", ...program], { env: { SECRET: canary } });
  let over = false;
  const mark = () => {
    over = true;
  };
  ended.then(mark, mark);
  let looks = 0;
  await waitFor("the end of the call", () => {
    looks += 1;
    expect(commandLinesWith(canary)).toEqual([]);
    return over;
  });
  expect(looks).toBeGreaterThan(1);
  const { code, stderr, stdout } = await ended;
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain(canary);
  expect(await stage.read("got")).toBe(canary);
};

const expectNowhere = async (stage: Stage): Promise<void> => {
  const holders = filesOf(stage.home).filter((file) => readFileSync(file).includes(canary));
  expect(holders).toEqual([]);
  const told = [await stage.run("inspect", "a", "--json"), await stage.run("list", "--json")];
  for (const { stdout } of told) expect(stdout).not.toContain(canary);
  const shown = stage.tmux("show-environment", "-t", "=a:").out + stage.tmux("show-messages").out;
  expect(shown).not.toContain(canary);
  expect(commandLinesWith(canary)).toEqual([]);
};

describe("a secret", () => {
  it("given by --env K is in no command line and no file, and the program has it", () =>
    onStage(async (stage) => {
      await startWatched(stage, ["create", "a", "--env", "SECRET"]);
      await expectNowhere(stage);
      await stage.json("delete", "a");
      await expectNowhere(stage);
    })());

  it("given by --env-file is in no command line and not in the home, and the program has it", () =>
    onStage(async (stage) => {
      writeFileSync(join(stage.directory, "secrets"), `SECRET=${canary}\n`, { mode: 0o600 });
      await startWatched(stage, ["create", "a", "--env-file", "secrets"]);
      await expectNowhere(stage);
    })());

  it.each([[["--env", "SECRET"]], [["--env-file", "secrets"]]])(
    "given by %j to a further terminal is nowhere but in its program",
    (words) =>
      onStage(async (stage) => {
        writeFileSync(join(stage.directory, "secrets"), `SECRET=${canary}\n`, { mode: 0o600 });
        await stage.json("create", "a", "--", "sleep", "600");
        await startWatched(stage, ["terminal", "add", "a", ...words]);
        await expectNowhere(stage);
      })(),
  );

  it("is masked where a program that failed to start printed it", () =>
    onStage(async (stage) => {
      const patient = ["--start-window", "1s"];
      const words = ["create", "a", "--json", ...patient, "--env", "SECRET", "--", "sh", "-c"];
      const script = 'echo "have $SECRET"; sleep 0.1; exit 1';
      const { ended } = stage.start([...words, script], { env: { SECRET: canary } });
      const { code, stderr, stdout } = await ended;
      expect(code).toBe(9);
      expect(stdout).toContain("have ***");
      expect(stdout + stderr).not.toContain(canary);
    })());
});
