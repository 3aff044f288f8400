/**
 * Goal: a failure can be read, whatever stands in it: values of all kinds, texts of several lines,
 * long waits, many fibers; and what is printed has no part in what happens.
 */
import { Explore, type World } from "@troupe/testing";
import { Cause, Effect } from "effect";
import { describe, expect, it } from "vitest";

const bad = (program: Effect.Effect<unknown, unknown>): World<unknown> => ({
  name: "bad",
  start: () => ({ program, check: () => "bad" }),
});

const tableOf = (program: Effect.Effect<unknown, unknown>, cost = 0): string =>
  Explore.explore(bad(program), { cost }).failure?.table ?? "";

const rowsOf = (table: string) =>
  table
    .split("\n")
    .slice(1)
    .map((row) => row.trim().split(/ {2,}/));

describe("a table", () => {
  it("has one line for each step, whatever its labels hold", () => {
    const table = tableOf(Explore.named("two\nnames")(Explore.point("a\n  label\u001b[31m")));
    expect(rowsOf(table)).toEqual([["2", "world", "two names", "a label�[31m"]]);
  });

  it("prints what was chosen, and one who chooses it is none the wiser", () => {
    const bare: unknown = Object.assign(Object.create(null), { a: new Map([[1, 2n]]) });
    const options = [1, bare] as const;
    const world: World<unknown> = {
      name: "choices",
      start: () => ({
        program: Explore.choose("which", options),
        check: (value) => (value === 1 ? null : "the other"),
      }),
    };
    const { failure } = Explore.explore(world, { cost: 1 });
    expect(failure).toMatchObject({ kind: "violated", message: "the other" });
    expect(failure?.table).toContain('which: {"a":{"Map":[[1,{"bigint":"2"}]]}}');
  });

  it("prints what is logged, with its cause", () => {
    const table = tableOf(Effect.logError("lost", { id: 7 }, Cause.fail("no room")));
    expect(rowsOf(table)).toEqual([["2", "world", "root", 'logs: lost {"id":7} Error: no room']]);
  });

  it("tells time that passes with nothing else to tell in one line", () => {
    const beat = Effect.repeatN(Effect.sleep("1 second"), 99);
    const table = tableOf(Effect.zipRight(beat, Explore.point("end")));
    expect(rowsOf(table).map(([, ...row]) => row.join(" "))).toEqual([
      "time passes, to 100000 ms",
      "world root end",
    ]);
  });
});

describe("a message", () => {
  it("of a run that does not end names those that have not", () => {
    const beat = Explore.named("heart")(Effect.forever(Effect.sleep("1 second")));
    const wait = Effect.zipRight(Explore.point("wait for an answer"), Effect.never);
    const program = Effect.zipRight(Explore.background(Effect.forkDaemon(beat)), wait);
    const { failure } = Explore.explore({ ...bad(program), maxSteps: 50 }, { cost: 0 });
    expect(failure?.message).toBe(
      "did not end within 50 steps; not ended: root (wait for an answer); heart",
    );
  });

  it("of many blocked fibers is not longer than one can read", () => {
    const many = Effect.all(
      Array.from({ length: 40 }, () => Effect.never),
      { concurrency: "unbounded" },
    );
    const message = Explore.explore(bad(many), { cost: 0 }).failure?.message ?? "";
    expect(message).toMatch(/^nothing can go on; blocked: root; .*; and 30 others$/);
    expect(message.split("; ").length).toBe(1 + 12 + 1);
  });

  it("is there for a cause that Effect cannot print", () => {
    expect(Explore.explore(bad(Effect.fail(10n)), { cost: 0 }).failure?.message).toBe("10");
  });
});
