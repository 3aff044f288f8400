/**
 * A stress run: six programs and eight names, each program killed, stopped and started anew at any
 * time, and the tmux server with them.
 *
 * Goal: after one reconcile rows, marks, processes, claims, the log and files agree; no answer that
 * a caller got is contradicted by the log; nothing is sent twice; every call ended within its
 * bound. Method: a seed gives the script (TROUPE_SEED, TROUPE_STRESS calls), the machine gives the
 * interleaving.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Duration, Effect } from "effect";
import { describe, expect, it } from "vitest";
import { disagreement } from "../explore/Agreement.js";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";
import { Keeper, stray } from "./Keeper.js";
import { contradictions, misheard, toldLines, unheard } from "./StressHistory.js";
import { type Played, playStress } from "./StressRun.js";
import { scriptOf } from "./StressScript.js";

const seed = Number(process.env.TROUPE_SEED ?? 1);
const calls = Number(process.env.TROUPE_STRESS ?? 300);
const isLong = calls > 300;

/**
 * A registry that is held up takes ten seconds each to claim, to write, to undo and to release; and
 * each of some calls to tmux may take three.
 */
const callBoundMs = 60_000;
const boundMs = 60_000 + calls * 400;

const heardIn = (stage: Stage): ReadonlyArray<string> =>
  readdirSync(stage.directory)
    .filter((name) => name.startsWith("heard."))
    .flatMap((name) => readFileSync(join(stage.directory, name), "utf8").split("\n"));

const countsOf = ({ done, told }: Played, seconds: string): string => {
  const counts = new Map<string, number>();
  for (const { answer, call } of told) {
    const { died, error } = answer;
    const key = `${call.method}: ${died ? "died" : (error?._tag ?? "ok")}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const lines = [...counts].sort().map(([key, count]) => `${key} ${count}`);
  const { answer, call, ms } = [...told].sort((a, b) => b.ms - a.ms)[0] ?? {};
  const longest = `${call?.method} ${answer?.error?._tag ?? "ok"}, ${ms?.toFixed(0)} ms`;
  return [
    `${told.length} calls of seed ${seed} in ${seconds} s, the longest: ${longest}`,
    JSON.stringify(done),
    lines.join(", "),
  ].join("\n");
};

describe("a stress run", () => {
  it("gives the same script for the same seed", () => {
    expect(scriptOf(seed, calls, "/d")).toEqual(scriptOf(seed, calls, "/d"));
    expect(scriptOf(seed, calls, "/d")).not.toEqual(scriptOf(seed + 1, calls, "/d"));
  });

  it(
    `of ${calls} calls leaves everything in agreement, and contradicts nobody`,
    onStage(async (stage) => {
      const script = scriptOf(seed, calls, stage.directory);
      const [took, played] = await Effect.runPromise(
        Effect.timed(Effect.promise(() => playStress(stage, script, { mayHoldAll: isLong }))),
      );
      const { told } = played;
      console.log(countsOf(played, Duration.toSeconds(took).toFixed(1)));
      const keeper = new Keeper(stage);
      try {
        const items = await Effect.runPromise(keeper.sessions.reconcileAll);
        expect(items.filter(({ outcome }) => outcome._tag === "Left")).toEqual([]);
        const ending = await keeper.ending({ told: toldLines(told) });
        expect(disagreement(ending)).toBe(null);
        expect(stray(ending)).toBe(null);
        expect(contradictions(told, ending.events)).toEqual([]);
        await waitFor(
          "what was delivered",
          () => unheard(told, ending.events, heardIn(stage)).length === 0,
        );
        expect(misheard(told, heardIn(stage))).toEqual([]);
        expect(told.filter(({ ms }) => ms > callBoundMs)).toEqual([]);
        expect(told.length).toBe(calls);
      } finally {
        await keeper.close();
      }
    }),
    boundMs,
  );
});
