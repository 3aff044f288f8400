/**
 * Time limits at the command line: shown while they are ahead, acted on by the next reconcile when
 * they have passed, and never in doubt.
 *
 * A limit that has passed is a fact of the clock, which is waited for where it is not one already.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atStage, callIn } from "../support/InProcess.js";
import type { Stage, Told } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const json = async (stage: Stage, ...words: ReadonlyArray<string>) => {
  const { exit, out } = await callIn(stage, ["--json", ...words]);
  return { exit, ...(JSON.parse(out) as Told) };
};

interface Row {
  readonly state: string;
  readonly createdAt: string;
  readonly ttlMs: number | null;
  readonly idleTtlMs: number | null;
  readonly limitAt: string | null;
}

const inspected = async (stage: Stage): Promise<Row> =>
  (await json(stage, "inspect", "a")).result as unknown as Row;

const create = async (stage: Stage, ...words: ReadonlyArray<string>): Promise<void> => {
  const script = "echo hello; exec sleep 600";
  const { exit, out } = await callIn(stage, ["create", "a", ...words, "--", "sh", "-c", script]);
  expect([exit, out]).toEqual([0, expect.stringContaining("running")]);
};

/** Waits until the limit of the session is known to have passed. */
const passed = (stage: Stage): Promise<unknown> =>
  waitFor("the limit", async () => {
    const { limitAt } = await inspected(stage);
    return limitAt !== null && Date.parse(limitAt) < performance.timeOrigin + performance.now();
  });

const causes = async (stage: Stage): Promise<ReadonlyArray<string>> =>
  (await callIn(stage, ["events", "a"])).out
    .split("\n")
    .flatMap((line) => /(?:deleting|deleted): (.*)$/.exec(line)?.[1] ?? []);

describe("a session with time limits", () => {
  it(
    "is told with them, and with when the first of them passes, and stays until then",
    atStage(async (stage) => {
      await create(stage, "--ttl", "2h", "--idle-ttl", "30m");
      const row = await inspected(stage);
      expect(row).toMatchObject({ ttlMs: 7_200_000, idleTtlMs: 1_800_000 });
      await callIn(stage, ["wait", "a", "--text", "hello"]);
      await waitFor("the recorded output", async () => (await inspected(stage)).limitAt !== null);
      const { createdAt, limitAt } = await inspected(stage);
      const ahead = Date.parse(limitAt ?? "") - Date.parse(createdAt);
      expect(ahead).toBeGreaterThanOrEqual(1_800_000);
      expect(ahead).toBeLessThan(7_200_000);
      const { sessions } = (await json(stage, "list")).result;
      expect(sessions).toMatchObject([{ ttlMs: 7_200_000, idleTtlMs: 1_800_000, limitAt }]);
      expect((await callIn(stage, ["inspect", "a"])).out).toMatch(
        /^time limit +2h old, or 30m without output: in (30|29)m$/m,
      );
      expect((await callIn(stage, ["reconcile"])).out).toBe("nothing to do\n");
    }),
  );

  it(
    "is told with the time of its end alone where it has no other",
    atStage(async (stage) => {
      await create(stage, "--ttl", "90s");
      const { createdAt, idleTtlMs, limitAt } = await inspected(stage);
      expect([Date.parse(limitAt ?? "") - Date.parse(createdAt), idleTtlMs]).toEqual([
        90_000,
        null,
      ]);
      await callIn(stage, ["delete", "a", "--grace", "0"]);
      expect(await inspected(stage)).toMatchObject({ ttlMs: 90_000, limitAt: null });
    }),
  );

  it.each([
    ["--ttl", "time limit of 1ms passed"],
    ["--idle-ttl", "time limit of 1ms without output passed"],
  ])("that passed (%s) is deleted by the next reconcile, and the log says why", (option, why) =>
    atStage(async (stage) => {
      await create(stage, option, "1ms");
      await passed(stage);
      const planned = await json(stage, "reconcile", "--dry-run");
      expect(planned.result).toMatchObject({ items: [{ after: "deleted", why }] });
      expect((await inspected(stage)).state).toBe("running");
      const { exit, result } = await json(stage, "reconcile");
      expect([exit, result]).toMatchObject([0, { items: [{ after: "deleted", changed: true }] }]);
      expect([await causes(stage), stage.sessionsInTmux]).toEqual([[why, why], []]);
    })(),
  );
});

describe("a doubt", () => {
  it(
    "whether the session is there deletes nothing",
    atStage(async (stage) => {
      await create(stage, "--ttl", "1ms");
      await passed(stage);
      const { exit } = await json(stage, "reconcile", "a", "--tmux", "/nowhere/tmux");
      expect([exit, (await inspected(stage)).state]).toEqual([5, "running"]);
      expect([await causes(stage), stage.sessionsInTmux]).toEqual([[], ["a"]]);
    }),
  );

  it(
    "whether something was printed deletes nothing",
    atStage(async (stage) => {
      await create(stage, "--idle-ttl", "1ms");
      await passed(stage);
      rmSync(join(stage.home, "output"), { recursive: true });
      expect((await inspected(stage)).limitAt).toBeNull();
      expect((await callIn(stage, ["inspect", "a"])).out).toMatch(/^time limit .*not known when$/m);
      const { exit, result } = await json(stage, "reconcile", "a");
      expect([exit, result]).toMatchObject([0, { items: [{ after: "running" }] }]);
      expect([await causes(stage), stage.sessionsInTmux]).toEqual([[], ["a"]]);
    }),
  );
});

describe("a time limit that cannot be meant", () => {
  it(
    "is a wrong call, and nothing is made",
    atStage(async (stage) => {
      for (const words of [
        ["--ttl", "0"],
        ["--ttl", "5"],
        ["--idle-ttl", "soon"],
        ["--idle-ttl", "1h", "--no-log"],
      ]) {
        const { error, exit } = await json(stage, "create", "a", ...words);
        expect([words, exit, error.code]).toEqual([words, 2, "USAGE"]);
      }
      expect(stage.sessionsInTmux).toEqual([]);
    }),
  );
});
