/**
 * Goal: a history is refused exactly when no order of its calls explains it, and then shown short.
 */
import {
  type Call,
  contradictionIn,
  Explore,
  History,
  type Model,
  type World,
} from "@troupe/testing";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";

type Input = "create" | "delete" | "get";
type Answer = "ok" | "exists" | "absent" | "present";

/** A name that is there or not. */
const name: Model<boolean, Input, Answer> = {
  initial: false,
  reads: (input) => input === "get",
  next: (there, input, answer) => {
    if (input === "get") {
      return answer === null || (answer.output === "present") === there ? [there] : [];
    }
    if (answer === null) return [there, input === "create"];
    if (input === "create") return (answer.output === "ok") === !there ? [true] : [];
    return [false];
  },
};

const call = (
  who: string,
  input: Input,
  output: Answer | null,
  beganAt: number,
  endedAt = Number.POSITIVE_INFINITY,
): Call<Input, Answer> => ({
  who,
  input,
  answer: output === null ? null : { output },
  beganAt,
  endedAt,
});

describe("a history", () => {
  it("is explained when calls that overlap can be put in an order", () => {
    const calls = [
      call("a", "create", "ok", 0, 3),
      call("b", "create", "exists", 1, 2),
      call("c", "get", "present", 4, 5),
    ];
    expect(contradictionIn(name, calls)).toBe(null);
  });

  it("is refused when an answer comes before what it tells of", () => {
    const calls = [
      call("a", "create", "ok", 0, 1),
      call("b", "get", "present", 2, 3),
      call("a", "delete", "ok", 4, 5),
      call("b", "get", "present", 6, 7),
      call("c", "create", "ok", 8, 9),
    ];
    expect(contradictionIn(name, calls)).toBe(
      [
        "no order of these calls explains their answers:",
        "  a: create  ├──┤                 ok",
        "  a: delete        ├──┤           ok",
        "  b: get                 ├──┤     present",
      ].join("\n"),
    );
  });

  it("may or may not contain a call without an answer", () => {
    const crashed = call("a", "create", null, 0);
    expect(contradictionIn(name, [crashed, call("b", "get", "present", 1, 2)])).toBe(null);
    expect(contradictionIn(name, [crashed, call("b", "get", "absent", 1, 2)])).toBe(null);
    const both = [crashed, call("b", "get", "present", 1, 2), call("b", "get", "absent", 3, 4)];
    expect(contradictionIn(name, both)).toContain("no answer");
  });

  it("of a dozen calls that all overlap is decided", () => {
    const calls = Array.from({ length: 12 }, (_, i) =>
      call(
        `c${i}`,
        i % 2 === 0 ? "create" : "get",
        i === 0 ? "ok" : i % 2 ? "present" : "exists",
        i,
        100 + i,
      ),
    );
    expect(contradictionIn(name, calls)).toBe(null);
    const impossible = [...calls, call("d", "get", "absent", 200, 201)];
    expect(contradictionIn(name, impossible)).toContain("d: get");
  });
});

describe("a model", () => {
  it("whose states are sets remembers which of them lead nowhere, and no other", () => {
    /** What was put last, as a set, which JSON cannot tell from another. */
    const last: Model<ReadonlySet<string>, { readonly put?: string }, string> = {
      initial: new Set(),
      next: (state, { put }, answer) => {
        if (put !== undefined) return [new Set([put])];
        return state.has(answer?.output ?? "") ? [state] : [];
      },
    };
    const asks = (input: { readonly put?: string }, output: string, beganAt: number) => ({
      who: "a",
      input,
      answer: { output },
      beganAt,
      endedAt: beganAt + 10,
    });
    const puts = [asks({ put: "x" }, "ok", 0), asks({ put: "y" }, "ok", 1)];
    for (const seen of ["x", "y"]) {
      expect(contradictionIn(last, [...puts, asks({}, seen, 20)])).toBe(null);
    }
    expect(contradictionIn(last, [...puts, asks({}, "z", 20)])).not.toBe(null);
  });

  it("whose states and answers are big integers is decided and printed", () => {
    const counter: Model<bigint, "next", bigint> = {
      initial: 0n,
      next: (state, _, answer) => (answer?.output === state + 1n ? [state + 1n] : []),
    };
    const next = (output: bigint, at: number) => ({
      who: "a",
      input: "next" as const,
      answer: { output },
      beganAt: at,
      endedAt: at + 1,
    });
    expect(contradictionIn(counter, [next(1n, 0), next(2n, 2)])).toBe(null);
    expect(contradictionIn(counter, [next(1n, 0), next(1n, 2)])).toMatch(/a: next .* 1$/);
  });
});

describe("a history that is recorded in an exploration", () => {
  /** A cache in front of a name: it answers reads without looking, when it is `stale`. */
  const cached = (stale: boolean): World<unknown> => ({
    name: "a cache",
    start: () => {
      const history = new History<Input, Answer>();
      let there = false;
      let cache = false;
      const create = Effect.gen(function* () {
        yield* Explore.point("create");
        there = true;
        yield* Explore.point("fill the cache");
        cache = true;
        return "ok" as const;
      });
      const get = (where: () => boolean) =>
        Effect.map(Explore.point("get"), () => (where() ? "present" : "absent"));
      const reader = Effect.gen(function* () {
        yield* history.call(
          "b",
          "get",
          get(() => there),
        );
        yield* history.call(
          "b",
          "get",
          get(() => (stale ? cache : there)),
        );
      });
      const program = Effect.all([history.call("a", "create", create), reader], { concurrency: 2 });
      return { program, check: () => contradictionIn(name, history.calls) };
    },
  });

  it("shows a read that goes back in time", () => {
    const { failure } = Explore.explore(cached(true), { cost: 3 });
    expect(failure?.message).toMatch(/b: get .* present\n.*b: get .* absent/);
  });

  it("is explained in the twin that looks, at any cost", () => {
    expect(Explore.verify(cached(false), { cost: Number.POSITIVE_INFINITY }).complete).toBe(true);
  });
});
