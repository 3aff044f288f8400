/**
 * schema: what the commands write is what `troupe schema` says that they write, and the codes and
 * exit codes are those of the contract.
 *
 * The commands are run in this process, on a real tmux, because what they write is at stake and not
 * how a process of theirs ends. Failures that nobody can provoke are made up from their schemas.
 */
import { existsSync } from "node:fs";
import { Ajv } from "ajv";
import { Arbitrary, FastCheck, type Schema } from "effect";
import { describe, expect, it } from "vitest";
import { commandResults } from "../../examples/cli/src/AnswerSchema.js";
import { CommandFailure } from "../../examples/cli/src/CommandFailure.js";
import { commands } from "../../examples/cli/src/Commands.js";
import { envelope } from "../../examples/cli/src/Envelope.js";
import { exitRow, usualRows } from "../../examples/cli/src/ExitCode.js";
import { atStage, callIn } from "../support/InProcess.js";
import { onStage, type Stage, toldBy } from "../support/Stage.js";

/** The exit codes of the contract of the command line, and the codes that stand beside each. */
const contract: Readonly<Record<number, ReadonlyArray<string>>> = {
  1: ["INTERNAL"],
  2: ["USAGE", "INVALID_NAME", "INVALID_CWD", "INVALID_ENV", "NESTED", "SELF_ATTACH"],
  3: ["NOT_FOUND"],
  4: ["ALREADY_EXISTS", "FOREIGN_SESSION"],
  5: ["LOOKUP_FAILED", "UNSUPPORTED_TMUX"],
  6: ["KILL_UNCONFIRMED", "PROCESSES_SURVIVED"],
  7: [
    ...["BUSY", "MAILBOX_FULL", "LEASE_HELD", "LEASE_LOST", "CAPACITY_REACHED", "CLOSING"],
    ...["CLIENT_GONE", "INTERRUPT_SETTLING"],
  ],
  8: ["REGISTRY_UNAVAILABLE", "REGISTRY_CORRUPT"],
  9: ["START_FAILED", "TMUX_REFUSED"],
  11: ["WAIT_TIMEOUT"],
  12: ["DOCTOR_FINDINGS"],
  130: ["INTERRUPTED"],
};

/** Codes of the contract that nothing fails with, because what could is not there. */
const unused = ["CLIENT_GONE", "INTERRUPT_SETTLING"];

type AnyFailure = Schema.Schema<CommandFailure, unknown>;

/** What is wrong with a line, by the definition of this name or by the schema whole; or `null`. */
type Validate = (line: unknown, definition?: string) => string | null;

