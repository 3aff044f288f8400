/**
 * SetEnv: values are supplied to what is there, and what was held of what has ended goes then.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { pass, sleep } from "./FakeHome.js";
import { holdingPrograms } from "./HoldingPrograms.js";

const create = { session: "a", ...sleep, env: { TOKEN: "canary" } };

describe("setting the environment", () => {
  it.scoped("of a session that another program deleted is NotFound, and nothing is held then", () =>
    Effect.gen(function* () {
      const { program } = yield* holdingPrograms;
      const [one, two] = [yield* program("one"), yield* program("two")];
      yield* pass(one.sessions.create(create));
      yield* pass(two.sessions.delete("a"));
      expect(yield* one.scopes.size).toBe(1);
      expect((yield* Effect.flip(one.sessions.setEnv("a", {})))._tag).toBe("NotFound");
      expect(yield* one.scopes.size).toBe(0);
    }),
  );

  it.scoped("of one that another program made anew gives it these values alone", () =>
    Effect.gen(function* () {
      const { program } = yield* holdingPrograms;
      const [one, two] = [yield* program("one"), yield* program("two")];
      yield* pass(one.sessions.create(create));
      const made = yield* pass(two.sessions.create({ ...create, replace: true }));
      yield* one.sessions.setEnv("a", { OTHER: "new" });
      expect((yield* one.scopes.held).map((held) => held.incarnation)).toEqual([made.incarnation]);
      const values = yield* one.scopes.environment(made.session, made.incarnation);
      expect([...values.keys()]).toEqual(["OTHER"]);
    }),
  );
});
