/**
 * Further terminals of a session: added, listed, deleted; the others are not touched by it.
 */
import { AddedTerminal, TerminalDeleteResult, type TerminalRecord } from "@troupe/core";
import { Schema } from "effect";
import { describe, expect, it } from "vitest";
import { TerminalListResult } from "../../examples/cli/src/Results.js";
import { lives, processesOf } from "../support/Processes.js";
import { rowsOf } from "../support/Rows.js";
import { type Ended, onStage, type Stage, type Told, toldBy } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const sleeping = ["--", "sleep", "600"];
/** For programs that end by themselves: on a busy machine too, they have ended by then. */
const patiently = ["--start-window", "2s"];
const decodeAdded = Schema.decodeUnknownSync(AddedTerminal, { onExcessProperty: "error" });
const decodeDeleted = Schema.decodeUnknownSync(TerminalDeleteResult, { onExcessProperty: "error" });
const decodeList = Schema.decodeUnknownSync(TerminalListResult, { onExcessProperty: "error" });

type Answered = Ended & { readonly told: Told };

/** The session `a` with these words; the pid of its first program. */
const create = async (stage: Stage, ...words: ReadonlyArray<string>): Promise<number> => {
  const { told } = await stage.json("create", "a", ...words, ...sleeping);
  expect(told).toMatchObject({ ok: true });
  return Number(told.result.pid);
};

/** A further terminal of `a`, which must come to be. */
const add = async (stage: Stage, ...words: ReadonlyArray<string>): Promise<TerminalRecord> => {
  const { code, told } = await stage.json("terminal", "add", "a", ...words);
  expect([code, told.ok, told.command]).toEqual([0, true, "terminal add"]);
  return decodeAdded(told.result).terminal;
};

const remove = async (stage: Stage, terminal: string): Promise<TerminalDeleteResult> => {
  const { code, told } = await stage.json("terminal", "delete", "a", terminal);
  expect([code, told.ok, told.command]).toEqual([0, true, "terminal delete"]);
  return decodeDeleted(told.result);
};

/** Each terminal of `a` with its state. */
const states = async (stage: Stage): Promise<ReadonlyArray<readonly [string, string]>> => {
  const { told } = await stage.json("terminal", "list", "a");
  return decodeList(told.result).terminals.map(({ state, terminal }) => [terminal, state]);
};

/** Every window of the stage's server. */
const windows = (stage: Stage): ReadonlyArray<string> => {
  const { code, out } = stage.tmux("list-windows", "-a", "-F", "#{window_id}");
  return code === 0 ? out.trim().split("\n") : [];
};

const failure = ({ code, told }: Answered) => [code, told.error.code];

