/**
 * Environment: what is passed, what is refused, and what no message may show.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  baseEnvironment,
  checkEnvironment,
  IncarnationId,
  inheritedEnvironment,
  masked,
  SessionName,
} from "@troupe/core";
import { Effect, Redacted } from "effect";

const creator = new Map([
  ["PATH", "/bin"],
  ["HOME", "/home/me"],
  ["LC_ALL", "C"],
  ["TZ", "UTC"],
  ["AWS_SECRET", "canary-1"],
  ["TMUX", "/tmp/other"],
  ["TROUPE_INCARNATION", "outer"],
]);

describe("the base environment", () => {
  it("is an allow-list of the creator's, with the mark of this session", () => {
    const base = baseEnvironment(SessionName.make("a"), IncarnationId.make("inc-12345"), creator);
    expect(Object.fromEntries(base)).toEqual({
      PATH: "/bin",
      HOME: "/home/me",
      LC_ALL: "C",
      TZ: "UTC",
      TROUPE_SESSION: "a",
      TROUPE_INCARNATION: "inc-12345",
    });
  });

  it("is the whole of the creator's when asked for, but for what tmux and troupe set", () => {
    expect([...inheritedEnvironment(creator).keys()]).toEqual([
      "PATH",
      "HOME",
      "LC_ALL",
      "TZ",
      "AWS_SECRET",
    ]);
  });
});

const checked = { session: "a", attempted: "create" };

describe("supplied values", () => {
  it.effect("become Redacted, so that printing them shows nothing", () =>
    Effect.map(checkEnvironment(checked, { TOKEN: "canary-2" }), (supplied) => {
      expect(JSON.stringify([...supplied])).not.toContain("canary-2");
      expect([...supplied.values()].map(Redacted.value)).toEqual(["canary-2"]);
    }),
  );

  for (const [what, env] of [
    ["an empty name", { "": "canary-3" }],
    ["a name with =", { "A=B": "canary-3" }],
    ["a NUL in a value", { A: "canary-3\0x" }],
    ["a variable that tmux sets itself", { TMUX_PANE: "canary-3" }],
    ["a variable that is troupe's own", { TROUPE_INCARNATION: "canary-3" }],
  ] as const) {
    it.effect(`with ${what} are InvalidEnv, which names the variable and not its value`, () =>
      Effect.map(Effect.flip(checkEnvironment(checked, env)), (error) => {
        expect(error._tag).toBe("InvalidEnv");
        expect(error.variables).toEqual(Object.keys(env));
        expect(JSON.stringify(error) + error.message).not.toContain("canary-3");
      }),
    );
  }

  it("are masked in a text, the longer one first", () => {
    const supplied = new Map([
      ["A", Redacted.make("canary")],
      ["B", Redacted.make("canary-long")],
      ["C", Redacted.make("1")],
    ]);
    expect(masked("x canary-long y canary z 1", supplied)).toBe("x *** y *** z 1");
  });
});
