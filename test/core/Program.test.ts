/**
 * Program: where a program is looked for, and that the answer names what was searched.
 */
import { describe, expect, it } from "@effect/vitest";
import { Host } from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { Effect, Layer, Redacted } from "effect";
import { fakeHome, pass } from "./FakeHome.js";

/** Every path that the host was asked for, when nothing is there. */
const searched = (command: ReadonlyArray<string>, path: string, cwd = "/project") =>
  Effect.gen(function* () {
    const asked: Array<string> = [];
    const host = Layer.succeed(Host, {
      environment: new Map([["PATH", path]]),
      undecodable: new Set<string>(),
      cwd: Effect.succeed(cwd),
      directory: () => Effect.succeed("ok" as const),
      program: (candidate) =>
        Effect.sync(() => {
          asked.push(candidate);
          return "missing" as const;
        }),
    });
    const home = yield* fakeHome({ hostLayer: host });
    const error = yield* Effect.flip(home.sessions.create({ session: "a", command, cwd }));
    return { asked, error };
  });

describe("a program", () => {
  it.scoped("with a plain name is looked for in each directory of PATH, in order", () =>
    Effect.gen(function* () {
      const { asked, error } = yield* searched(["agent"], "/a:/b/c::rel");
      expect(asked).toEqual(["/a/agent", "/b/c/agent", "/project/./agent", "/project/rel/agent"]);
      expect(error).toMatchObject({ _tag: "StartFailed", program: "agent", path: "/a:/b/c::rel" });
    }),
  );

  it.scoped("with a path is looked for there alone, relative to the session's directory", () =>
    Effect.gen(function* () {
      expect((yield* searched(["/x/agent"], "/a")).asked).toEqual(["/x/agent"]);
      expect((yield* searched(["./agent"], "/a")).asked).toEqual(["/project/./agent"]);
    }),
  );

  it.scoped("that is empty, or has a NUL in a word, is not looked for at all", () =>
    Effect.gen(function* () {
      expect((yield* searched([""], "/a")).asked).toEqual([]);
      expect((yield* searched(["agent", "a\0b"], "/a")).asked).toEqual([]);
      expect((yield* searched([], "/a")).error._tag).toBe("StartFailed");
    }),
  );

  it.scoped("with more words, or longer ones, than it can be given is not looked for either", () =>
    Effect.gen(function* () {
      const words = (count: number, bytes: number) =>
        Array.from({ length: count }, () => "x".repeat(bytes));
      for (const most of [words(1_999, 9), ["é".repeat(65_535)], words(3, 87_300)]) {
        expect((yield* searched(["agent", ...most], "/a")).asked).toEqual(["/a/agent"]);
      }
      for (const more of [words(2_000, 9), ["é".repeat(65_536)], words(3, 87_400)]) {
        const { asked, error } = yield* searched(["agent", ...more], "/a");
        expect(asked).toEqual([]);
        expect(error).toMatchObject({ _tag: "StartFailed", reason: "too-long" });
        expect(error.message.length).toBeLessThan(200);
      }
    }),
  );

  it.scoped("that cannot be executed is told as that, unless PATH has one that can", () =>
    Effect.gen(function* () {
      const noPrograms = { "/tmp": "not-a-file", "/bin/sleep": "not-permitted" } as const;
      const environment = { PATH: "/none:/bin" };
      const host = { environment, missingPrograms: ["/none/sleep"], noPrograms };
      const home = yield* fakeHome({ host });
      const create = (program: string, env: Record<string, string> = {}) =>
        pass(home.sessions.create({ session: "a", command: [program, "1000"], cwd: "/", env }));
      const directory = yield* Effect.flip(create("/tmp"));
      expect(directory).toMatchObject({ _tag: "StartFailed", reason: "not-a-file" });
      expect(directory.message).toBe('"/tmp" cannot be executed: not a regular file');
      const denied = yield* Effect.flip(create("sleep"));
      expect(denied).toMatchObject({ _tag: "StartFailed", reason: "not-permitted" });
      const made = yield* create("sleep", { PATH: "/bin:/usr/bin" });
      expect(made.state).toBe("running");
    }),
  );

  it.scoped("is looked for on the PATH that was supplied for the session", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome({ host: { missingPrograms: ["/own/agent"] } });
      const env = { PATH: Redacted.make("/own") };
      const call = home.sessions.create({ session: "a", command: ["agent"], cwd: "/", env });
      expect(yield* Effect.flip(call)).toMatchObject({ _tag: "StartFailed", path: "/own" });
    }),
  );
});

describe("a directory", () => {
  it.scoped(
    "that tmux cannot enter, although the host could, has no program started in another",
    () =>
      Effect.gen(function* () {
        let started = false;
        const agent = FakeTmux.program(() => {
          started = true;
        });
        const tmux = { programs: { agent }, missingDirectories: ["/gone"] };
        const home = yield* fakeHome({ tmux });
        const call = home.sessions.create({ session: "a", command: ["agent"], cwd: "/gone" });
        const error = yield* Effect.flip(pass(call));
        expect(error).toMatchObject({ _tag: "StartFailed", reason: "ended" });
        expect(error.message).toContain("can't cd to /gone");
        expect([started, yield* home.inTmux, yield* home.rows]).toEqual([
          false,
          [],
          ["a/1 failed"],
        ]);
      }),
  );
});
