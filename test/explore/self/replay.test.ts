/**
 * Goal: a printed failure can be had again. Method: failures of many kinds are replayed from
 * nothing but their strings; a string of another version of the world must say so.
 */
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import { describe, expect, it, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

/** Three writers of one value, of whom one may fail; `steps` is what differs between versions. */
const writers = (steps: number): World<unknown> => ({
  name: "three writers",
  time: true,
  crash: true,
  start: () => {
    let value = "";
    const write = (who: string) =>
      Effect.gen(function* () {
        yield* Effect.repeatN(Explore.point(`${who} thinks`), steps);
        yield* Effect.sleep("10 millis");
        const outcome = yield* Explore.choose(`write of ${who}`, ["is done", "is lost"]);
        if (outcome === "is done") value += who;
      });
    const program = Effect.gen(function* () {
      const c = yield* Explore.program("c", write("c"));
      yield* Effect.all([write("a"), write("b")], { concurrency: 2 });
      yield* c.ending;
    });
    const bad = ["b", "ba", "bca", "cb", "a", "", "ac"];
    return { program, check: () => (bad.includes(value) ? `the value is ${value}` : null) };
  },
});

const failures = () =>
  Array.from({ length: 40 }, (_, seed) =>
    Explore.explore(writers(1), { cost: 0, uniformWalks: 500, seed: seed * 1000 }),
  ).flatMap(({ failure }) => (failure === null ? [] : [failure]));

describe("a replay string", () => {
  it("reproduces its failure, step for step, every time", () => {
    const all = failures();
    expect(all.length).toBe(40);
    for (const failure of all) {
      const replayed = Explore.replay(writers(1), failure.replay ?? "");
      expect(replayed).toEqual({ _tag: "Failed", failure, table: failure.table });
    }
  });

  it("is short, because a failure is shrunk", () => {
    for (const { replay } of failures()) expect(replay?.length).toBeLessThan(60);
  });

  it("of another version of the program is stale, and neither passes nor fails", () => {
    for (const { replay } of failures()) {
      expect(Explore.replay(writers(2), replay ?? "")._tag).toBe("Stale");
      expect(Explore.replay(writers(0), replay ?? "")._tag).toBe("Stale");
    }
  });

  it("that is no replay string is stale", () => {
    expect(Explore.replay(writers(1), "4:1,2")).toMatchObject({
      _tag: "Stale",
      reason: "not a replay string: 4:1,2",
    });
  });

  it("is taken with what a report prints around it, and refused when it was edited", () => {
    const [failure] = failures();
    const replay = failure?.replay ?? "";
    const tagOf = (text: string) => Explore.replay(writers(1), text)._tag;
    const around = ["", "replay: "].flatMap((before) =>
      ["", ` (cost ${failure?.cost})`, "\n"].map((after) => before + replay + after),
    );
    expect(new Set(around.map(tagOf))).toEqual(new Set(["Failed"]));
    const [list = "", sum = ""] = replay.split("~");
    const deviations = list.split(",");
    expect(deviations.length).toBeGreaterThan(1);
    for (const edited of [deviations.toReversed(), [...deviations, deviations.at(-1)]]) {
      const text = `${edited.join(",")}~${sum}`;
      expect(Explore.replay(writers(1), text)).toMatchObject({
        _tag: "Stale",
        reason: `not a replay string: ${text}`,
      });
    }
    expect(tagOf(`${list},~${sum}`)).toBe("Stale");
    expect(tagOf(list)).toBe("Stale");
  });

  it("of a run that passes tells the steps", () => {
    const [failure] = failures();
    const blind: World<unknown> = {
      ...writers(1),
      start: () => ({ program: writers(1).start().program }),
    };
    const replayed = Explore.replay(blind, failure?.replay ?? "");
    expect(replayed).toMatchObject({ _tag: "Passed", table: failure?.table });
  });

  it("gives the same trace 500 times of 500", () => {
    const [failure] = failures();
    const tables = Array.from(
      { length: 500 },
      () => Explore.replay(writers(1), failure?.replay ?? "").table,
    );
    expect(new Set(tables).size).toBe(1);
  });
});