interface Printed {
  readonly $defs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The schema that is printed, whole or of one command. */
const printed = async (stage: Stage, ...words: ReadonlyArray<string>): Promise<Printed> =>
  JSON.parse((await callIn(stage, ["schema", ...words])).out);

const validatorOf = (schema: Printed): Validate => {
  const ajv = new Ajv().addSchema(schema, "troupe");
  return (line, definition) => {
    const at = definition === undefined ? "troupe" : `troupe#/$defs/${definition}`;
    return ajv.validate(at, line) ? null : ajv.errorsText(ajv.errors?.slice(-3));
  };
};

const definitionOf = (command: string | null): string =>
  command === null ? "no-command" : command.replaceAll(" ", "-");

/** Calls in order, after which every command has answered, and what each exits with. */
const calls: ReadonlyArray<readonly [words: ReadonlyArray<string>, exit: number]> = [
  [["version"], 0],
  [["schema", "wait"], 0],
  [["schema", "nonsense"], 2],
  [["list"], 0],
  [["home", "list"], 0],
  [["inspect", "a"], 3],
  [["create", "a", "--cols", "80", "--", "sh", "-c", "echo hello; exec cat"], 0],
  [["create", "b", "--no-log", "--", "true"], 0],
  [["create", "a"], 4],
  [["create", "a.b"], 2],
  [["create", "c", "--cwd", "/nowhere"], 2],
  [["create", "c", "--env", "1=2"], 2],
  [["create", "c", "--", "/nowhere"], 9],
  [["create", "--help"], 0],
  [["terminal", "add", "a", "--", "cat"], 0],
  [["terminal", "list", "a"], 0],
  [["lease", "show", "a"], 0],
  [["lease", "release", "a"], 0],
  [["lease", "take-over", "a"], 0],
  [["lease", "take-over", "never"], 3],
  [["send", "a", "typed", "--enter"], 0],
  [["wait", "a", "--text", "typed"], 0],
  [["wait", "a", "--exit", "--timeout", "0"], 11],
  [["wait", "b", "--exit"], 0],
  [["capture", "a"], 0],
  [["capture", "a", "--tmux", "/nowhere/tmux"], 5],
  [["list", "--tmux", "/nowhere/tmux"], 5],
  [["logs", "a"], 0],
  [["logs", "b"], 3],
  [["attach", "a", "--print"], 0],
  [["terminal", "delete", "a", "t2", "--grace", "0"], 0],
  [["adopt", "mine"], 0],
  [["adopt", "never"], 3],
  [["list", "--all"], 0],
  [["inspect", "a"], 0],
  [["reconcile"], 0],
  [["reconcile", "a", "never", "--dry-run"], 3],
  [["restore", "b"], 0],
  [["restore", "b", "a"], 4],
  [["delete", "never", "b"], 3],
  [["delete", "a", "--grace", "0"], 0],
  [["delete", "a", "mine", "--grace", "0"], 0],
  [["events"], 0],
  [["doctor"], 0],
  [["gc", "--older-than", "0"], 0],
  [["server", "status"], 0],
  [["server", "stop"], 0],
  [["demo", "--fake"], 0],
];

describe("what a command writes", () => {
  it(
    "is what its schema says, a result as well as a failure, of every command",
    atStage(async (stage) => {
      const validate = validatorOf(await printed(stage));
      const answered = new Set<string>();
      for (const [words, exit] of calls) {
        if (words[0] === "adopt") stage.tmux("new-session", "-d", "-s", "mine", "sleep 600");
        const written = await callIn(stage, ["--json", ...words]);
        expect([words, written.exit, written.out === ""]).toEqual([words, exit, false]);
        for (const text of written.out.trimEnd().split("\n")) {
          const line = JSON.parse(text);
          const { command, ok } = line;
          const definition = definitionOf(command);
          expect([words, line, validate(line, definition)]).toEqual([words, line, null]);
          expect(validate({ ...line, more: 1 }, definition)).not.toBeNull();
          if (!ok) continue;
          expect(validate({ ...line, result: undefined }, definition)).not.toBeNull();
          answered.add(command);
        }
      }
      expect([...answered].sort()).toEqual(Object.keys(commandResults).sort());
    }),
  );

  it(
    "has a schema of its own, whichever command it is, and that is part of the whole one",
    onStage(async (stage) => {
      const names = commands.map(({ name }) => name).sort();
      expect(Object.keys(commandResults).sort()).toEqual(names);
      const { $defs } = await printed(stage);
      for (const name of names) {
        const {
          $defs: own,
          $schema: _,
          ...line
        } = { $schema: "", ...(await printed(stage, name)) };
        expect(line).toEqual($defs[definitionOf(name)]);
        expect($defs).toMatchObject(own);
      }
    }),
  );
});

describe("a failure", () => {
  it(
    "is what the schema says, whichever it is and whatever it tells",
    atStage(async (stage) => {
      const validate = validatorOf(await printed(stage));
      for (const failure of CommandFailure.members) {
        const made = Arbitrary.make<CommandFailure, unknown, never>(failure as AnyFailure);
        for (const each of FastCheck.sample(made, { numRuns: 8, seed: 1 })) {
          const line = JSON.parse(envelope("delete", undefined, each));
          expect([line, validate(line, "delete")]).toEqual([line, null]);
          const { details, ...rest } = line.error;
          const [, ...fewer] = Object.entries(details);
          const error = { ...rest, details: Object.fromEntries(fewer) };
          expect(validate({ ...line, error }, "delete")).not.toBeNull();
          expect(validate(JSON.parse(envelope(null, undefined, each)), "no-command")).toBeNull();
          expect(validate(line)).toBeNull();
        }
      }
    }),
  );

  it("has the code and the exit code of the contract, and all of that is used", () => {
    const rows = Object.values(usualRows).filter(({ code }) => code !== "DEMO_FAILED");
    const used = new Set(rows.map(({ code }) => code));
    for (const { code, exit } of rows) expect(contract[exit]).toContain(code);
    const known = Object.values(contract).flat();
    expect(known.filter((code) => !used.has(code)).sort()).toEqual([...unused].sort());
    const terminated = exitRow(CommandFailure.members[1].make({ signal: "SIGTERM" }));
    expect(terminated).toMatchObject({ code: "INTERRUPTED", exit: 143 });
  });
});

describe("troupe schema", () => {
  it(
    "has every code of the contract that is used, and looks at nothing",
    onStage(async (stage) => {
      const ended = await stage.json("--tmux", "/nowhere/tmux", "schema", "terminal", "add");
      expect([ended.code, ended.stderr]).toEqual([0, ""]);
      expect(existsSync(stage.home)).toBe(false);
      const { command, schema } = toldBy(ended).result;
      const codes = [...JSON.stringify(schema).matchAll(/"enum":\["([A-Z_]+)"\]/g)];
      const told = new Set(codes.map(([, code]) => code));
      const known = Object.values(contract).flat();
      expect(command).toBe("terminal add");
      expect(known.filter((code) => !told.has(code)).sort()).toEqual([...unused].sort());
    }),
  );
});
