/**
 * events: the lifecycle log for people and for programs, from a cursor, of one name, and followed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { Schema } from "effect";
import { describe, expect, it } from "vitest";
import { EventsResult } from "../../examples/cli/src/Results.js";
import { onStage, type Running, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const decode = Schema.decodeUnknownSync(EventsResult, { onExcessProperty: "error" });

type Result = Readonly<Record<string, unknown>>;

/** The result of each line of a call with `--json`, each as its schema says. */
const resultsIn = (stdout: string): ReadonlyArray<Result> =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const told = JSON.parse(line);
      expect(told).toMatchObject({ ok: true, command: "events" });
      decode(told.result);
      return told.result;
    });

const short = ({ generation, sequence, session, state, terminal, type }: Result): string => {
  if (type === "pause") return `pause ${sequence}`;
  const what = terminal === undefined ? state : `${terminal} ${state}`;
  return `${sequence} ${session}/${generation} ${what}`;
};

const create = async (stage: Stage, name: string) => {
  expect((await stage.json("create", name, "--", "sleep", "600")).code).toBe(0);
};

const remove = async (stage: Stage, name: string) => {
  expect((await stage.json("delete", name, "--grace", "0")).code).toBe(0);
};

/** What a call that goes on has written so far. */
const listen = ({ child }: Running): (() => string) => {
  let seen = "";
  child.stdout?.on("data", (data: Buffer) => {
    seen += data.toString("utf8");
  });
  return () => seen;
};

const ofA = ["1 a/1 creating", "2 a/1 main running", "3 a/1 running"];
const ofB = ["4 b/1 creating", "5 b/1 main running", "6 b/1 running"];
const endOfA = ["7 a/1 deleting", "8 a/1 main gone", "9 a/1 deleted"];

describe("the events of a home", () => {
  it("are what every program did, in order, and go on at a sequence", () =>
    onStage(async (stage) => {
      await create(stage, "a");
      await create(stage, "b");
      await remove(stage, "a");
      const all = await stage.run("events", "--json");
      const results = resultsIn(all.stdout);
      expect([all.code, all.stderr]).toEqual([0, ""]);
      expect(results.map(short)).toEqual([...ofA, ...ofB, ...endOfA, "pause 9"]);
      const [first, second] = results;
      expect(first).toMatchObject({ type: "session", state: "creating", cause: null });
      expect(first?.at).toMatch(instant);
      expect(second).toMatchObject({ type: "terminal", terminal: "main", exit: null });
      const part = await stage.run("events", "--json", "--since", "7");
      expect(resultsIn(part.stdout).map(short)).toEqual([...endOfA.slice(1), "pause 9"]);
      const name = await stage.run("events", "b", "--json");
      expect(resultsIn(name.stdout).map(short)).toEqual([...ofB, "pause 6"]);
      const none = await stage.run("events", "--json", "--since", "9");
      expect(resultsIn(none.stdout).map(short)).toEqual(["pause 9"]);
    })());

  it("are a line each to a person, with the program's end", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--start-window", "2s", "--", "true");
      const { code, stderr, stdout } = await stage.run("events");
      expect([code, stderr]).toEqual([0, ""]);
      const lines = stdout.split("\n").map((line) => line.trim().split(/ {2,}/));
      const told = lines.map(([sequence, , ...rest]) => [sequence, ...rest]);
      expect(lines[0]).toEqual(["SEQ", "AGE", "SESSION", "EVENT"]);
      expect(lines[1]?.[1]).toMatch(/^[0-9]+s$/);
      expect(told.slice(1)).toEqual([
        ["1", "a/1", "creating"],
        ["2", "a/1", "terminal main exited: code 0"],
        ["3", "a/1", "exited"],
        [""],
      ]);
    })());

  it("of a home that is not there are none, and make none", () =>
    onStage(async (stage) => {
      const text = await stage.run("events");
      expect([text.code, text.stdout, text.stderr]).toEqual([0, "no events\n", ""]);
      const json = await stage.run("events", "--json");
      expect(resultsIn(json.stdout)).toEqual([{ type: "pause", sequence: 0 }]);
      expect(existsSync(stage.home)).toBe(false);
    })());

  it("of a name that was never used are NOT_FOUND, and a wrong call is told as one", () =>
    onStage(async (stage) => {
      await create(stage, "a");
      for (const [words, code, exit] of [
        [["never"], "NOT_FOUND", 3],
        [["a.b"], "INVALID_NAME", 2],
        [["--since", "-1"], "USAGE", 2],
        [["--since", "x"], "USAGE", 2],
        [["a", "b"], "USAGE", 2],
      ] as const) {
        const ended = await stage.json("events", ...words);
        expect([words, ended.code, ended.told.error.code]).toEqual([words, exit, code]);
      }
      const known = await stage.run("events", "a", "--json", "--since", "3");
      expect(resultsIn(known.stdout)).toEqual([{ type: "pause", sequence: 3 }]);
    })());

  it("that are not kept, and one that cannot be read, are told and hide no other", () =>
    onStage(async (stage) => {
      await create(stage, "a");
      await remove(stage, "a");
      const file = new Sqlite(join(stage.home, "registry.db"));
      file.exec("DROP TRIGGER event_stays_itself");
      file.exec("DELETE FROM events WHERE sequence <= 2");
      file.exec(`UPDATE events SET body = '{"type":"newer"}' WHERE sequence = 4`);
      file.close();
      const text = await stage.run("events");
      expect(text.code).toBe(8);
      expect(text.stderr).toContain("troupe events: events 1 to 2 are not kept any more\n");
      expect(text.stderr).toMatch(/troupe events: event 4 cannot be read: /);
      expect(text.stdout.trimEnd().split("\n")).toHaveLength(4);
      const json = await stage.run("events", "--json");
      const lines = json.stdout.trimEnd().split("\n");
      const results = resultsIn(lines.slice(0, -1).join("\n"));
      const types = results.map(({ type }) => type);
      expect(types).toEqual(["gap", "session", "unreadable", "terminal", "session", "pause"]);
      expect(results[0]).toEqual({ type: "gap", after: 0, first: 3 });
      expect(results[2]).toMatchObject({ sequence: 4, session: "a" });
      const error = { code: "REGISTRY_CORRUPT" };
      expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ ok: false, error });
    })());
});

