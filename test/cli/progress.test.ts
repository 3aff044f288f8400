/**
 * What somebody who looks is shown: that something takes long, and tables that fit; and that
 * nobody else is.
 */
import { Duration, Effect, Fiber, TestClock, TestContext } from "effect";
import { describe, expect, it } from "vitest";
import { Caller } from "../../examples/cli/src/Caller.js";
import { withCount, withProgress, withTold } from "../../examples/cli/src/Progress.js";
import { atStage, callIn } from "../support/InProcess.js";
import { troupe } from "../support/Stage.js";
import { Terminal } from "../support/Terminal.js";

/** Runs the work while the clock goes on by half seconds; the lines that were shown. */
const linesOf = (work: Effect.Effect<unknown, never, Caller>, halves: number, watched = true) => {
  const lines: Array<string> = [];
  const show = (line: string) => Effect.sync(() => void lines.push(line));
  const caller = { showProgress: watched ? show : null } as (typeof Caller)["Service"];
  return Effect.runPromise(
    Effect.gen(function* () {
      const running = yield* Effect.fork(work);
      for (let half = 0; half < halves; half++) yield* TestClock.adjust(Duration.millis(500));
      yield* Fiber.join(running);
      return lines;
    }).pipe(Effect.provideService(Caller, caller), Effect.provide(TestContext.TestContext)),
  );
};

/** Work that lasts so long on the virtual clock. */
const lasting = (ms: number) => Effect.timeoutOption(Effect.never, Duration.millis(ms));

describe("what takes long", () => {
  it("is told after half a second, and for how long; then that is taken away", async () => {
    expect(await linesOf(withProgress("asking tmux")(lasting(2_200)), 5)).toEqual([
      "asking tmux …",
      "asking tmux …",
      "asking tmux …",
      "asking tmux … 2s",
      "",
    ]);
  });

  it("is counted where it is several things", async () => {
    const each = (at: number) => lasting(at * 400);
    const work = withCount("deleting", Effect.succeed([1, 2, 3, 4]), each);
    expect(await linesOf(work, 4)).toEqual([
      "deleting: 1 of 4 …",
      "deleting: 2 of 4 …",
      "deleting: 3 of 4 …",
      "",
    ]);
  });

  it("is counted where it tells that itself", async () => {
    const work = withTold("collecting", (tell) =>
      lasting(700).pipe(
        Effect.zipRight(tell({ done: 3, total: 7 })),
        Effect.zipRight(lasting(700)),
      ),
    );
    expect(await linesOf(work, 3)).toEqual(["collecting …", "collecting: 3 of 7 …", ""]);
  });

  it("is not counted where it is one", async () => {
    const work = withCount("deleting", Effect.succeed([1]), () => lasting(600));
    expect(await linesOf(work, 2)).toEqual(["deleting …", ""]);
  });
});

describe("nothing is shown", () => {
  it("of what is short", async () => {
    expect(await linesOf(withProgress("asking tmux")(lasting(400)), 1)).toEqual([]);
  });

  it("when nobody looks", async () => {
    expect(await linesOf(withProgress("asking tmux")(lasting(900)), 2, false)).toEqual([]);
  });
});

it(
  "a delete of several sessions is counted, on the line that is taken away behind it",
  atStage(async (stage) => {
    const lines: Array<string> = [];
    const showProgress = (line: string) => Effect.sync(() => void lines.push(line));
    const watched = (...words: ReadonlyArray<string>) => callIn(stage, words, { showProgress });
    const stubborn = ["--", "sh", "-c", "trap : TERM; while :; do sleep 600; done"];
    for (const name of ["a", "b"]) await callIn(stage, ["create", name, ...stubborn]);
    expect((await watched("delete", "--all", "--grace", "900ms")).exit).toBe(0);
    expect(lines.find((line) => line !== "")).toBe("deleting: 0 of 2 …");
    expect(lines.at(-1)).toBe("");
  }),
);

it(
  "a gc of several sessions is counted",
  atStage(async (stage) => {
    const lines: Array<string> = [];
    const showProgress = (line: string) => Effect.sync(() => void lines.push(line));
    for (const name of ["a", "b"]) {
      await callIn(stage, ["create", name, "--", "true"]);
    }
    const slow = stage.wrapper("slow", 'sleep 0.2; exec $REAL "$@"');
    const words = ["--tmux", slow, "gc", "--exited", "0", "--older-than", "0"];
    expect((await callIn(stage, words, { showProgress })).exit).toBe(0);
    const counted = lines.filter((line) => /^collecting: [0-9] of [0-9] …/.test(line));
    expect(counted.length).toBeGreaterThan(0);
    expect(lines.at(-1)).toBe("");
  }),
);

it(
  "on a terminal a table fits, and the line of what takes long is taken away",
  atStage(async (stage) => {
    const stubborn = "trap : TERM; while :; do sleep 600; done # and so on";
    await callIn(stage, ["create", "a", "--", "sh", "-c", stubborn]);
    const { directory: HOME, home: TROUPE_HOME, socket: TROUPE_SOCKET } = stage;
    const line = `stty cols 60; ${troupe} list; ${troupe} delete a --grace 900ms`;
    const terminal = new Terminal(line, { HOME, TROUPE_HOME, TROUPE_SOCKET, TERM: "xterm" });
    try {
      expect(await terminal.ended).toBe(0);
      const drawn = Buffer.from(terminal.drawn, "latin1").toString("utf8");
      const [, row = ""] = drawn.split("\r\n");
      const shown = row.replace(/.\[[0-9]*m/g, "").replace(/.\[0m/g, "");
      expect([shown.length, shown.endsWith("…")]).toEqual([60, true]);
      expect(drawn).toMatch(/\rdeleting ….\[K\r.\[K/);
    } finally {
      terminal.close();
    }
  }),
);
