/**
 * What a delete that could not be finished tells scripts, and how it is finished.
 *
 * The server is stopped between the intent of the delete and its kill, as a machine in trouble
 * does it; then it goes on.
 */
import { describe, expect, it } from "vitest";
import { lives } from "../support/Processes.js";
import { onStage } from "../support/Stage.js";
import { beforeList } from "../support/Wrapper.js";

/** The bound of a kill, one call to tmux, and the start of a program on a slow machine. */
const boundMs = 2_000 + 3_000 + 8_000;

describe("a delete whose tmux server hangs behind its intent", () => {
  it(
    "exits 6 by its deadline, and the same command finishes the job when the server goes on",
    onStage(async (stage) => {
      const made = await stage.json("create", "a", "--", "sleep", "600");
      const server = Number(stage.tmux("display-message", "-p", "#{pid}").out);
      const stop = beforeList("kill-session", `kill -STOP ${server}`);
      try {
        const ended = await stage.json("--tmux", stage.wrapper("stopping", stop), "delete", "a");
        expect([ended.code, ended.told.error.code]).toEqual([6, "KILL_UNCONFIRMED"]);
        expect(ended.told.error.retryable).toBe(true);
        expect(ended.ms).toBeLessThan(boundMs);
        const { told } = await stage.json("list");
        expect(told.result.sessions).toMatchObject([
          { session: "a", state: "deleting", seen: { state: "unknown" } },
        ]);
      } finally {
        process.kill(server, "SIGCONT");
      }
      expect((await stage.json("delete", "a")).code).toBe(0);
      expect(stage.sessionsInTmux).toEqual([]);
      expect(lives(Number(made.told.result.pid))).toBe(false);
    }),
  );
});
