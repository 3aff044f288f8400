/**
 * InheritedValues: what the creator's own environment holds and is no text is passed on to no
 * program changed: it is refused by its name, before anything is done.
 */
import { describe, expect, it } from "@effect/vitest";
import { Host, type Sessions } from "@troupe/core";
import { Effect, Layer } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** A home whose creator has odd values of what the test names. */
const oddHome = Effect.gen(function* () {
  const odd = new Set<string>();
  const hostLayer = Layer.succeed(Host, {
    environment: new Map([
      ["PATH", "/bin"],
      ...["LANG", "V", "1X"].map((n) => [n, "\ufffd"] as const),
    ]),
    undecodable: odd,
    cwd: Effect.succeed("/"),
    directory: () => Effect.succeed("ok" as const),
    program: () => Effect.succeed("ok" as const),
  });
  return { home: yield* fakeHome({ hostLayer }), odd };
});

const own = { session: "a", ...sleep };

const valuesOf = (home: FakeHome, name: string) =>
  Effect.map(home.tmux.processes, (all) =>
    all
      .filter(({ program, state }) => program === "sleep" && state === "running")
      .map(({ environment }) => environment.get(name)),
  );

const refused = (variables: ReadonlyArray<string>) => ({
  _tag: "InvalidEnv",
  variables,
  reason: "its value is not UTF-8, and would be passed on changed",
});

const calls = {
  create: (sessions: Sessions["Type"], env: Record<string, string>) =>
    sessions.create({ ...own, session: "b", inheritEnv: true, env }),
  addTerminal: (sessions: Sessions["Type"], env: Record<string, string>) =>
    sessions.addTerminal({ ...own, env }),
  restore: (sessions: Sessions["Type"], env: Record<string, string>) =>
    sessions.restore("a", { env }),
} as const;

describe("a value of the creator's that is no UTF-8", () => {
  for (const [name, call] of Object.entries(calls)) {
    it.scoped(`is not passed on by ${name}, unless another is given`, () =>
      Effect.gen(function* () {
        const { home, odd } = yield* oddHome;
        yield* pass(home.sessions.create({ ...own, inheritEnv: true }));
        if (name === "restore") {
          yield* home.tmux.exitProgram("a", 0);
          yield* pass(home.sessions.reconcile("a"));
        }
        for (const variable of ["V", "1X", "LANG"]) odd.add(variable);
        // The one that made it holds the values that it had then.
        const anew = yield* home.program("anew");
        const before = [yield* home.rows, (yield* home.tmux.processes).length];
        const bare = Effect.flip(pass<unknown, object, never>(call(anew, {})));
        expect(yield* bare).toMatchObject(refused(["LANG", "V"]));
        expect([yield* home.rows, (yield* home.tmux.processes).length]).toEqual(before);
        const given = call(anew, { LANG: "C", V: "ours" });
        yield* pass<unknown, object, never>(given);
        expect((yield* valuesOf(home, "V")).at(-1)).toBe("ours");
      }),
    );
  }

  it.scoped("matters to no session that does not get it", () =>
    Effect.gen(function* () {
      const { home, odd } = yield* oddHome;
      odd.add("V");
      yield* pass(home.sessions.create(own));
      expect(yield* valuesOf(home, "V")).toEqual([undefined]);
      odd.add("LANG");
      const another = home.sessions.create({ ...own, session: "b" });
      expect(yield* Effect.flip(pass(another))).toMatchObject(refused(["LANG"]));
    }),
  );

  it.scoped(
    "matters to no restore without the values of before, but for what all programs get",
    () =>
      Effect.gen(function* () {
        const { home, odd } = yield* oddHome;
        yield* pass(home.sessions.create({ ...own, inheritEnv: true }));
        yield* home.tmux.exitProgram("a", 0);
        odd.add("V");
        yield* pass(home.sessions.restore("a", { withoutEnv: true }));
        yield* home.tmux.exitProgram("a", 0);
        odd.add("LANG");
        const again = home.sessions.restore("a", { withoutEnv: true });
        expect(yield* Effect.flip(pass(again))).toMatchObject(refused(["LANG"]));
      }),
  );
});
