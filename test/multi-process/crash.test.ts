/**
 * A program that dies by SIGKILL at any of its calls to tmux, and what a reconcile makes of it.
 *
 * Goal: after the death, at every call in turn, before or after it took effect, tmux and the
 * registry agree again, and no process is left that no row knows. Method: a program given as tmux
 * counts the calls and kills its caller at the n-th; n grows until a run ends by itself, so every
 * boundary is met. `late` also lets the call take effect after the reconcile, as a client does
 * that was killed while the server was busy.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLinesWith, lives } from "../support/Processes.js";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

type When = "before" | "after" | "late";

/** `late` hands the call to a process of its own, which waits for the file `go`. */
const killer = (stage: Stage, at: number, when: When): string =>
  stage.wrapper(
    `killer-${at}-${when}`,
    `n=$(($(cat $STAGE/calls 2>/dev/null || echo 0) + 1)); echo $n > $STAGE/calls
if [ $n = ${at} ]; then
  case ${when} in
    before) kill -9 $PPID; exit ;;
    after) $REAL "$@"; kill -9 $PPID; exit ;;
    late) cat > $STAGE/input; kill -9 $PPID
      while [ ! -e $STAGE/go ]; do sleep 0.01; done
      $REAL "$@" < $STAGE/input > $STAGE/late.out 2>&1; touch $STAGE/late.done; exit ;;
  esac
fi
exec $REAL "$@"`,
  );

/** A program that nobody else runs, so that its processes are known by their words. */
const marked = (stage: Stage): string => `86400.${stage.directory.replace(/\W/g, "").length}`;

interface Listed {
  readonly session: string;
  readonly state: string;
  readonly seen: { readonly state: string };
}

const listed = async (stage: Stage): Promise<ReadonlyArray<Listed>> => {
  const { told } = await stage.json("list", "--all");
  const sessions: unknown = told.result.sessions;
  return Array.isArray(sessions) ? sessions : [];
};

/** tmux and the registry agree, and what no row holds runs nowhere. */
const expectAgreement = async (stage: Stage, program: string): Promise<void> => {
  const views = await listed(stage);
  const active = views.filter(({ state }) => state === "running" || state === "exited");
  expect(active.map(({ session }) => session)).toEqual(stage.sessionsInTmux);
  expect(active.every(({ seen }) => seen.state === "present")).toBe(true);
  expect(views.filter(({ state }) => ["creating", "deleting"].includes(state))).toEqual([]);
  const running = commandLinesWith(program).filter((line) => line.startsWith("sleep"));
  expect(running.length).toBe(active.length);
};

const letGo = async (stage: Stage): Promise<void> => {
  writeFileSync(join(stage.directory, "go"), "");
  await waitFor("the late call", () => existsSync(join(stage.directory, "late.done")));
};

/** Runs the words with a death at each call in turn; how many deaths there were. */
const dieAtEach = async (
  when: When,
  prepare: (stage: Stage, program: string) => Promise<void>,
  words: (program: string) => ReadonlyArray<string>,
): Promise<number> => {
  for (let at = 1; at < 20; at++) {
    let died = true;
    await onStage(async (stage) => {
      const program = marked(stage) + at;
      await prepare(stage, program);
      const tmux = killer(stage, at, when);
      const { signal } = await stage.run("--tmux", tmux, ...words(program));
      died = signal === "SIGKILL";
      expect((await stage.run("reconcile")).code).toBe(0);
      if (died && when === "late") {
        await letGo(stage);
        await stage.run("reconcile");
      }
      await expectAgreement(stage, program);
    })();
    if (!died) return at - 1;
  }
  throw new Error("the command makes more calls to tmux than it should");
};

const nothing = async (): Promise<void> => {};

const createFirst = async (stage: Stage, program: string): Promise<void> => {
  const { code } = await stage.run("create", "a", "--", "sleep", program);
  expect(code).toBe(0);
};

describe("after a death by SIGKILL", () => {
  for (const when of ["before", "after", "late"] as const) {
    it(`${when} any call of a create, reconcile leaves session and row, or neither`, async () => {
      const words = (program: string) => ["create", "a", "--", "sleep", program];
      expect(await dieAtEach(when, nothing, words)).toBeGreaterThanOrEqual(4);
    });

    it(`${when} any call of a delete, reconcile leaves session and row, or neither`, async () => {
      const words = () => ["delete", "a"];
      expect(await dieAtEach(when, createFirst, words)).toBeGreaterThanOrEqual(2);
    });
  }
});

describe("a creation that a killed client hands in late", () => {
  it(
    "is refused by tmux itself once a reconcile has raised the fence",
    onStage(async (stage) => {
      const program = marked(stage);
      // Calls of a create: the look, the boot, the creation.
      const tmux = killer(stage, 3, "late");
      await stage.run("--tmux", tmux, "create", "a", "--", "sleep", program);
      expect((await stage.json("reconcile")).told.result).toMatchObject({
        items: [{ after: "failed" }],
      });
      await letGo(stage);
      expect(await stage.read("late.out")).toBe("STALE\n".replace("STALE", "REFUSED 0"));
      expect(stage.sessionsInTmux).toEqual([]);
      expect(commandLinesWith(program).filter((line) => line.startsWith("sleep"))).toEqual([]);
    }),
  );
});

describe("a create that others reconcile beside", () => {
  it(
    "is not disturbed",
    onStage(async (stage) => {
      const create = stage.start(["create", "a", "--start-window", "1500ms", "--", "sleep", "600"]);
      await waitFor("the row", async () => {
        const views = await listed(stage);
        return views.some(({ state }) => state === "creating");
      });
      const both = await Promise.all([stage.json("reconcile"), stage.json("reconcile", "a")]);
      expect(both.map(({ code }) => code)).toEqual([0, 0]);
      for (const { told } of both) {
        expect(told.result).toMatchObject({ items: [{ session: "a", changed: false }] });
      }
      expect((await create.ended).code).toBe(0);
      const [view] = await listed(stage);
      expect(view).toMatchObject({ session: "a", state: "running", seen: { state: "present" } });
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
      await waitFor("the intent", async () => (await listed(stage))[0]?.state === "deleting");
      child.kill("SIGKILL");
      await ended;
      const again = await stage.json("delete", "a", "--grace", "0");
      expect(again).toMatchObject({ code: 0, told: { result: { alreadyGone: false } } });
      expect(lives(Number(told.result.pid))).toBe(false);
    }),
  );
});
