/**
 * The main path: made, listed, looked into, deleted, and deleted again.
 */
import { describe, expect, it } from "vitest";
import { lives } from "../support/Processes.js";
import { onStage, type Told } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const pidOf = ({ result }: Told): number => Number(result.pid);
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("a session", () => {
  it("is running, in tmux with its mark, and the same in list and inspect", () =>
    onStage(async (stage) => {
      const { code, told } = await stage.json("create", "a", "--", "sleep", "600");
      expect(code).toBe(0);
      const row = { session: "a", state: "running", generation: 1, command: ["sleep", "600"] };
      expect(told).toMatchObject({ ok: true, command: "create", result: row });
      expect(lives(pidOf(told))).toBe(true);
      const mark = stage.tmux("list-sessions", "-F", "#{session_name} #{@troupe-inc}");
      expect(mark.out).toBe(`a ${told.result.incarnation}\n`);
      const listed = await stage.json("list");
      const inspected = await stage.json("inspect", "a");
      const seen = { seen: { state: "present" }, incarnation: told.result.incarnation, ...row };
      expect(listed.told.result).toMatchObject({ sessions: [seen], unreadable: [] });
      expect(inspected.told.result).toMatchObject(seen);
      expect(inspected.told.result.createdAt).toMatch(instant);
      expect(inspected.told.result).toMatchObject({ cause: null, exit: null });
    })());

  it("whose program has ended is told as that by every read, before a reconcile", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sh", "-c", "read line; exit 7");
      await stage.json("terminal", "add", "a", "--", "sleep", "601");
      stage.tmux("send-keys", "-t", "=a:main", "Enter");
      const ended = ["display-message", "-p", "-t", "=a:main", "#{pane_dead_status}"];
      await waitFor("the end of the program", () => {
        // A server that missed the end of a program learns how it ended with that of another.
        stage.tmux("run-shell", "-b", "true");
        return stage.tmux(...ended).out === "7\n";
      });
      const exit = { code: 7, signal: null };
      const main = { terminal: "main", exit };
      const other = { terminal: "t2", exit: null };
      const row = { state: "running", exit, seen: { terminals: [main, other] } };
      const { told: listed } = await stage.json("list");
      expect(listed.result.sessions).toMatchObject([row]);
      const { told: inspected } = await stage.json("inspect", "a");
      const terminals = [
        { ...main, state: "running" },
        { ...other, state: "running" },
      ];
      expect(inspected.result).toMatchObject({ ...row, terminals });
      const { told: shown } = await stage.json("terminal", "list", "a");
      expect(shown.result).toMatchObject({ terminals });
      const text = (await stage.run("terminal", "list", "a")).stdout;
      expect(text).toMatch(/^main +running +- +code 7 .*$/m);
      stage.tmux("kill-window", "-t", "=a:t2");
      expect((await stage.run("list")).stdout).toMatch(/^a +running +present +code 7 /m);
      expect((await stage.run("terminal", "list", "a")).stdout).toMatch(/^t2 +running +- /m);
    })());

  it("is gone with its processes after a delete; a second one finds it gone already", () =>
    onStage(async (stage) => {
      const made = await stage.json("create", "a", "--", "sleep", "600");
      const first = await stage.json("delete", "a");
      expect([first.code, first.told.result.alreadyGone]).toEqual([0, false]);
      expect(first.told.result.items).toMatchObject([{ session: "a", error: null }]);
      expect(stage.sessionsInTmux).toEqual([]);
      expect(lives(pidOf(made.told))).toBe(false);
      const second = await stage.json("rm", "a");
      expect([second.code, second.told.result.alreadyGone]).toEqual([0, true]);
      expect((await stage.json("list")).told.result.sessions).toEqual([]);
      const all = await stage.json("list", "--all");
      expect(all.told.result.sessions).toMatchObject([{ session: "a", state: "deleted" }]);
    })());

  it("that never was is NOT_FOUND to delete, inspect and reconcile", () =>
    onStage(async (stage) => {
      for (const command of ["delete", "inspect", "reconcile"]) {
        const { code, told } = await stage.json(command, "never");
        expect([command, code, told.error.code]).toEqual([command, 3, "NOT_FOUND"]);
      }
    })());

  it("holds its name: a second create is ALREADY_EXISTS and changes nothing", () =>
    onStage(async (stage) => {
      const { told } = await stage.json("create", "a", "--", "sleep", "600");
      const again = await stage.json("create", "a", "--", "sleep", "600");
      expect([again.code, again.told.error.code]).toEqual([4, "ALREADY_EXISTS"]);
      expect(again.told.error.details).toMatchObject({ state: "running" });
      expect(lives(pidOf(told))).toBe(true);
    })());

  it("that tmux made without us is a stranger, and stays", () =>
    onStage(async (stage) => {
      await stage.json("create", "ours", "--", "sleep", "600");
      stage.tmux("new-session", "-d", "-s", "theirs", "sleep 600");
      const created = await stage.json("create", "theirs", "--", "sleep", "600");
      expect([created.code, created.told.error.code]).toEqual([4, "FOREIGN_SESSION"]);
      expect((await stage.json("delete", "theirs")).code).toBe(3);
      expect(stage.sessionsInTmux).toEqual(["ours", "theirs"]);
    })());
});

describe("a delete of several", () => {
  it("goes on after one that fails, reports each, and exits as the first failure", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      await stage.json("create", "b", "--", "sleep", "600");
      const { code, told } = await stage.json("delete", "a", "never", "x.y", "b");
      expect(code).toBe(3);
      expect(told.error.code).toBe("NOT_FOUND");
      expect(told.result.items).toMatchObject([
        { session: "a", alreadyGone: false, error: null },
        { session: "never", alreadyGone: null, error: { code: "NOT_FOUND" } },
        { session: "x.y", error: { code: "INVALID_NAME" } },
        { session: "b", alreadyGone: false, error: null },
      ]);
      expect(stage.sessionsInTmux).toEqual([]);
    })());

  it("with --all ends every active session and nothing else", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      await stage.json("create", "b", "--", "true");
      stage.tmux("new-session", "-d", "-s", "theirs", "sleep 600");
      const { code, told } = await stage.json("delete", "--all");
      expect(code).toBe(0);
      expect(told.result.items).toMatchObject([{ session: "a" }, { session: "b" }]);
      expect(stage.sessionsInTmux).toEqual(["theirs"]);
      expect((await stage.json("delete", "--all")).told.result.items).toEqual([]);
    })());
});

describe("a reconcile", () => {
  it("records what happened meanwhile, once", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      stage.tmux("kill-session", "-t", "=a");
      const first = await stage.json("reconcile");
      expect(first.told.result.items).toMatchObject([
        { session: "a", before: "running", after: "lost", changed: true, error: null },
      ]);
      const second = await stage.json("reconcile", "a");
      expect(second.told.result.items).toMatchObject([{ after: "lost", changed: false }]);
    })());
});

describe("a list", () => {
  it("starts one tmux, however many sessions there are", () =>
    onStage(async (stage) => {
      const tmux = stage.wrapper("tmux", 'echo "$1" >> "$STAGE/calls"; exec $REAL "$@"');
      const names = ["a", "b", "c", "d", "e", "f"];
      const made = await Promise.all(
        names.map((name) => stage.json("create", name, "--", "sleep", "600")),
      );
      expect(made.filter((one) => !one.told.ok)).toEqual([]);
      const { told } = await stage.json("--tmux", tmux, "list");
      expect(told.result.sessions).toHaveLength(names.length);
      expect((await stage.read("calls")).trimEnd().split("\n")).toHaveLength(1);
    })());
});