describe("a further terminal", () => {
  it("is added, listed, deleted and then gone already, and its peer lives on", () =>
    onStage(async (stage) => {
      const first = await create(stage);
      const added = await add(stage, "--", "sleep", "601");
      expect(added).toMatchObject({ terminal: "t2", command: ["sleep", "601"], state: "running" });
      expect(lives(Number(added.panePid))).toBe(true);
      const { code, told } = await stage.json("terminal", "list", "a");
      expect([code, told.command]).toEqual([0, "terminal list"]);
      expect(Object.keys(told.result)).toEqual(["session", "generation", "terminals"]);
      const main = { terminal: "main", panePid: first, state: "running", exit: null };
      expect(told.result).toMatchObject({ generation: 1, terminals: [main, added] });
      const done = { session: "a", generation: 1, terminal: "t2", sessionDeleted: false };
      expect(await remove(stage, "t2")).toMatchObject({ ...done, alreadyGone: false });
      expect([lives(Number(added.panePid)), lives(first)]).toEqual([false, true]);
      expect(windows(stage)).toHaveLength(1);
      expect(await remove(stage, "t2")).toMatchObject({ ...done, alreadyGone: true });
      expect(await states(stage)).toEqual([
        ["main", "running"],
        ["t2", "gone"],
      ]);
    })());

  it("is told to people in a line, in a table, and in inspect", () =>
    onStage(async (stage) => {
      await create(stage);
      const added = await stage.run("terminal", "add", "a", "--", "sleep", "601");
      expect(added).toMatchObject({ code: 0, stdout: "added t2 to a\n", stderr: "" });
      await stage.run("terminal", "add", "a", ...patiently, "--", "true");
      const listed = await stage.run("terminal", "list", "a");
      const [heads, ...lines] = listed.stdout.trimEnd().split("\n");
      expect(heads?.split(/ {2,}/)).toEqual(["TERMINAL", "STATE", "PID", "EXIT", "COMMAND"]);
      expect(lines).toHaveLength(3);
      expect(lines[1]).toMatch(/^t2 {2,}running {2,}\d+ {2,}- {2,}sleep 601$/);
      expect(lines[2]).toMatch(/^t3 {2,}exited {2,}- {2,}code 0 {2,}true$/);
      expect((await stage.run("inspect", "a")).stdout).toContain(listed.stdout);
      const removed = () => stage.run("terminal", "delete", "a", "t2");
      expect(await removed()).toMatchObject({ code: 0, stdout: "deleted t2 of a\n", stderr: "" });
      expect((await removed()).stdout).toBe("t2 of a was gone already\n");
    })());

  it("starts where its session does unless told, with its words as they stand", () =>
    onStage(async (stage) => {
      await create(stage, "--cwd", "/");
      const script = 'printf "[%s]\\n" "$PWD" "$@" > "$0"; exec sleep 600';
      const words = (name: string) => ["--", "sh", "-c", script, `${stage.directory}/${name}`];
      await add(stage, ...words("one"), "--cwd", "$HOME", "a  b", "");
      expect(await stage.read("one")).toBe("[/]\n[--cwd]\n[$HOME]\n[a  b]\n[]\n");
      await add(stage, "--cwd", ".", ...words("two"));
      expect(await stage.read("two")).toBe(`[${stage.directory}]\n`);
    })());

  it.each([
    [["sh", "-c", "echo why; sleep 0.1; exit 7"], { reason: "ended", code: 7, output: "why" }],
    [["no-such-program"], { reason: "not-found", program: "no-such-program" }],
  ])("that does not start is START_FAILED and leaves its peers: %j", (command, details) =>
    onStage(async (stage) => {
      const first = await create(stage);
      const peer = await add(stage, ...sleeping);
      const [before, peers] = [windows(stage), processesOf(stage.directory)];
      const answered = await stage.json("terminal", "add", "a", ...patiently, "--", ...command);
      expect(failure(answered)).toEqual([9, "START_FAILED"]);
      expect(answered.told.error.details).toMatchObject(details);
      expect(windows(stage)).toEqual(before);
      // What recorded its output ends by itself, behind the last byte.
      await waitFor("nothing more", () => processesOf(stage.directory).length === peers.length);
      expect(processesOf(stage.directory)).toEqual(peers);
      expect([lives(first), lives(Number(peer.panePid))]).toEqual([true, true]);
      const running = (await states(stage)).filter(([, state]) => state !== "gone");
      expect(running.map(([terminal]) => terminal)).toEqual(["main", "t2"]);
    })(),
  );

  it("that is interrupted at its start is undone with exit code 130, and leaves its peer", () =>
    onStage(async (stage) => {
      const first = await create(stage);
      const words = ["terminal", "add", "a", "--json", "--start-window", "1h", ...sleeping];
      const { ended, signal } = stage.start(words);
      await waitFor("the window", () => windows(stage).length === 2);
      signal("SIGINT");
      const done = await ended;
      expect([done.code, toldBy(done).error.code]).toEqual([130, "INTERRUPTED"]);
      expect(windows(stage)).toHaveLength(1);
      expect(lives(first)).toBe(true);
    })());
});

describe("the last terminal", () => {
  it("takes its session with it, and says so", () =>
    onStage(async (stage) => {
      const first = await create(stage);
      await add(stage, ...sleeping);
      expect(await remove(stage, "main")).toMatchObject({ sessionDeleted: false });
      expect([lives(first), stage.sessionsInTmux]).toEqual([false, ["a"]]);
      const { stdout } = await stage.run("terminal", "delete", "a", "t2");
      expect(stdout).toBe("deleted t2 of a, and the session is deleted with it\n");
      expect(stage.sessionsInTmux).toEqual([]);
      expect((await stage.json("inspect", "a")).told.result.state).toBe("deleted");
      const again = await remove(stage, "t2");
      expect(again).toMatchObject({ alreadyGone: true, sessionDeleted: false });
    })());

  it("is BUSY while a user has a window in the session, and nothing is done", () =>
    onStage(async (stage) => {
      const first = await create(stage);
      await add(stage, ...sleeping);
      const words = ["new-window", "-d", "-t", "=a:", "-P", "-F", "#{window_id}", "sleep 600"];
      const window = stage.tmux(...words).out.trim();
      expect(await remove(stage, "t2")).toMatchObject({ sessionDeleted: false });
      const before = [rowsOf(stage.home), windows(stage)];
      const answered = await stage.json("terminal", "delete", "a", "main");
      expect(failure(answered)).toEqual([7, "BUSY"]);
      const { details, hint, retryable } = answered.told.error;
      expect(details).toMatchObject({ reason: "windows" });
      expect(details.holder).toContain(window);
      expect(hint).toMatch(/delete the session itself.*, or close the windows/);
      expect(retryable).toBe(false);
      expect([rowsOf(stage.home), windows(stage)]).toEqual(before);
      expect(lives(first)).toBe(true);
      stage.tmux("kill-window", "-t", window);
      expect(await remove(stage, "main")).toMatchObject({ sessionDeleted: true });
    })());
});

