/**
 * What the words of a call mean, before anything runs.
 */
import { Either } from "effect";
import { describe, expect, it } from "vitest";
import { parseArgv, type Request } from "../../examples/cli/src/Argv.js";
import { commands } from "../../examples/cli/src/Commands.js";
import * as Options from "../../examples/cli/src/Options.js";

const parse = (...words: ReadonlyArray<string>): Request =>
  Either.getOrThrow(parseArgv(commands, words));

const call = (...words: ReadonlyArray<string>) => {
  const request = parse(...words);
  if (request._tag !== "Run") throw new Error(request._tag);
  return { name: request.command.name, ...request.call };
};

const reason = (...words: ReadonlyArray<string>): string => {
  const parsed = parseArgv(commands, words);
  return Either.isLeft(parsed) ? parsed.left.reason : "understood";
};

describe("a call", () => {
  it("takes the options of every command before and after its name", () => {
    expect(call("--json", "--home", "/h", "create", "a").one(Options.home)).toBe("/h");
    expect(call("create", "a", "--home=/h", "--json").one(Options.home)).toBe("/h");
    expect(call("create", "a", "--json").has(Options.json)).toBe(true);
  });

  it("keeps what is behind the first -- verbatim, options included", () => {
    const { args, has, tail } = call("create", "a", "--", "p", "--json", "--help", "--", "");
    expect(args).toEqual(["a"]);
    expect(tail).toEqual(["p", "--json", "--help", "--", ""]);
    expect(has(Options.json)).toBe(false);
  });

  it("takes what is behind -- as names where there is no command to run", () => {
    expect(call("delete", "a", "--", "b").args).toEqual(["a", "b"]);
  });

  it("is no call for help where a word for it may be the value of an option", () => {
    for (const word of ["-h", "--help"]) {
      expect(reason("wait", "s", "--text", word)).toMatch(/argument is ambiguous/);
      expect(call("wait", "s", `--text=${word}`).one(Options.text)).toBe(word);
      expect(parse("wait", "s", word)._tag).toBe("Help");
      expect(parse("terminal", word)._tag).toBe("Help");
      expect(parse(word)._tag).toBe("Help");
    }
  });

  it("knows a command by its alias", () => {
    expect(call("ls").name).toBe("list");
    expect(call("rm", "a").name).toBe("delete");
  });

  it("knows a command of two words, with options before, between and behind them", () => {
    const { all, args, has, name, one, tail } = call(
      ...["--json", "terminal", "--home", "/h", "add", "a", "--env", "K", "--", "list"],
    );
    expect([name, args, tail]).toEqual(["terminal add", ["a"], ["list"]]);
    expect([has(Options.json), one(Options.home), all(Options.env)]).toEqual([true, "/h", ["K"]]);
    expect(call("terminal", "delete", "a", "t2").args).toEqual(["a", "t2"]);
  });

  it("takes no second word for a part of the command where its first is whole", () => {
    expect(call("inspect", "terminal").args).toEqual(["terminal"]);
    expect(call("create", "add").args).toEqual(["add"]);
  });

  it("keeps values as they are: blanks, equals signs, and the order of repeated ones", () => {
    const words = ["--env", "A= x ", "--env=B=1=2", "--env", "C="];
    expect(call("create", "a", ...words).all(Options.env)).toEqual(["A= x ", "B=1=2", "C="]);
  });

  it("takes no name for the value of a switch before it", () => {
    expect(call("delete", "--force", "yes", "true").args).toEqual(["yes", "true"]);
  });

  it("asks for help wherever --help stands before --", () => {
    expect(parse("--help")).toMatchObject({ _tag: "Help", command: null });
    expect(parse("create", "--bad", "-h")).toMatchObject({ command: { name: "create" } });
    expect(parse("terminal", "-h")).toMatchObject({ command: null, group: "terminal" });
    expect(parse("terminal", "add", "-h")).toMatchObject({ command: { name: "terminal add" } });
  });
});

describe("a call that is wrong", () => {
  it.each([
    [[], "there is no COMMAND"],
    [["creat"], 'there is no command "creat"'],
    [["--nonsense", "list"], "Unknown option '--nonsense'"],
    [["create"], "NAME is missing"],
    [["create", "a", "b"], "there is more than NAME; COMMAND goes behind --"],
    [["create", "a", "--"], "there is no COMMAND behind --"],
    [["create", "a", "--cwd", ""], "--cwd wants a value"],
    [["list", "--home="], "--home wants a value"],
    [["create", "a", "--cwd"], "Option '--cwd <value>' argument missing"],
    [["list", "a"], "there are too many arguments"],
    [["inspect"], "NAME is missing"],
    [["terminal"], "terminal wants one of add, list, delete"],
    [["terminal", "ad", "a"], "terminal wants one of add, list, delete"],
    [["add", "a"], 'there is no command "add"'],
    [["terminal", "delete"], "NAME is missing"],
    [["terminal", "delete", "a"], "TERMINAL is missing"],
    [["terminal", "delete", "a", "t2", "t3"], "there are too many arguments"],
    [["terminal", "add", "a", "--inherit-env"], "Unknown option '--inherit-env'"],
  ])("%j is refused with a reason", (words, expected) => {
    expect(reason(...words)).toBe(expected);
  });

  it.each([
    ["delete", "a", "--dry-run"],
    ["reconcile", "a", "--force"],
    ["restore", "a", "--cwd"],
    ["adopt", "a", "--all"],
  ])("%s %s %s is not ignored although another command takes it", (...words) => {
    expect(reason(...words)).toMatch(/^Unknown option/);
  });

  it("does not repeat what may be a secret", () => {
    expect(reason("create", "a", "--env", "TOKEN", "hunter2")).not.toContain("hunter2");
    expect(reason("create", "a", "--evn=TOKEN=hunter2")).not.toContain("hunter2");
    expect(reason("--env", "TOKEN=hunter2", "create", "a")).toBe("Unknown option '--env'");
    expect(reason("terminal", "--env", "TOKEN=hunter2", "add", "a")).not.toContain("hunter2");
  });
});
