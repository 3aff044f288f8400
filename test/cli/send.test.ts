/**
 * send: what a script and a person are told of input, and that it arrives as it was given.
 *
 * Standard input is a pipe here, so the command is started by the test itself. Programs write what
 * they read to `out` of their HOME, in a terminal without echo.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onStage, type Stage, toldBy, troupe } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const script = 'stty raw -echo; : >"$HOME/ready"; exec cat >"$HOME/out"';

const create = async (stage: Stage, ...words: ReadonlyArray<string>) => {
  const { code } = await stage.json("create", "a", "--no-log", ...words, "--", "sh", "-c", script);
  expect(code).toBe(0);
  await waitFor("the reader", () => existsSync(join(stage.directory, "ready")));
};

/** Runs `troupe --json send` with something on standard input. */
const piped = (stage: Stage, input: string | Uint8Array, ...words: ReadonlyArray<string>) => {
  const { home, directory, socket } = stage;
  const { status, stderr, stdout } = spawnSync(troupe, ["--json", "send", ...words], {
    env: { PATH: process.env.PATH, TROUPE_HOME: home, TROUPE_SOCKET: socket, HOME: directory },
    input,
    encoding: "utf8",
    timeout: 40_000,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 24,
  });
  const ended = { code: status, signal: null, stdout, stderr, ms: 0 };
  return { ...ended, told: toldBy(ended) };
};

/** What was read, once it is so many bytes. */
const read = (stage: Stage, bytes: number): Promise<Buffer> =>
  waitFor(`${bytes} bytes`, () => {
    const got = readFileSync(join(stage.directory, "out"));
    return got.length >= bytes ? got : null;
  });

const wrong = ({ code, told }: Awaited<ReturnType<Stage["json"]>>) => [code, told.error.code];

describe("send", () => {
  it("tells how much it was and that it was delivered, in JSON and in words", () =>
    onStage(async (stage) => {
      await create(stage);
      const { code, told } = await stage.json("send", "a", "one two", "--enter", "--key", "Up");
      expect([code, told.ok, told.command]).toEqual([0, true, "send"]);
      const amount = { bytes: 7, keys: 2 };
      const where = { session: "a", terminal: "main" };
      expect(told.result).toEqual({ ...where, ...amount, status: "delivered" });
      const { code: exit, stdout } = await stage.run("send", "a", "--", "--x");
      expect([exit, stdout]).toEqual([0, "sent 3 bytes to main of a\n"]);
      expect((await read(stage, 14)).toString()).toBe("one two\u001b[A\r--x");
    })());

  it("sends all of standard input as bytes, and refuses a NUL and too much of it", () =>
    onStage(async (stage) => {
      await create(stage);
      const bytes = Buffer.alloc(1_000_000, Buffer.from([0xff, 0xfe, 10, 13, 65]));
      const { code, told } = piped(stage, bytes, "a", "--stdin");
      expect([code, told.result.bytes, told.result.status]).toEqual([0, bytes.length, "delivered"]);
      expect(Buffer.compare(await read(stage, bytes.length), bytes)).toBe(0);
      const empty = piped(stage, "", "a", "--stdin");
      expect([empty.code, empty.told.result.bytes]).toEqual([0, 0]);
      const nul = piped(stage, "ab\0", "a", "--stdin");
      expect([...wrong(nul), nul.told.error.message]).toEqual([
        2,
        "USAGE",
        "a NUL cannot be sent (byte 3)",
      ]);
      const much = piped(stage, Buffer.alloc(17 * 1024 * 1024, 65), "a", "--stdin");
      expect([...wrong(much), much.told.error.message]).toEqual([
        2,
        "USAGE",
        expect.stringMatching(/more than the 16777216 that can be sent/),
      ]);
    })());

  it("is a wrong call without input, with two texts or with a key that is none", () =>
    onStage(async (stage) => {
      for (const words of [
        ["a"],
        ["a", "--key", "Entre"],
        ["a", "text", "more"],
        ["a", "text", "--stdin"],
        ["a", "text", "--terminal", ""],
      ]) {
        expect(wrong(await stage.json("send", ...words))).toEqual([2, "USAGE"]);
      }
      expect(wrong(await stage.json("send", "a b", "x"))).toEqual([2, "INVALID_NAME"]);
      expect(existsSync(stage.home)).toBe(false);
    })());

  it("is NOT_FOUND where there is none, and TMUX_REFUSED where the program has ended", () =>
    onStage(async (stage) => {
      expect(wrong(await stage.json("send", "never", "x"))).toEqual([3, "NOT_FOUND"]);
      expect(existsSync(stage.home)).toBe(false);
      const made = await stage.json("create", "a", "--start-window", "2s", "--", "true");
      expect(made.code).toBe(0);
      expect(wrong(await stage.json("send", "a", "x"))).toEqual([9, "TMUX_REFUSED"]);
      const missing = await stage.json("send", "a", "x", "--terminal", "t9");
      expect(wrong(missing)).toEqual([3, "NOT_FOUND"]);
      expect((await stage.json("delete", "a")).code).toBe(0);
      expect(wrong(await stage.json("send", "a", "x"))).toEqual([3, "NOT_FOUND"]);
    })());

  it("is LOOKUP_FAILED where nothing was sent, which may be run again", () =>
    onStage(async (stage) => {
      await create(stage);
      const tmux = stage.wrapper(
        "loads",
        'case "$*" in *load-buffer*) exit 0;; esac; exec $REAL "$@"',
      );
      const failed = await stage.json("send", "a", "x", "--tmux", tmux);
      expect(wrong(failed)).toEqual([5, "LOOKUP_FAILED"]);
      expect(failed.told).toMatchObject({ error: { retryable: true } });
      expect(failed.told.result).toBeUndefined();
      expect((await stage.json("send", "a", "y")).code).toBe(0);
      expect((await read(stage, 1)).toString()).toBe("y");
      expect(stage.tmux("list-buffers").out).toBe("");
    })());

  it("says with a result and exit code 5 when it may have arrived, and does not send again", () =>
    onStage(async (stage) => {
      await create(stage);
      // The server does it, its client tells nothing, and neither does the look behind it.
      const tmux = stage.wrapper(
        "mute",
        `case "$*" in *@troupe-sent*) exit 0;; *source-file*) ;; *) exec $REAL "$@";; esac
LIST="$STAGE/list.$$"
cat >"$LIST"
grep -q @troupe-sent "$LIST" || exec $REAL "$@" <"$LIST"
$REAL "$@" <"$LIST" >/dev/null`,
      );
      const doubtful = await stage.json("send", "a", "x", "--tmux", tmux);
      expect(wrong(doubtful)).toEqual([5, "LOOKUP_FAILED"]);
      expect(doubtful.told.result).toMatchObject({ bytes: 1, status: "unconfirmed" });
      const { details, hint, retryable } = doubtful.told.error;
      expect(retryable).toBe(false);
      expect(details.detail).toContain("it may have been delivered, and was not sent again");
      expect(hint).toContain("troupe capture");
      expect((await stage.json("send", "a", "y")).code).toBe(0);
      expect((await read(stage, 2)).toString()).toBe("xy");
    })());

  it("says in its help what exit code 5 means, and is completed", () =>
    onStage(async (stage) => {
      const { stdout } = await stage.run("send", "--help");
      expect(stdout.replaceAll(/\s+/g, " ")).toContain("status unconfirmed, some or all of it may");
      const { stdout: completions } = await stage.run("--completions", "bash");
      expect(completions).toContain("--stdin");
    })());
});
