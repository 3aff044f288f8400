/**
 * Completions, asked of the shells themselves: they offer what the parser takes, and no more.
 *
 * A shell that is not there is not asked.
 */
import { spawnSync } from "node:child_process";
import { Either } from "effect";
import { describe, expect, it } from "vitest";
import { parseArgv } from "../../examples/cli/src/Argv.js";
import { commands } from "../../examples/cli/src/Commands.js";
import { bash } from "../../examples/cli/src/completions/Bash.js";
import { fish } from "../../examples/cli/src/completions/Fish.js";
import { placesOf, valuesOf } from "../../examples/cli/src/completions/Words.js";
import { zsh } from "../../examples/cli/src/completions/Zsh.js";
import { atStage, callIn } from "../support/InProcess.js";

const places = placesOf(commands);

const run = (shell: string, words: ReadonlyArray<string>, script: string) => {
  const { stderr, stdout } = spawnSync(shell, words, { input: script, encoding: "utf8" });
  return { stderr, offered: stdout.split("\n").filter((line) => line !== "") };
};

/** What the shell offers for the last of the words, which is what was begun. */
const asked: Readonly<Record<string, (words: ReadonlyArray<string>) => ReadonlyArray<string>>> = {
  bash: (words) => {
    const line = `COMP_WORDS=(${words.map((w) => `'${w}'`).join(" ")}); COMP_CWORD=${words.length - 1}`;
    const { offered } = run(
      "bash",
      ["--norc"],
      `${bash(places)}\n${line}; _troupe; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );
    return offered;
  },
  zsh: (words) => {
    const stubs = [
      "compdef() { :; }; _message() { :; }; _files() { print -l -- *(N) }",
      `_describe() { print -l -- \${\${(P)2}%%:*} }; compadd() { shift; print -l -- "$@" }`,
    ].join("\n");
    const line = `words=(${words.map((w) => `'${w}'`).join(" ")}); CURRENT=${words.length}`;
    const { offered, stderr } = run("zsh", ["-f"], `${stubs}\n${zsh(places)}\n${line}; _troupe`);
    expect(stderr).toBe("");
    return offered.filter((word) => word.startsWith(words.at(-1) ?? ""));
  },
  fish: (words) => {
    const line = words.join(" ");
    const script = `${fish(places)}\ncomplete -C '${line}'\n`;
    const { offered, stderr } = run("fish", ["--no-config", "-c", script], "");
    expect(stderr).toBe("");
    return offered.map((word) => word.split("\t")[0] ?? "");
  },
};

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

const optionsOf = (name: string): ReadonlyArray<string> =>
  places.find((place) => place.name === name)?.options.map((option) => `--${option.name}`) ?? [];

const sorted = (words: ReadonlyArray<string> | undefined) => [...(words ?? [])].sort();

describe.each(["bash", "zsh", "fish"])("%s", (shell) => {
  const offers = (line: string) => sorted(asked[shell]?.(line.split(" ")));

  it.skipIf(!has(shell)).each([
    ["troupe ter", ["terminal"]],
    ["troupe terminal ", ["add", "delete", "list"]],
    ["troupe --home /h terminal a", ["add"]],
    ["troupe home ", ["list"]],
    ["troupe rm --sp", ["--spare-detached"]],
    ["troupe --completions ", ["bash", "fish", "zsh"]],
    ["troupe list --state ex", ["exited"]],
    ["troupe create create --co", ["--cols"]],
  ])("offers for %j %j", (line, expected) => {
    expect(offers(line)).toEqual(expected);
  });

  it.skipIf(!has(shell)).each(["", "list", "terminal add", "home list", "lease take-over", "home"])(
    "offers for %j the options that there are, and none other",
    (name) => {
      const line = name === "" ? "troupe --" : `troupe ${name} --`;
      expect(offers(line)).toEqual(sorted(optionsOf(name)));
    },
  );

  it.skipIf(!has(shell))("offers none of ours behind --", () => {
    expect(offers("troupe create a -- --js")).toEqual([]);
  });
});

describe("the options of the places", () => {
  it("are those that the parser takes", () => {
    for (const { name, options } of places.filter(({ words }) => words.length === 0)) {
      for (const option of options.filter(({ name }) => name !== "help")) {
        const value = valuesOf(option) === null ? [] : ["x"];
        const parsed = parseArgv(commands, [...name.split(" "), `--${option.name}`, ...value]);
        const reason = Either.match(parsed, { onLeft: (m) => m.reason, onRight: () => "" });
        expect([name, reason]).not.toEqual([name, expect.stringMatching(/option/)]);
      }
    }
  });

  it("have a value everywhere or nowhere", () => {
    const kinds = new Map<string, boolean>();
    for (const option of places.flatMap(({ options }) => options)) {
      const valued = valuesOf(option) !== null;
      expect([option.name, kinds.get(option.name) ?? valued]).toEqual([option.name, valued]);
      kinds.set(option.name, valued);
    }
  });

  it("of a shell that is none are a wrong call", () =>
    atStage(async (stage) => {
      for (const word of ["constructor", "toString", "__proto__", "sh"]) {
        const { exit, out } = await callIn(stage, ["--json", "--completions", word]);
        expect([exit, JSON.parse(out).error.code]).toEqual([2, "USAGE"]);
      }
    })());
});
