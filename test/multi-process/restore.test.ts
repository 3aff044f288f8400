/**
 * A `restore --all` that dies by SIGKILL in its start window loses no session.
 *
 * Two sessions whose server died are restored; the program is killed when tmux has both and neither
 * row says that it runs. What it left is lost and listed after a reconcile, and whoever restores
 * all next brings both back, also when nobody reconciled.
 */
import { describe, expect, it } from "vitest";
import { lives } from "../support/Processes.js";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const statesOf = async (stage: Stage): Promise<ReadonlyArray<unknown>> => {
  const { told } = await stage.json("list");
  const sessions = told.result.sessions as ReadonlyArray<Record<string, unknown>>;
  return sessions.map(({ generation, session, state }) => `${session}/${generation} ${state}`);
};

/** A home whose sessions `a` and `b` were being restored when the program died. */
const leave = async (stage: Stage): Promise<void> => {
  for (const name of ["a", "b"]) {
    expect((await stage.run("create", name, "--", "sleep", "600")).code).toBe(0);
  }
  const server = Number(stage.tmux("display-message", "-p", "#{pid}").out);
  process.kill(server, "SIGKILL");
  await waitFor("the end of the server", () => !lives(server));
  const { child, ended } = stage.start(["restore", "--all", "--start-window", "30s"]);
  await waitFor("both in tmux", () => stage.sessionsInTmux.join() === "a,b");
  child.kill("SIGKILL");
  expect((await ended).signal).toBe("SIGKILL");
  expect(await statesOf(stage)).toEqual(["a/2 creating", "b/2 creating"]);
};

const expectBack = async (stage: Stage): Promise<void> => {
  const done = await stage.json("restore", "--all");
  expect([done.code, done.told.result.items]).toMatchObject([
    0,
    [
      { session: "a", state: "running", generation: 3 },
      { session: "b", state: "running", generation: 3 },
    ],
  ]);
  expect(stage.sessionsInTmux).toEqual(["a", "b"]);
  expect(await statesOf(stage)).toEqual(["a/3 running", "b/3 running"]);
};

describe("after a restore of all that was killed in its start window", () => {
  it("a reconcile says that the sessions are lost, and the next restore brings them back", () =>
    onStage(async (stage) => {
      await leave(stage);
      const cause = "its restore was cut off";
      expect((await stage.json("reconcile")).told.result).toMatchObject({
        items: [
          { session: "a", before: "creating", after: "lost", why: cause },
          { session: "b", before: "creating", after: "lost", why: cause },
        ],
      });
      expect(stage.sessionsInTmux).toEqual([]);
      expect(await statesOf(stage)).toEqual(["a/2 lost", "b/2 lost"]);
      await expectBack(stage);
    })());

  it("the next restore brings them back, without a reconcile before it", () =>
    onStage(async (stage) => {
      await leave(stage);
      await expectBack(stage);
    })());
});
