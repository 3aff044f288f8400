/**
 * One SQLite home, many real programs: started together, killed, stopped, overtaken.
 *
 * What is checked after each is the same: nothing that was acknowledged is missing, and nothing
 * happened twice.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import Sqlite from "better-sqlite3";
import { Effect } from "effect";
import { type Answer, newHome, type Program, startProgram } from "./registryPrograms.js";

const programs = (count: number) => Effect.replicateEffect(startProgram, count);

const nth = (all: ReadonlyArray<Program>, index: number): Program => {
  const program = all[index];
  if (program === undefined) throw new Error(`there is no program ${index}`);
  return program;
};

const resultOf = <A>({ value, ...rest }: Answer): A => {
  expect(rest).toEqual({ id: expect.any(Number) });
  return value as A;
};

interface Round {
  readonly epoch: number;
  readonly generation: number;
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("programs that start together", () => {
  it.scopedLive("make one registry, in which all of them are heard", () =>
    Effect.gen(function* () {
      const all = yield* programs(4);
      for (const attempt of numbers(1, 8)) {
        const home = yield* newHome;
        const answers = yield* Effect.forEach(
          all,
          (program, index) =>
            program.ask("round", {
              home,
              session: `name-${index}`,
              incarnation: `incarnation-${attempt}-${index}`,
            }),
          { concurrency: "unbounded" },
        );
        for (const answer of answers) {
          expect(resultOf<Round>(answer)).toEqual({ epoch: 1, generation: 1, fenceDue: false });
        }
        const list = resultOf<{ records: ReadonlyArray<unknown> }>(
          yield* nth(all, 0).ask("list", { home }),
        );
        expect(list.records).toHaveLength(4);
        const names = fs.readdirSync(home).filter((name) => !name.startsWith("registry.db-"));
        expect(names.sort()).toEqual(["locks", "registry.db"]);
      }
    }),
  );
});

describe("programs that want one name", () => {
  it.scopedLive("take turns: every round has an epoch and a generation of its own", () =>
    Effect.gen(function* () {
      const home = yield* newHome;
      const all = yield* programs(4);
      const answers = yield* Effect.forEach(
        all,
        (program) =>
          Effect.forEach(numbers(1, 12), (round) =>
            program.ask("round", {
              home,
              session: "build",
              incarnation: `incarnation-${program.pid}-${round}`,
            }),
          ),
        { concurrency: "unbounded" },
      );
      const rounds = answers.flat().map((answer) => resultOf<Round>(answer));
      const sorted = (key: keyof Round) => rounds.map((r) => r[key]).sort((a, b) => a - b);
      expect(sorted("generation")).toEqual(numbers(1, 48));
      expect(sorted("epoch")).toEqual(numbers(1, 48));
      const events = resultOf<ReadonlyArray<{ sequence: number; generation: number }>>(
        yield* nth(all, 0).ask("events", { home }),
      );
      expect(events.map((event) => event.sequence)).toEqual(numbers(1, 96));
      const turns = events.map((event) => event.generation);
      expect(turns).toEqual(numbers(1, 48).flatMap((generation) => [generation, generation]));
    }),
  );

  it.scopedLive("go on when one of them is killed, and nothing acknowledged is lost", () =>
    Effect.gen(function* () {
      const home = yield* newHome;
      const [victim, ...others] = yield* programs(3);
      if (victim === undefined) return;
      const acknowledged: Array<Round> = [];
      const work = (program: Program, count: number) =>
        Effect.forEach(numbers(1, count), (round) =>
          Effect.map(
            program.ask("round", {
              home,
              session: "build",
              incarnation: `incarnation-${program.pid}-${round}`,
            }),
            (answer) => acknowledged.push(resultOf<Round>(answer)),
          ),
        );
      const doomed = Effect.zipRight(
        work(victim, 3),
        Effect.zipRight(
          // The kill lands somewhere in this round.
          Effect.flatMap(
            victim.start("round", { home, session: "build", incarnation: "incarnation-last" }),
            ({ begun }) => begun,
          ),
          victim.kill,
        ),
      );
      yield* Effect.all([doomed, ...others.map((other) => work(other, 10))], {
        concurrency: "unbounded",
      });
      const events = resultOf<ReadonlyArray<{ generation: number; body: { state: string } }>>(
        yield* nth(others, 0).ask("events", { home }),
      );
      for (const { generation } of acknowledged) {
        const told = events.filter((event) => event.generation === generation);
        expect(told.map((event) => event.body.state)).toEqual(["creating", "failed"]);
      }
      expect(acknowledged).toHaveLength(23);
    }),
  );
});

describe("the claim of a program", () => {
  const held = Effect.gen(function* () {
    const home = yield* newHome;
    const [holder, other] = yield* Effect.all([startProgram, startProgram]);
    const target = { home, session: "build" };
    const claim = resultOf<{ epoch: number; owner: string }>(yield* holder.ask("claim", target));
    const refused = yield* other.ask("claim", target);
    expect(refused.error).toMatchObject({ _tag: "Busy", holder: claim.owner, reason: "claimed" });
    return { claim, holder, home, other, target };
  });

  it.scopedLive("that was killed is taken over with the fence due, and its lock is removed", () =>
    Effect.gen(function* () {
      const { claim, holder, home, other, target } = yield* held;
      yield* holder.kill;
      const taken = resultOf<{ owner: string }>(yield* other.ask("claim", target));
      expect(taken).toMatchObject({ epoch: claim.epoch + 1, fenceDue: true });
      expect(fs.readdirSync(path.join(home, "locks"))).toEqual([`${taken.owner}.lock`]);
    }),
  );

  it.scopedLive("that is stopped is kept for it", () =>
    Effect.gen(function* () {
      const { holder, other, target } = yield* held;
      yield* holder.signal("SIGSTOP");
      expect((yield* other.ask("claim", target)).error).toMatchObject({ _tag: "Busy" });
      yield* holder.signal("SIGCONT");
      const commit = yield* holder.ask("commit", { ...target, incarnation: "incarnation-1" });
      expect(resultOf(commit)).toMatchObject({ state: "creating" });
    }),
  );

  it.scopedLive("that is stopped and overtaken by force can change nothing any more", () =>
    Effect.gen(function* () {
      const { claim, holder, other, target } = yield* held;
      yield* holder.signal("SIGSTOP");
      const late = yield* holder.start("commit", { ...target, incarnation: "incarnation-1" });
      const taken = resultOf<{ owner: string }>(
        yield* other.ask("claim", { ...target, force: true }),
      );
      expect(taken).toMatchObject({ epoch: claim.epoch + 1, fenceDue: true });
      yield* holder.signal("SIGCONT");
      const { error } = yield* late.answer;
      expect(error).toMatchObject({ _tag: "Busy", reason: "overtaken", holder: taken.owner });
      expect(resultOf(yield* other.ask("list", target))).toMatchObject({ records: [] });
    }),
  );

  it.scopedLive("that ended in order leaves nothing behind", () =>
    Effect.gen(function* () {
      const { holder, home, other, target } = yield* held;
      yield* holder.ask("commit", { ...target, incarnation: "incarnation-1" });
      yield* holder.ask("end", target);
      yield* other.ask("end", target);
      expect(fs.readdirSync(path.join(home, "locks"))).toEqual([]);
      expect(fs.readdirSync(home).sort()).toEqual(["locks", "registry.db"]);
    }),
  );
});

describe("a write transaction of somebody else", () => {
  it.scopedLive("is waited for by every program, and then every one is heard", () =>
    Effect.gen(function* () {
      const home = yield* newHome;
      const all = yield* programs(3);
      const target = (index: number) => ({ home, session: `name-${index}` });
      for (const program of all) yield* program.ask("claim", { home, session: "before" });
      const other = new Sqlite(path.join(home, "registry.db"));
      other.exec("BEGIN IMMEDIATE");
      const started = yield* Effect.forEach(numbers(0, 23), (index) =>
        nth(all, index % 3).start("claim", target(index)),
      );
      yield* Effect.forEach(started, ({ begun }) => begun);
      other.exec("COMMIT");
      other.close();
      const answers = yield* Effect.forEach(started, ({ answer }) => answer);
      const epochs = answers.map((answer) => resultOf<{ epoch: number }>(answer).epoch);
      expect(epochs).toEqual(epochs.map(() => 1));
    }),
  );
});