describe("events that are followed", () => {
  it("come as they happen, from before there is a home, until a signal", () =>
    onStage(async (stage) => {
      const following = stage.start(["events", "--follow", "--json"]);
      const ofOne = stage.start(["events", "b", "--follow"]);
      const [seen, lines] = [listen(following), listen(ofOne)];
      await create(stage, "a");
      await waitFor("the events of a", () => seen().split("\n").length > 3);
      await create(stage, "b");
      await remove(stage, "a");
      await waitFor("the end of a", () => seen().includes('"deleted"'));
      await waitFor("the events of b", () => lines().includes(" running"));
      following.signal("SIGINT");
      ofOne.signal("SIGTERM");
      const [json, text] = await Promise.all([following.ended, ofOne.ended]);
      const told = json.stdout.trimEnd().split("\n");
      const results = resultsIn(told.slice(0, -1).join("\n"));
      expect(results.map(short)).toEqual([...ofA, ...ofB, ...endOfA]);
      const interrupted = { ok: false, error: { code: "INTERRUPTED" } };
      expect(JSON.parse(told.at(-1) ?? "")).toMatchObject(interrupted);
      expect([json.code, text.code]).toEqual([130, 143]);
      expect(text.stdout).not.toContain("a/1");
      const at = text.stdout.split("\n").map((line) => line.trim().split(/ {2,}/)[1]);
      expect([at[0], instant.test(at[1] ?? "")]).toEqual(["AT", true]);
      expect(text.stdout.match(/b\/1/g)).toHaveLength(3);
    })());

  it("end when nobody reads them any more", () =>
    onStage(async (stage) => {
      const following = stage.start(["events", "--follow", "--json"]);
      const seen = listen(following);
      await create(stage, "a");
      await waitFor("the first event", () => seen().includes("creating"));
      following.child.stdout?.destroy();
      await remove(stage, "a");
      // Nobody sent a signal, and that a reader goes away is no failure of the command.
      const { code, stderr } = await following.ended;
      expect([code, stderr]).toEqual([0, ""]);
    })());
});