describe("the values that a session was made with", () => {
  const told = ["--", "sh", "-c", 'echo "$ONE|$TWO" > told; exec sleep 600'];

  it("are named in INVALID_ENV where they are not given again, and nothing is done", () =>
    onStage(async (stage) => {
      await create(stage, "--env", "ONE=canary", "--env", "TWO=canary");
      const before = [rowsOf(stage.home), windows(stage)];
      const answered = await stage.json("terminal", "add", "a", "--env", "TWO=2", ...told);
      expect(failure(answered)).toEqual([2, "INVALID_ENV"]);
      expect(answered.told.error.details).toMatchObject({ variables: ["ONE"] });
      expect(answered.told.error.hint).toContain("--without-env");
      expect(answered.stdout).not.toContain("canary");
      expect([rowsOf(stage.home), windows(stage)]).toEqual(before);
    })());

  it("reach the terminal when they are given again, K alone from the caller", () =>
    onStage(async (stage) => {
      await create(stage, "--env", "ONE=old", "--env", "TWO=old");
      const words = ["terminal", "add", "a", "--json", "--env", "ONE", "--env", "TWO=2", ...told];
      const ended = await stage.start(words, { env: { ONE: "caller" } }).ended;
      expect(ended.code).toBe(0);
      expect(await stage.read("told")).toBe("caller|2\n");
      const unset = await stage.json("terminal", "add", "a", "--env", "ONE", ...told);
      expect(failure(unset)).toEqual([2, "INVALID_ENV"]);
    })());

  it("are left out by --without-env, and what is given beside it is not", () =>
    onStage(async (stage) => {
      await create(stage, "--env", "ONE=old", "--env", "TWO=old");
      await add(stage, "--without-env", "--env", "TWO=2", ...told);
      expect(await stage.read("told")).toBe("|2\n");
    })());
});

describe("a call about terminals", () => {
  it.each([
    [["list", "a.b"], 2, "INVALID_NAME"],
    [["add", "a.b"], 2, "INVALID_NAME"],
    [["delete", "a.b", "main"], 2, "INVALID_NAME"],
    [["delete", "a", ""], 2, "USAGE"],
    [["delete", "a", "t2:"], 2, "USAGE"],
    [["list", "never"], 3, "NOT_FOUND"],
    [["add", "never"], 3, "NOT_FOUND"],
    [["delete", "never", "main"], 3, "NOT_FOUND"],
  ])("%j exits with %d, %s, and makes no file", (words, exit, code) =>
    onStage(async (stage) => {
      expect(failure(await stage.json("terminal", ...words))).toEqual([exit, code]);
      expect(stage.made).toEqual([]);
    })(),
  );

  it("that is wrong, or names a terminal that never was, changes nothing", () =>
    onStage(async (stage) => {
      await create(stage);
      const before = [rowsOf(stage.home), windows(stage)];
      const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, number, string]> = [
        [["delete", "a", "t9"], 3, "NOT_FOUND"],
        [["delete", "a", "mai"], 3, "NOT_FOUND"],
        [["delete", "a", "main", "--grace", "soon"], 2, "USAGE"],
        [["add", "a", "--start-window", "soon"], 2, "USAGE"],
        [["add", "a", "--cwd", "nowhere"], 2, "INVALID_CWD"],
        [["add", "a", "--env-file", "nowhere"], 2, "INVALID_ENV"],
      ];
      for (const [words, exit, code] of wrong) {
        const answered = await stage.json("terminal", ...words);
        expect([words, ...failure(answered)]).toEqual([words, exit, code]);
        expect([rowsOf(stage.home), windows(stage)]).toEqual(before);
      }
    })());

  it("is NOT_FOUND to add where the session was deleted, and the list still tells of it", () =>
    onStage(async (stage) => {
      await create(stage);
      await stage.json("delete", "a");
      const answered = await stage.json("terminal", "add", "a", ...sleeping);
      expect(failure(answered)).toEqual([3, "NOT_FOUND"]);
      expect(await states(stage)).toEqual([["main", "gone"]]);
    })());

  it("exits with 5 where tmux cannot be asked: the list is told, and nothing is changed", () =>
    onStage(async (stage) => {
      const first = await create(stage);
      const before = rowsOf(stage.home);
      const blind = ["--tmux", `${stage.directory}/no-tmux`, "terminal"];
      for (const words of [
        ["list", "a"],
        ["add", "a", ...sleeping],
        ["delete", "a", "main"],
      ]) {
        const answered = await stage.json(...blind, ...words);
        expect([words[0], ...failure(answered)]).toEqual([words[0], 5, "LOOKUP_FAILED"]);
        expect(rowsOf(stage.home)).toBe(before);
      }
      const { told } = await stage.json(...blind, "list", "a");
      expect(told.result).toMatchObject({ terminals: [{ terminal: "main", panePid: first }] });
      expect(lives(first)).toBe(true);
    })());
});
