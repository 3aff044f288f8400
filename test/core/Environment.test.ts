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
import { fakeHome, pass, sleep } from "./FakeHome.js";

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
    ["a variable that the shell starts anew", { OPTIND: "canary-3" }],
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

  it.effect("that are no text are InvalidEnv, whatever a caller without types gives", () =>
    Effect.gen(function* () {
      const odd = { A: undefined, B: 7, C: null, D: ["canary-3"], E: Redacted.make(7) };
      const given = { ...odd, FINE: "x", ALSO: Redacted.make("y") } as unknown;
      const call = checkEnvironment(checked, given as Record<string, string>);
      const error = yield* Effect.flip(call);
      expect(error).toMatchObject({ _tag: "InvalidEnv", variables: ["A", "B", "C", "D", "E"] });
      expect(JSON.stringify(error) + error.message).not.toContain("canary-3");
    }),
  );

  it("are masked in a text, the longer one first", () => {
    const supplied = new Map([
      ["A", Redacted.make("canary")],
      ["B", Redacted.make("canary-long")],
      ["C", Redacted.make("1")],
    ]);
    expect(masked("x canary-long y canary z 1", supplied)).toBe("x *** y *** z 1");
  });

  it("are masked although a terminal shows other white space than they have", () => {
    const supplied = new Map([
      ["A", Redacted.make("\tone two\nthree\n")],
      ["B", Redacted.make("a\n\n")],
      ["C", Redacted.make("c.n(ry")],
    ]);
    expect(masked("x one    two\r\n  three y", supplied)).toBe("x *** y");
    expect(masked("a\tb  c.n(ry\n", supplied)).toBe("a\tb  ***\n");
  });

  it("are masked line by line where only the last lines of one are left", () => {
    const supplied = new Map([["KEY", Redacted.make("BEGIN\nfirst-line\r\nlast-line\nx\n")]]);
    expect(masked("first-line\nlast-line\nx", supplied)).toBe("***\n***\nx");
  });

  it("are masked whatever their size", () => {
    const long = "ab ".repeat(43_000);
    const supplied = new Map([["A", Redacted.make(long)]]);
    expect(masked(`<${long}>`, supplied)).toBe("<*** >");
  });
});

describe("the size of an environment", () => {
  /** A value with which the variable has so many bytes, of two for each character but the last. */
  const filling = (name: string, bytes: number) => {
    const rest = bytes - name.length - 2;
    return "ä".repeat(Math.floor(rest / 2)) + "x".repeat(rest % 2);
  };
  const check = (env: Record<string, string>) => Effect.either(checkEnvironment(checked, env));
  const KIB = 1024;

  it.effect("is bounded for one variable by the bytes that the kernel takes", () =>
    Effect.gen(function* () {
      const fits = { SMALL: "x", TOKEN: filling("TOKEN", 128 * KIB) };
      expect((yield* check(fits))._tag).toBe("Right");
      const larger = { SMALL: "x", TOKEN: filling("TOKEN", 128 * KIB + 1) };
      const error = yield* Effect.flip(checkEnvironment(checked, larger));
      expect(error).toMatchObject({ _tag: "InvalidEnv", variables: ["TOKEN"] });
      expect(error.message).toContain("131072");
      expect(error.message.length).toBeLessThan(200);
    }),
  );

  it.effect("is bounded for all of them, and the three largest are named", () =>
    Effect.gen(function* () {
      const env = {
        A: filling("A", 100 * KIB),
        B: filling("B", 60 * KIB),
        C: filling("C", 80 * KIB),
        D: filling("D", 16 * KIB),
      };
      expect((yield* check(env))._tag).toBe("Right");
      const error = yield* Effect.flip(checkEnvironment(checked, { ...env, E: "" }));
      expect(error).toMatchObject({ _tag: "InvalidEnv", variables: ["A", "C", "B"] });
      expect(error.message).toContain("262144");
    }),
  );

  it.scoped("is checked before anything is done, with what is inherited or held beside it", () =>
    Effect.gen(function* () {
      const half = "x".repeat(120 * KIB);
      const full = "y".repeat(17 * KIB);
      const environment = { PATH: "/bin", SHELL: "/bin/sh", OWN: half };
      const home = yield* fakeHome({ host: { environment } });
      const { sessions } = home;
      const refused = { _tag: "InvalidEnv", variables: ["MINE", "OWN", "MORE"] };
      const over = { MINE: half, MORE: full };
      const own = { session: "a", ...sleep, inheritEnv: true };
      const refuse = <A, E>(call: Effect.Effect<A, E>) => Effect.flip(pass(call));
      expect(yield* refuse(sessions.create({ ...own, env: over }))).toMatchObject(refused);
      expect([yield* home.rows, yield* home.tmux.requests]).toEqual([[], []]);
      yield* pass(sessions.create({ ...own, env: { MINE: half } }));
      const before = [yield* home.inTmux, [...home.store.events]];
      const add = sessions.addTerminal({ session: "a", ...sleep, env: { MORE: full } });
      expect(yield* refuse(add)).toMatchObject(refused);
      expect(yield* refuse(sessions.setEnv("a", { MORE: half + full }))).toMatchObject({
        _tag: "InvalidEnv",
        variables: ["MORE"],
      });
      expect([yield* home.inTmux, [...home.store.events]]).toEqual(before);
      yield* home.tmux.crash;
      yield* pass(sessions.reconcile("a"));
      const again = sessions.restore("a", { env: { MORE: full } });
      expect(yield* refuse(again)).toMatchObject(refused);
      expect(yield* home.rows).toEqual(["a/1 lost"]);
    }),
  );
});
