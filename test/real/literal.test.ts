/**
 * Whatever a caller says reaches the program byte for byte: values, arguments, directories.
 *
 * Method: one session whose program writes what it got, null-separated, to a file.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect, FastCheck, Redacted } from "effect";
import { realHome } from "./RealHome.js";

const hostile = [
  "",
  " ",
  "a b",
  "x;",
  ";",
  "\\;",
  "a\nb\n",
  "\t\r\u0001\u001b[31m\u007f",
  "\"'`\\",
  "$HOME $\u007bHOME} $(id) #{pid} #(id) ##",
  "~ ~root {a} }{ %1 @1 $1 =x",
  "-e -- --help",
  "é 😀 e\u0301 \u200b",
  "%d %% %H",
  "x".repeat(70_000),
];

const random = FastCheck.sample(FastCheck.string({ unit: "binary", maxLength: 40 }), {
  numRuns: 200,
  seed: 7,
}).map((text) => Buffer.from(text.replaceAll("\0", "")).toString());

const texts = [...hostile, ...random];

describe("on a real tmux", () => {
  it.scopedLive("arguments and values arrive as they were given", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const script = 'printf "%s\\0" "$@" > args; env -0 > values; exec sleep 600';
      yield* sessions.create({
        session: "a",
        cwd: home.directory,
        command: ["sh", "-c", script, "sh", ...texts],
        env: Object.fromEntries(texts.map((text, i) => [`V${i}`, Redacted.make(text)])),
        startWindowMs: 500,
      });
      expect(home.read("args").split("\0").slice(0, -1)).toEqual(texts);
      const values = new Map(
        home
          .read("values")
          .split("\0")
          .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
      );
      expect(texts.map((_, i) => values.get(`V${i}`))).toEqual(texts);
      expect(home.tmux("show-environment", "-t", "=a:")).not.toContain("V0");
      const messages = home.control("a", "show-messages");
      expect(messages).toContain("%exit");
      expect(messages).not.toContain("new-session");
    }),
  );

  for (const name of ["a b", "#x", "##", "#[x", "##[y", "#{pid}", "$HOME", "q\"'`", "x;", "é%d"]) {
    it.scopedLive(`a directory called ${JSON.stringify(name)} is where the program starts`, () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const cwd = join(home.directory, name);
        mkdirSync(cwd);
        const sessions = yield* home.sessions();
        yield* sessions.create({
          session: "a",
          cwd,
          command: ["sh", "-c", "pwd -P > pwd; exec sleep 600"],
        });
        expect(home.read(join(name, "pwd"))).toBe(`${cwd}\n`);
      }),
    );
  }
});
