/**
 * What a stress run holds against what callers were told can fail: each kind of lie is found.
 */
import type { SessionEvent, SessionState } from "@troupe/core";
import { describe, expect, it } from "vitest";
import { contradictions, misheard, unheard } from "./StressHistory.js";
import type { Told } from "./StressRun.js";

/** The log of a name `a`. */
const log = (...states: ReadonlyArray<readonly [number, SessionState]>) =>
  states.map(([generation, state], at) => ({
    sequence: at + 1,
    at: 0,
    session: "a",
    generation,
    incarnation: `incarnation-${generation}`,
    body: { type: "session", state, cause: null },
  })) as unknown as ReadonlyArray<SessionEvent>;

const lived = log([1, "creating"], [1, "running"], [1, "deleting"], [1, "deleted"]);

const told = (
  method: Told["call"]["method"],
  answer: Told["answer"],
  [from, to]: readonly [number, number] = [0, 0],
  token: string | null = null,
): Told => ({ call: { method, session: "a", words: [], token }, answer, from, to, ms: 1 });

const error = (_tag: string) => ({ error: { _tag } });
const done = { value: { session: "a", generation: 1 } };

const truths = [
  told("create", done, [0, 2]),
  told("delete", done, [1, 4]),
  // What was gone already is success, and so is what went meanwhile.
  told("delete", done, [4, 4]),
  told("create", error("AlreadyExists"), [2, 3]),
  told("create", error("AlreadyExists"), [0, 1]),
  told("delete", error("NotFound"), [0, 4]),
  told("create", { died: true }, [0, 0]),
];

const lies: ReadonlyArray<readonly [string, Told]> = [
  ["a create that began before it was called", told("create", done, [1, 2])],
  ["a create that was told before it ran", told("create", done, [0, 1])],
  [
    "a create of a generation that is not there",
    told("create", { value: { generation: 2 } }, [0, 4]),
  ],
  ["a delete that was told before its end", told("delete", done, [2, 3])],
  ["a name that was free all the while", told("create", error("AlreadyExists"), [4, 4])],
  ["a session that was there", told("delete", error("NotFound"), [1, 4])],
  ["a damaged registry", told("reconcile", error("RegistryCorrupt"), [0, 0])],
  ["a defect", told("send", { defect: "oops" }, [0, 0])],
];

describe("what callers were told", () => {
  it("is not contradicted where the log agrees", () => {
    expect(contradictions(truths, lived)).toEqual([]);
  });

  it.each(lies)("is contradicted: %s", (_, lie) => {
    expect(contradictions([lie], lived)).toHaveLength(1);
  });

  it("is contradicted when a delete left the next session in its place", () => {
    const events = [...lived, ...log([2, "creating"]).map((e) => ({ ...e, sequence: 5 }))];
    expect(contradictions([told("delete", done, [4, 5])], events)).toEqual([]);
    expect(contradictions([told("delete", done, [5, 5])], events)).toHaveLength(1);
  });

  it("is held against what arrived: nothing twice, and nothing that was refused", () => {
    const sent = told("send", { value: {} }, [0, 0], "t1");
    const refused = told("send", error("NotFound"), [0, 0], "t2");
    expect(misheard([sent, refused], ["t1"])).toEqual([]);
    expect(misheard([sent], ["t1", "t1"])).toHaveLength(1);
    expect(misheard([refused], ["t2"])).toHaveLength(1);
  });

  it("arrived, where the session that it was delivered to has lived ever since", () => {
    const sent = told("send", { value: { status: "delivered" } }, [2, 2], "t1");
    const running = lived.slice(0, 2);
    expect(unheard([sent], running, ["t1"])).toEqual([]);
    expect(unheard([sent], running, [])).toEqual(["t1"]);
    expect(unheard([sent], lived, [])).toEqual([]);
  });
});
