/**
 * Ctrl-C and SIGTERM: what was under way is finished or undone, and the exit code says so.
 *
 * A signal goes to the whole process group, as from a terminal: a tmux client that is under way
 * gets it too.
 */
import { describe, expect, it } from "vitest";
import { lives } from "../support/Processes.js";
import { onStage, type Stage, toldBy } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const stubborn = ["sh", "-c", "trap : TERM; echo ready > ready; while :; do sleep 0.1; done"];

/** Starts a create with a long start window, and waits until tmux has the session. */
const startCreate = async (stage: Stage) => {
  const words = ["create", "a", "--json", "--start-window", "1h", "--", "sleep", "600"];
  const running = stage.start(words);
  await waitFor("the session in tmux", () => stage.sessionsInTmux.includes("a"));
  return running;
};

describe("a create that is interrupted", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("by %s exits with %d and leaves nothing half-made", (signal, code) =>
    onStage(async (stage) => {
      const { ended, signal: send } = await startCreate(stage);
      send(signal);
      const done = await ended;
      expect(done.code).toBe(code);
      expect(toldBy(done)).toMatchObject({ command: "create", error: { code: "INTERRUPTED" } });
      expect(stage.sessionsInTmux).toEqual([]);
      expect((await stage.json("list")).told.result.sessions).toEqual([]);
      expect((await stage.json("reconcile")).told.result.items).toEqual([]);
    })(),
  );

  it("by two signals is undone all the same", () =>
    onStage(async (stage) => {
      const { ended, signal } = await startCreate(stage);
      signal("SIGINT");
      signal("SIGINT");
      signal("SIGTERM");
      expect([130, 143]).toContain((await ended).code);
      expect(stage.sessionsInTmux).toEqual([]);
      expect((await stage.json("list")).told.result.sessions).toEqual([]);
    })());
});

describe("a delete that is interrupted", () => {
  it("exits with 130, and the session is gone whole", () =>
    onStage(async (stage) => {
      const made = await stage.json("create", "a", "--", ...stubborn);
      await stage.read("ready");
      const running = stage.start(["delete", "a", "--json", "--grace", "3s"]);
      await waitFor("the delete to be written down", async () => {
        const { told } = await stage.json("inspect", "a");
        return told.result.state === "deleting";
      });
      running.signal("SIGINT");
      const done = await running.ended;
      expect(done.code).toBe(130);
      expect(toldBy(done).error.code).toBe("INTERRUPTED");
      expect(stage.sessionsInTmux).toEqual([]);
      expect(lives(Number(made.told.result.pid))).toBe(false);
      expect((await stage.json("inspect", "a")).told.result.state).toBe("deleted");
    })());
});
