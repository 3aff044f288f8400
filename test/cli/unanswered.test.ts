/**
 * Where tmux cannot be asked, nothing is known, nothing is changed, and the exit code is 5.
 *
 * Each case takes tmux away in another way under a session that runs, and shows that the rows are
 * the same to the byte, that the program lives, and that the answer came in time.
 */
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { socketsFit } from "../support/Place.js";
import { lives } from "../support/Processes.js";
import { rowsOf } from "../support/Rows.js";
import { type CallOptions, onStage, type Stage, toldBy } from "../support/Stage.js";

/** Those that only read, at once; the others each for itself, because they want one name. */
const groups = [
  [["list"], ["inspect", "a"], ["reconcile", "--dry-run"], ["restore", "--all"]],
  [["delete", "a"]],
  [["reconcile"]],
  [["reconcile", "a"]],
  [["restore", "a"]],
  [["send", "a", "x"]],
];
const inTimeMs = 5_000;

/** A running session, and its pid. */
const setUp = async (stage: Stage, options: CallOptions = {}): Promise<number> => {
  const words = ["create", "a", "--json", "--", "sleep", "600"];
  const made = toldBy(await stage.start(words, options).ended);
  expect(made).toMatchObject({ ok: true });
  return Number(made.result.pid);
};

/** Runs every command, each of which must fail to find out, and change nothing. */
const expectUnanswered = async (
  stage: Stage,
  pid: number,
  reasons: ReadonlyArray<string>,
  options: CallOptions = {},
): Promise<void> => {
  const before = rowsOf(stage.home);
  const ask = async (words: ReadonlyArray<string>) => {
    const ended = await stage.start([...words, "--json"], options).ended;
    return [words, ended, toldBy(ended)] as const;
  };
  for (const group of groups) {
    for (const [words, ended, told] of await Promise.all(group.map(ask))) {
      expect([...words, ended.code, told.error.code]).toEqual([...words, 5, "LOOKUP_FAILED"]);
      expect(ended.ms).toBeLessThan(inTimeMs);
      if (words[0] !== "inspect") expect(reasons).toContain(told.error.details.reason);
    }
    expect(rowsOf(stage.home)).toBe(before);
    expect(lives(pid)).toBe(true);
  }
};

describe("tmux that cannot be asked", () => {
  it("because there is none", () =>
    onStage(async (stage) => {
      const pid = await setUp(stage);
      const env = { TROUPE_TMUX: `${stage.directory}/no-tmux` };
      await expectUnanswered(stage, pid, ["missing-program"], { env });
    })());

  it("because its server is stopped", () =>
    onStage(async (stage) => {
      const pid = await setUp(stage);
      const server = Number(stage.tmux("display-message", "-p", "#{pid}").out);
      process.kill(server, "SIGSTOP");
      try {
        await expectUnanswered(stage, pid, ["timeout"]);
      } finally {
        process.kill(server, "SIGCONT");
      }
      expect((await stage.json("list")).code).toBe(0);
      expect(stage.sessionsInTmux).toEqual(["a"]);
    })());

  it("because its answers are garbled", () =>
    onStage(async (stage) => {
      const pid = await setUp(stage);
      const script = 'out=$($REAL "$@"); code=$?; echo "$out" | tr "0-9" "x"; exit $code';
      const env = { TROUPE_TMUX: stage.wrapper("garbling", script) };
      await expectUnanswered(stage, pid, ["garbled", "unclear"], { env });
    })());

  it("because it says nothing and ends well", () =>
    onStage(async (stage) => {
      const pid = await setUp(stage);
      const env = { TROUPE_TMUX: stage.wrapper("silent", "exit 0") };
      await expectUnanswered(stage, pid, ["garbled", "unclear"], { env });
    })());

  for (const [what, pattern] of [
    ["all its rows", "^[SPL] "],
    ["the rows of panes", "^P "],
    ["the first row of a session", "^S "],
  ] as const) {
    it(`because ${what} are lost on the way`, () =>
      onStage(async (stage) => {
        const pid = await setUp(stage);
        const script = `out=$($REAL "$@"); code=$?; echo "$out" | grep -v '${pattern}'; exit $code`;
        const env = { TROUPE_TMUX: stage.wrapper("lossy", script) };
        await expectUnanswered(stage, pid, ["garbled"], { env });
      })());
  }

  it("because the path of the program is none", () =>
    onStage(async (stage) => {
      const pid = await setUp(stage);
      for (const path of ["/etc/passwd/tmux", `/${"x".repeat(300)}`]) {
        await expectUnanswered(stage, pid, ["missing-program"], { env: { TROUPE_TMUX: path } });
      }
    })());

  it.runIf(process.getuid?.() === 0)("because its socket belongs to somebody else", () =>
    onStage(async (stage) => {
      const pid = await setUp(stage);
      chownSync(stage.socket, 65_534, 65_534);
      await expectUnanswered(stage, pid, ["bad-socket"]);
    })(),
  );

  // Only root can run a program as somebody else; elsewhere this is reported as skipped.
  it.runIf(socketsFit && process.getuid?.() === 0)("because its socket may not be reached", () =>
    onStage(async (stage) => {
      const nobody = 65_534;
      const place = `${stage.directory}/place`;
      const socket = `${place}/s`;
      mkdirSync(place, { mode: 0o700 });
      for (const directory of [stage.directory, place]) chownSync(directory, nobody, nobody);
      const options = { uid: nobody, env: { TROUPE_SOCKET: socket } };
      try {
        const pid = await setUp(stage, options);
        chownSync(place, 0, 0);
        await expectUnanswered(stage, pid, ["permission"], options);
      } finally {
        chmodSync(place, 0o700);
        stage.tmuxAt(socket, "kill-server");
      }
    })(),
  );
});

describe("what the reader is told then", () => {
  it("are the rows all the same, with seen unknown and why", () =>
    onStage(async (stage) => {
      await setUp(stage);
      const tmux = `${stage.directory}/no-tmux`;
      const { told } = await stage.json("--tmux", tmux, "list");
      expect(told.result.sessions).toMatchObject([
        { session: "a", state: "running", seen: { state: "unknown" } },
      ]);
      const person = await stage.run("--tmux", tmux, "list");
      expect(person.code).toBe(5);
      expect(person.stdout).toMatch(/^a +running +unknown/m);
      expect(person.stderr).toContain("missing-program");
    })());
});
