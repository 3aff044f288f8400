/**
 * How a call ends: by a signal, by a reader that does not read or has gone, by a terminal that is
 * gone; always with the exit code that says so, and never by a crash.
 */
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { quoted } from "../support/Place.js";
import { shell } from "../support/Shell.js";
import { onStage, type Stage, toldBy, troupe } from "../support/Stage.js";
import { Terminal } from "../support/Terminal.js";
import { waitFor } from "../support/Waiting.js";

const big = async (stage: Stage) => {
  const script = "seq 100000; exec sleep 600";
  expect((await stage.json("create", "big", "--", "sh", "-c", script)).code).toBe(0);
  expect((await stage.json("wait", "big", "--text", "100000")).code).toBe(0);
};

/** A call into a pipe that nobody reads, when as much is written as goes into one. */
const unread = async (stage: Stage, ...words: ReadonlyArray<string>) => {
  const places = { TROUPE_HOME: stage.home, TROUPE_SOCKET: stage.socket, HOME: stage.directory };
  const env = { PATH: process.env.PATH, ...places };
  const child = spawn(troupe, words, { env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  // The reader of this side takes one buffer of node's, and no more.
  await waitFor("as much as a pipe holds", () => writtenBy(child.pid) > 2 * 65_536);
  return { ended, signal: (signal: NodeJS.Signals) => void child.kill(signal) };
};

/** How many bytes the process has written, to whatever. */
const writtenBy = (pid: number | undefined): number =>
  Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "latin1"))?.[1] ?? 0);

const waitForClient = (stage: Stage) =>
  waitFor("the client", () => stage.tmux("list-clients").out.includes("a"));

/** Whether the process has a file of this name open. */
const opens = (pid: number | undefined, name: string): boolean =>
  readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith(`/${name}`);
    } catch {
      return false;
    }
  });

describe("output that nobody reads", () => {
  it.each([
    [["logs", "big"], ["SIGTERM"], [143]],
    // Which of two that are sent at once is heard first, nobody can say.
    [
      ["logs", "big"],
      ["SIGINT", "SIGTERM"],
      [130, 143],
    ],
    [["capture", "big", "--all"], ["SIGTERM"], [143]],
    [["capture", "big", "--all", "--json"], ["SIGINT"], [130]],
  ] as const)("does not hold up %j, told to end by %j", (words, signals, codes) =>
    onStage(async (stage) => {
      await big(stage);
      const { ended, signal } = await unread(stage, ...words);
      for (const one of signals) signal(one);
      expect(codes).toContain(await ended);
    })(),
  );

  it.each([
    ["$TROUPE --version | true", 0],
    ["$TROUPE logs big | head -1", 0],
    ["$TROUPE events | true", 0],
    ["$TROUPE capture big --all | head -1", 0],
    ["$TROUPE list | true", 0],
    ["$TROUPE --version > /dev/full", 1],
    ["$TROUPE logs big > /dev/full", 1],
    ["$TROUPE list > /dev/full", 1],
  ])("is no failure when its reader has gone, and one when the disk is full: %s", (line, code) =>
    onStage(async (stage) => {
      await big(stage);
      const { err, out } = await shell(stage, `${line}; echo "code \${PIPESTATUS[0]}"`);
      expect(out).toMatch(new RegExp(`^code ${code}$`, "m"));
      const why = "troupe: standard output could not be written to: ENOSPC\n";
      expect(err).toBe(code === 0 ? "" : why);
    })(),
  );
});

describe("a terminal that is closed", () => {
  it.each(["attach a", "wait a --exit", "events --follow", "create b --start-window 1h -- cat"])(
    "ends %s with the code of a signal",
    (words) =>
      onStage(async (stage) => {
        expect((await stage.json("create", "a", "--", "cat")).code).toBe(0);
        const tmux = stage.wrapper("tmux", 'echo asked > "$STAGE/asked"\nexec $REAL "$@"');
        const places = `TROUPE_HOME=${quoted(stage.home)} TROUPE_SOCKET=${quoted(stage.socket)}`;
        // The shell leads the terminal's session, and alone is told that it is gone. It passes that
        // on, as one of a person does, and says how the command ended.
        const line = [
          `exec 3<&0; ${places} "$TROUPE" --tmux ${quoted(tmux)} ${words} <&3 & it=$!`,
          'trap "kill -HUP $it" HUP',
          "wait $it; code=$?; [ $code = 129 ] && { wait $it; code=$?; }",
          `echo $code > ${quoted(join(stage.directory, "code"))}`,
        ].join("; ");
        const terminal = new Terminal(line, { HOME: stage.directory, TROUPE: troupe });
        if (words.startsWith("events")) await terminal.draws(/running/);
        else await stage.read("asked");
        if (words.startsWith("attach")) await waitForClient(stage);
        terminal.close();
        // A client that saw it first has detached.
        const codes = words.startsWith("attach") ? /^(143|0)\n$/ : /^143\n$/;
        expect(await stage.read("code")).toMatch(codes);
      })(),
  );
});

describe("a call that is told to end", () => {
  it("while it waits for a file of values does so", () =>
    onStage(async (stage) => {
      execFileSync("mkfifo", [join(stage.directory, "values")]);
      const words = ["create", "a", "--env-file", "values", "--json"];
      const running = stage.start(words);
      await waitFor("the file to be opened", () => opens(running.child.pid, "values"));
      running.signal("SIGTERM");
      const done = await running.ended;
      expect([done.code, toldBy(done).error.code]).toEqual([143, "INTERRUPTED"]);
    })());

  it.each([
    ["<(echo V=one)", "true", "one"],
    ["pipe", "echo V=two > pipe", "two"],
    ["/dev/null", "true", ""],
  ])("else has the values of %s, that is no file on a disk", (file, beside, value) =>
    onStage(async (stage) => {
      const call = `"$TROUPE" create a --env-file ${file} -- sh -c`;
      const script = `'printf %s "[$V]" > got; exec cat'`;
      const said = await shell(stage, `mkfifo pipe; ${beside} & ${call} ${script}`);
      expect(said.code).toBe(0);
      expect(await stage.read("got")).toBe(`[${value}]`);
    })(),
  );

  it("of several things says what came of each", () =>
    onStage(async (stage) => {
      const stubborn = ["sh", "-c", "trap : TERM; while :; do sleep 0.1; done"];
      const names = ["a", "b", "c"];
      for (const name of names) await stage.json("create", name, "--", ...stubborn);
      const running = stage.start(["delete", ...names, "--grace", "3s", "--json"]);
      await waitFor("the deletes to be written down", async () => {
        const { sessions } = (await stage.json("list")).told.result;
        return Array.isArray(sessions) && sessions.every(({ state }) => state === "deleting");
      });
      running.signal("SIGINT");
      const done = await running.ended;
      expect(done.code).toBe(130);
      const { error, result } = toldBy(done);
      expect(error).toMatchObject({ code: "INTERRUPTED", details: { signal: "SIGINT" } });
      expect(result.items).toMatchObject(names.map((session) => ({ session, error: null })));
    })());

  it("by a terminal that hung up is told that", () =>
    onStage(async (stage) => {
      const running = stage.start(["events", "--follow", "--json"]);
      const heard = new Promise((resolve) => running.child.stdout?.once("data", resolve));
      expect((await stage.json("create", "a", "--", "cat")).code).toBe(0);
      await heard;
      running.child.kill("SIGHUP");
      const { code, stdout } = await running.ended;
      const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
      expect([code, last.error.details.signal]).toEqual([143, "SIGHUP"]);
    })());
});
