/**
 * A delete that is stopped in the middle and overtaken by `--force`.
 *
 * When it goes on it ends with exit code 7, because somebody took its name; and the session that
 * was made under the name meanwhile stands as it was, in tmux, in the registry and as a process.
 * It is stopped in front of each change: of tmux, which then goes in late, and of the registry.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lives, stateOf } from "../support/Processes.js";
import { rowsOf } from "../support/Rows.js";
import { type Ended, onStage, type Running, type Stage, toldBy } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";
import { countsCommits } from "./KillMatrix.js";

/** A tmux that stops its caller at the n-th call, and does that call when it is let go. */
const stopper = (stage: Stage, at: number): string =>
  stage.wrapper(
    "stopper",
    `echo call >> "$STAGE/calls"
if [ $(wc -l < "$STAGE/calls") = ${at} ]; then
  kill -STOP $PPID
  while [ ! -e "$STAGE/go" ]; do sleep 0.01; done
fi
exec $REAL "$@"`,
  );

const PANES = "#{session_id} #{@troupe-inc} #{@troupe-pane} #{pane_pid} #{pane_dead}";

/** All that is known of what is there. */
const everything = (stage: Stage) => ({
  tmux: stage.tmux("list-panes", "-a", "-F", PANES).out,
  rows: rowsOf(stage.home),
});

/** Overtakes the stopped delete, makes another session of the name, and lets the delete go on. */
const overtake = async (stage: Stage, { child, ended }: Running): Promise<Ended> => {
  const overtaking = await stage.json("delete", "a", "--force", "--grace", "0");
  expect([overtaking.code, overtaking.told.result]).toMatchObject([0, { generation: 1 }]);
  const made = await stage.json("create", "a", "--", "sleep", "86400");
  expect([made.code, made.told.result]).toMatchObject([0, { generation: 2, state: "running" }]);
  const before = everything(stage);
  writeFileSync(join(stage.directory, "go"), "");
  child.kill("SIGCONT");
  const end = await ended;
  expect(everything(stage)).toEqual(before);
  expect(lives(Number(made.told.result.pid))).toBe(true);
  expect((await stage.json("reconcile")).told.result).toMatchObject({
    items: [{ session: "a", after: "running", changed: false }],
  });
  return end;
};

const expectLoss = (end: Ended): void => {
  expect([end.code, toldBy(end).error]).toMatchObject([
    7,
    { code: "BUSY", details: { reason: "overtaken" } },
  ]);
};

/** A delete that is to stop in front of its n-th transaction; the first one is the claim. */
const started = async (stage: Stage, at: number): Promise<Running> => {
  expect((await stage.run("create", "a", "--", "sleep", "86400")).code).toBe(0);
  const counted = { NODE_OPTIONS: countsCommits, COMMITS: join(stage.directory, "commits") };
  const env = { ...counted, DIE_AT: `stop ${at}` };
  return stage.start(["--json", "delete", "a"], { env });
};

const stopAt = async (stage: Stage, at: number): Promise<Running> => {
  const running = await started(stage, at);
  await stopped(running);
  return running;
};

const stopped = ({ child }: Running) => waitFor("the stop", () => stateOf(child.pid ?? 0) === "T");

/** What a delete does behind its claim; its look shows what it keeps. */
const CALLS = ["its look", "the kill"];
const TRANSACTIONS = ["its intent", "its end"];

describe.concurrent("a delete that was stopped and overtaken", () => {
  for (const [index, what] of CALLS.entries()) {
    it(
      `in front of ${what} says so, and leaves the next session of the name alone`,
      onStage(async (stage) => {
        expect((await stage.run("create", "a", "--", "sleep", "86400")).code).toBe(0);
        const words = ["--json", "--tmux", stopper(stage, index + 1), "delete", "a"];
        const running = stage.start(words);
        await stopped(running);
        expectLoss(await overtake(stage, running));
      }),
    );
  }

  for (const [index, what] of TRANSACTIONS.entries()) {
    it(
      `in front of writing ${what} says so, and leaves the next session of the name alone`,
      onStage(async (stage) => {
        expectLoss(await overtake(stage, await stopAt(stage, index + 2)));
      }),
    );
  }

  it(
    "has given its claim back with its end: there is nothing in between, and nothing behind it",
    onStage(async (stage) => {
      const { ended } = await started(stage, TRANSACTIONS.length + 2);
      expect((await ended).code).toBe(0);
      expect(Number(await stage.read("commits"))).toBe(1 + TRANSACTIONS.length);
      expect((await stage.json("create", "a", "--", "sleep", "86400")).code).toBe(0);
    }),
  );

  it(
    "in its grace says so, and leaves the next session of the name alone",
    onStage(async (stage) => {
      const stubborn = 'trap "" HUP; trap "echo saved" TERM; while :; do sleep 1; done';
      expect((await stage.run("create", "a", "--", "sh", "-c", stubborn)).code).toBe(0);
      const running = stage.start(["--json", "delete", "a", "--grace", "60s"]);
      await waitFor("the intent", () => rowsOf(stage.home).includes('"state":"deleting"'));
      running.child.kill("SIGSTOP");
      await stopped(running);
      expectLoss(await overtake(stage, running));
    }),
  );
});
