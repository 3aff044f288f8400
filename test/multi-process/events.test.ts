/**
 * The log of one SQLite home, followed by some programs while others write it and are killed.
 *
 * Every program is told each event once and in order, whoever wrote it and whoever died since.
 */
import fs from "node:fs";
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { newHome, type Program, startProgram } from "./registryPrograms.js";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Two events a round. */
const rounds = (program: Program, home: string, session: string, count: number) =>
  Effect.forEach(numbers(1, count), (round) =>
    program.ask("round", { home, session, incarnation: `incarnation-${program.pid}-${round}` }),
  );

describe("a program that follows the log", () => {
  it.scopedLive("is told what others write, from before there is a home, and makes none", () =>
    Effect.gen(function* () {
      const home = yield* newHome;
      const [first, second, ...writers] = yield* Effect.replicateEffect(startProgram, 5);
      if (first === undefined || second === undefined) return;
      const early = yield* first.start("follow", { home, since: 0, until: 60 });
      yield* early.begun;
      yield* first.ask("events", { home });
      expect(fs.existsSync(home)).toBe(false);
      const [before] = yield* Effect.all(
        [
          second.ask("follow", { home, since: 0, until: 21 }),
          // Two of them want one name, and take turns.
          Effect.forEach(writers, (w, index) => rounds(w, home, `name-${index % 2}`, 10), {
            concurrency: "unbounded",
          }),
        ],
        { concurrency: "unbounded" },
      );
      expect((yield* early.answer).value).toEqual(numbers(1, 60));
      expect(before.value).toEqual(numbers(1, 21));
      const rest = yield* second.ask("follow", { home, since: 21, until: 60 });
      expect(rest.value).toEqual(numbers(22, 60));
    }),
  );

  it.scopedLive("is told what a program wrote and was killed before anybody heard of it", () =>
    Effect.gen(function* () {
      const home = yield* newHome;
      const writer = yield* startProgram;
      const session = "build";
      yield* writer.ask("claim", { home, session });
      yield* writer.ask("commit", { home, session, incarnation: "incarnation-1" });
      yield* writer.kill;
      const reader = yield* startProgram;
      const told = yield* reader.ask("follow", { home, since: 0, until: 1 });
      expect(told.value).toEqual([1]);
    }),
  );

  it.scopedLive("and is killed is followed by one that goes on from its cursor", () =>
    Effect.gen(function* () {
      const home = yield* newHome;
      const [writer, victim, heir] = yield* Effect.replicateEffect(startProgram, 3);
      if (writer === undefined || victim === undefined || heir === undefined) return;
      const writing = yield* Effect.fork(rounds(writer, home, "build", 20));
      const told = yield* victim.ask("follow", { home, since: 0, until: 7 });
      yield* victim.kill;
      const rest = yield* heir.ask("follow", { home, since: 7, until: 40 });
      yield* Fiber.join(writing);
      expect([told.value, rest.value]).toEqual([numbers(1, 7), numbers(8, 40)]);
    }),
  );
});
