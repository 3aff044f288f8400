/**
 * What only the registry in memory has: stores, owners' names, and a word about who lives.
 *
 * Everything else about it stands in the contract, which it shares with the durable one.
 */
import { describe, expect, it } from "@effect/vitest";
import { MemoryStore, Registry, SessionName } from "@troupe/core";
import { Context, Effect, Layer } from "effect";

const build = SessionName.make("build");

const program = (...how: Parameters<typeof Registry.layerMemory>) =>
  Effect.map(Layer.build(Registry.layerMemory(...how)), Context.get(Registry));

const take = (store: Registry["Type"]) => store.claim(build, { attempted: "test", force: false });

describe("Registry.layerMemory", () => {
  it.scoped("without a store is a home of its own for each program", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* program(), yield* program()];
      expect((yield* take(one)).owner).toBe("memory");
      expect((yield* take(other)).epoch).toBe(1);
    }),
  );

  it.scoped("with a store is one home, each program under its own name", () =>
    Effect.gen(function* () {
      const store = yield* MemoryStore.make;
      const one = yield* program(store, { owner: "one" });
      const other = yield* program(store, { owner: "other" });
      expect((yield* take(one)).owner).toBe("one");
      expect(yield* Effect.flip(take(other))).toMatchObject({ _tag: "Busy", holder: "one" });
    }),
  );

  for (const [life, outcome] of [
    ["alive", "Left"],
    ["unknown", "Left"],
    ["dead", "Right"],
  ] as const) {
    it.scoped(`believes what is declared: a holder that is ${life}`, () =>
      Effect.gen(function* () {
        const store = yield* MemoryStore.make;
        yield* take(yield* program(store, { owner: "one" }));
        const other = yield* program(store, { owner: "other" });
        yield* store.declare("one", life);
        expect((yield* Effect.either(take(other)))._tag).toBe(outcome);
      }),
    );
  }

  it.scoped("lets a program that was declared dead write until it is overtaken", () =>
    Effect.gen(function* () {
      const store = yield* MemoryStore.make;
      const one = yield* program(store, { owner: "one" });
      const claim = yield* take(one);
      yield* store.declare("one", "dead");
      const renewed = yield* one.renew(claim);
      yield* take(yield* program(store, { owner: "other" }));
      expect(yield* Effect.flip(one.renew(renewed))).toMatchObject({ reason: "overtaken" });
    }),
  );

  it.scoped("shows its tables, which change in one step with the call", () =>
    Effect.gen(function* () {
      const store = yield* MemoryStore.make;
      const claim = yield* take(yield* program(store, { owner: "one" }));
      expect(store.claims.get(build)).toEqual({
        owner: "one",
        epoch: claim.epoch,
        fenceDue: false,
        generation: 0,
      });
      expect(store.records.size).toBe(0);
    }),
  );
});
