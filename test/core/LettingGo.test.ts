/**
 * LettingGo: what a program holds of a session that another ended and forgot goes when it hears of
 * that, whatever it hears it by, and nothing of what it made since.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { pass, sleep } from "./FakeHome.js";
import { type HoldingProgram, holdingPrograms } from "./HoldingPrograms.js";

const create = (session: string) => ({ session, ...sleep, env: { TOKEN: "canary" } });

/** The first holds values of `a` and `b`; another has deleted `a`, and forgotten it. */
const forgotten = Effect.gen(function* () {
  const { program } = yield* holdingPrograms;
  const [one, two] = [yield* program("one"), yield* program("two")];
  for (const name of ["a", "b"]) yield* pass(one.sessions.create(create(name)));
  yield* pass(two.sessions.delete("a"));
  yield* pass(two.sessions.gc({ olderThanMs: 0 }));
  return { one, two };
});

const held = ({ scopes }: HoldingProgram) =>
  Effect.map(scopes.held, (all) => all.map(({ session }) => session));

describe("what is held of a session that another program ended and forgot", () => {
  const calls: ReadonlyArray<
    readonly [string, (program: HoldingProgram) => Effect.Effect<unknown, unknown>]
  > = [
    ["a message", ({ sessions }) => sessions.send("a", "x")],
    ["a reconcile", ({ sessions }) => sessions.reconcile("a")],
    ["a reconcile of everything", ({ sessions }) => sessions.reconcileAll],
    ["values that are set", ({ sessions }) => sessions.setEnv("a", {})],
  ];
  for (const [what, call] of calls) {
    it.scoped(`goes with ${what}, and what is held of another stays`, () =>
      Effect.gen(function* () {
        const { one } = yield* forgotten;
        expect(yield* held(one)).toEqual(["a", "b"]);
        yield* Effect.exit(pass(call(one)));
        expect(yield* held(one)).toEqual(["b"]);
      }),
    );
  }

  it.scoped("goes with a gc of the program's own, which forgets it", () =>
    Effect.gen(function* () {
      const { program } = yield* holdingPrograms;
      const [one, two] = [yield* program("one"), yield* program("two")];
      yield* pass(one.sessions.create(create("a")));
      yield* pass(two.sessions.delete("a"));
      yield* pass(one.sessions.gc({ olderThanMs: 0 }));
      expect(yield* held(one)).toEqual([]);
    }),
  );
});

describe("a reconcile of everything", () => {
  it.scoped("lets go of what another program replaced, and of nothing that is out of sight", () =>
    Effect.gen(function* () {
      const { program } = yield* holdingPrograms;
      const [one, two] = [yield* program("one"), yield* program("two")];
      for (const name of ["a", "b"]) yield* pass(one.sessions.create(create(name)));
      yield* pass(two.sessions.create({ ...create("a"), replace: true }));
      yield* pass(one.sessions.reconcileAll);
      expect(yield* held(one)).toEqual(["b"]);
    }),
  );
});
