/**
 * The JSON of every command and of every error code, as it was and has to stay.
 *
 * Each answer is compared with its file in `golden`, and both with the schema that is printed. With
 * TROUPE_GOLDEN=write the files are written anew, to be looked at before they are kept.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { commandResults } from "../../examples/cli/src/AnswerSchema.js";
import { envelope } from "../../examples/cli/src/Envelope.js";
import { exitRow, usualRows } from "../../examples/cli/src/ExitCode.js";
import { atStage, callIn } from "../support/InProcess.js";
import type { Stage } from "../support/Stage.js";
import { goldenCalls, hostile } from "./GoldenCalls.js";
import { stabilizer } from "./Stable.js";

const directory = fileURLToPath(new URL("golden", import.meta.url));
const writes = process.env.TROUPE_GOLDEN === "write";

/** A call and its answer: a line, or each of them where the command writes several. */
interface Golden {
  readonly call: ReadonlyArray<string> | null;
  readonly exit: number;
  readonly answer: ReadonlyArray<unknown>;
}

const pathOf = (file: string): string => `${directory}/${file}.json`;

const kept = (): ReadonlyArray<string> =>
  readdirSync(directory)
    .map((name) => name.replace(/\.json$/, ""))
    .sort();

const compare = (file: string, golden: Golden): void => {
  if (writes) writeFileSync(pathOf(file), `${JSON.stringify(golden, null, 2)}\n`);
  const known: unknown = JSON.parse(readFileSync(pathOf(file), "utf8"));
  expect({ file, golden }).toEqual({ file, golden: known });
};

/** What depends on the machine that the test runs on is none of its matter. */
const ofMachine = /"(home-passing|home-on-network|disk-low|server-in-service-cgroup)"/;

const withoutMachine = (line: { readonly result?: { findings?: ReadonlyArray<unknown> } }) => {
  const findings = line.result?.findings?.filter((one) => !ofMachine.test(JSON.stringify(one)));
  return findings === undefined ? line : { ...line, result: { ...line.result, findings } };
};

/** What is wrong with a line by the schema that is printed; `null` when nothing is. */
const validator = async (stage: Stage) => {
  const schema = JSON.parse((await callIn(stage, ["schema"])).out);
  const ajv = new Ajv().addSchema(schema, "troupe");
  return (line: unknown): string | null =>
    ajv.validate("troupe", line) ? null : ajv.errorsText(ajv.errors?.slice(-3));
};

const commandFiles = Object.keys(commandResults).map((name) => name.replaceAll(" ", "-"));
const codes = [...new Set(Object.values(usualRows).map(({ code }) => code))];

describe("a golden file", () => {
  it("is there for every command and every code, and for nothing else", () => {
    if (writes) for (const name of kept()) rmSync(pathOf(name));
    const made = [
      ...goldenCalls.flatMap(({ file }) => (file === null ? [] : [file])),
      ...hostile.map((failure) => exitRow(failure).code),
    ];
    expect([...made].sort()).toEqual([...commandFiles, ...codes].sort());
    if (!writes) expect(kept()).toEqual([...commandFiles, ...codes].sort());
  });

  it(
    "is what the command answers",
    atStage(async (stage) => {
      const validate = await validator(stage);
      const stable = stabilizer(stage);
      for (const { file, first, options, words } of goldenCalls) {
        await first?.(stage);
        const { exit, out } = await callIn(stage, ["--json", ...words], options?.(stage));
        const lines = out
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line));
        expect([words, ...lines.map(validate)]).toEqual([words, ...lines.map(() => null)]);
        const answer = lines.map((line) => stable(withoutMachine(line)));
        expect([words, ...answer.map(validate)]).toEqual([words, ...answer.map(() => null)]);
        if (file === null) expect([words, exit]).toEqual([words, 0]);
        else compare(file, { call: words, exit, answer });
      }
    }),
  );

  it.each(hostile)("is what is told of %s", (failure) => {
    const { code, exit } = exitRow(failure);
    const answer = [JSON.parse(envelope("delete", undefined, failure))];
    compare(code, { call: null, exit, answer });
  });
});
