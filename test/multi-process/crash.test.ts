/**
 * Programs that die by SIGKILL, where it matters what comes behind the death.
 *
 * What every boundary of every operation leaves stands in `kills.test.ts`.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLinesWith, lives } from "../support/Processes.js";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";
import { beforeList } from "../support/Wrapper.js";

/** Its creation is handed in when there is a file `go`. */
const lateCreator = (stage: Stage): string =>
  stage.wrapper(
    "late-creator",
    beforeList(
      "new-session",
      `kill -9 $PPID
while [ ! -e "$STAGE/go" ]; do sleep 0.01; done
$REAL "$@" < "$LIST" > "$STAGE/late.out" 2>&1; touch "$STAGE/late.done"; exit`,
    ),
  );

/** A program that nobody else runs, so that its processes are known by their words. */
const marked = (stage: Stage): string => `86400.${stage.directory.replace(/\W/g, "").length}`;

const stateOf = async (stage: Stage): Promise<unknown> => {
  const { told } = await stage.json("list", "--all");
  const sessions = told.result.sessions as ReadonlyArray<Record<string, unknown>>;
  return sessions[0]?.state;
};

describe("a creation that a killed client hands in late", () => {
  it(
    "is refused by tmux itself once a reconcile has raised the fence",
    onStage(async (stage) => {
      const program = marked(stage);
      await stage.run("--tmux", lateCreator(stage), "create", "a", "--", "sleep", program);
      expect((await stage.json("reconcile")).told.result).toMatchObject({
        items: [{ after: "failed" }],
      });
      writeFileSync(join(stage.directory, "go"), "");
      await waitFor("the late call", () => existsSync(join(stage.directory, "late.done")));
      expect(await stage.read("late.out")).toBe("REFUSED 0\n");
      expect(stage.sessionsInTmux).toEqual([]);
      expect(commandLinesWith(program).filter((line) => line.startsWith("sleep"))).toEqual([]);
    }),
  );
});

describe("a delete that is killed in its grace", () => {
  it(
    "is finished by the next delete, and the program that handled TERM is gone",
    onStage(async (stage) => {
      const script = 'trap "" HUP; trap "echo saved" TERM; while :; do sleep 1; done';
      const { told } = await stage.json("create", "a", "--", "sh", "-c", script);
      const { child, ended } = stage.start(["delete", "a", "--grace", "60s"]);
      await waitFor("the intent", async () => (await stateOf(stage)) === "deleting");
      child.kill("SIGKILL");
      await ended;
      const again = await stage.json("delete", "a", "--grace", "0");
      expect(again).toMatchObject({ code: 0, told: { result: { alreadyGone: false } } });
      expect(lives(Number(told.result.pid))).toBe(false);
    }),
  );
});
