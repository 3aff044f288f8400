/**
 * HintPlays: for each hint what brings its failure about, and what shows that its commands help.
 *
 * A failure that only a hostile machine could bring about is made up. A hint that is in the table
 * and has no play does not compile.
 */
import { mkdirSync, rmdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as Core from "@troupe/core";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { Internal, Interrupted } from "../../examples/cli/src/CommandFailure.js";
import { errorResult } from "../../examples/cli/src/Envelope.js";
import type { HintName } from "../../examples/cli/src/Hint.js";
import { callIn } from "../support/InProcess.js";
import { quoted } from "../support/Place.js";
import type { Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";
import {
  CAT_A,
  calls,
  cutOff,
  ENDED_A,
  failing,
  json,
  made,
  type Play,
  saying,
  type Wrong,
  where,
} from "./HintPlay.js";
import { leasePlays } from "./LeasePlays.js";
import { missingPlays } from "./MissingPlays.js";

/** Makes the session that plays beside. */
export const makeSession = async (stage: Stage): Promise<void> => {
  await json(stage, CREATE_A);
  await json(stage, ["wait", "a", "--text", "hello"]);
};

const CREATE_A = ["create", "a", "--", "sh", "-c", "echo hello; exec cat"];

/** Doctor tells why. */
const finding =
  (code: string): NonNullable<Play["helps"]> =>
  async (run) =>
    expect(await run(0)).toMatchObject({ exit: 12, text: expect.stringContaining(code) });

const unanswered = { source: "tmux", reason: "timeout", detail: "no answer" } as const;

/** Every hint. */
export const plays: Readonly<Record<HintName, Play>> = {
  report: {
    fails: async (stage) => {
      await cutOff(stage);
      return new Internal({ detail: "x" });
    },
    helps: saying(/a {2}creating → failed/),
  },
  tour: {
    fails: failing("demo --tmux /nowhere/tmux"),
    helps: async (run) => {
      expect((await run(0)).text).toContain("tmux-missing");
      expect((await run(1)).exit).toBe(0);
    },
  },
  usage: { beside: true, fails: failing("create"), helps: saying(/USAGE\n {2}troupe create/) },
  meant: { beside: true, fails: failing("lsit"), helps: saying(/COMMANDS/) },
  invalidName: { beside: true, fails: failing("create my.app") },
  directory: { beside: true, fails: failing("create b --cwd /nowhere") },
  directoryAgain: {
    fails: async (stage) => {
      mkdirSync(join(stage.directory, "d"));
      await json(stage, ["create", "a", "--cwd", "d", "--start-window", "0", "--", "true"]);
      await json(stage, ["wait", "a", "--exit"]);
      rmdirSync(join(stage.directory, "d"));
      return calls(stage, "restore a");
    },
  },
  values: { beside: true, fails: failing("create b --env NOWHERE") },
  valuesAgain: {
    fails: failing("create a --env A=1 --start-window 0 -- true", "wait a --exit", "restore a"),
  },
  taken: {
    fails: failing(CAT_A, CAT_A),
    helps: async (run, stage) => {
      await saying(/deleted/)(run, stage);
      expect((await json(stage, CAT_A.split(" "))).ok).toBe(true);
    },
  },
  untracked: {
    fails: async (stage) => {
      await json(stage, CAT_A.split(" "));
      for (const end of ["", "-wal", "-shm"]) {
        rmSync(join(stage.home, `registry.db${end}`), { force: true });
      }
      return calls(stage, CAT_A);
    },
    helps: saying(/a {2}running: adopted/),
  },
  alive: { beside: true, fails: failing("restore a"), helps: saying(/^program +pid/m) },
  foreign: {
    fails: async (stage) => {
      await json(stage, CAT_A.split(" "));
      stage.tmux("new-session", "-d", "-s", "mine", "sleep 600");
      return calls(stage, "create mine -- cat");
    },
    helps: saying(/^mine /m),
  },
  look: {
    beside: true,
    fails: failing("list --tmux /nowhere/tmux"),
    helps: finding("tmux-missing"),
  },
  unsure: {
    beside: true,
    fails: made(new Core.LookupFailed({ session: "a", attempted: Core.CONFIRM, ...unanswered })),
    helps: saying(/^hello/),
  },
  newer: {
    fails: (stage) => {
      const answers = 'case "$*" in *" -V") echo tmux 2.9a;; *) echo 2.9a;; esac';
      const old = stage.wrapper("old", answers);
      const detail = new Core.UnsupportedTmux({ ...where, version: "2.9a" });
      return Promise.resolve({ ...errorResult(detail, ["--tmux", old]), tmux: old } as Wrong);
    },
    helps: finding("tmux-unsupported"),
  },
  again: {
    beside: true,
    fails: made(new Core.KillUnconfirmed({ ...where, detail: "x", after: null })),
    helps: saying(/^state +running/m),
  },
  undo: {
    fails: async (stage) => {
      await cutOff(stage);
      return new Core.KillUnconfirmed({ ...where, detail: "x", after: "why" });
    },
    helps: saying(/a {2}creating → failed/),
  },
  againAlone: {
    beside: true,
    fails: made(
      new Core.KillUnconfirmed({ session: null, attempted: "stop", detail: "x", after: null }),
    ),
  },
  holder: {
    fails: async (stage) => {
      stage.start(["create", "a", "--start-window", "1h", "--", "sleep", "600"]);
      await waitFor("the session", () => stage.sessionsInTmux.includes("a"));
      return new Core.Busy({ ...where, holder: null, reason: "claimed" });
    },
    helps: saying(/^claim +.*: alive$/m, /^a {2}deleted/),
  },
  overtaken: {
    beside: true,
    fails: made(new Core.Busy({ ...where, holder: null, reason: "overtaken" })),
    helps: saying(/^state +running/m),
  },
  ...leasePlays,
  ...missingPlays,
  windows: {
    fails: async (stage) => {
      await json(stage, CAT_A.split(" "));
      stage.tmux("new-window", "-t", "=a:", "sleep 600");
      return calls(stage, "terminal delete a main");
    },
    helps: saying(/^a {2}deleted/),
  },
  sessions: {
    fails: failing(CAT_A, "server stop"),
    helps: async (run, stage) => {
      await saying(/^a {2}deleted/)(run, stage);
      expect((await json(stage, ["server", "stop"])).ok).toBe(true);
    },
  },
  later: { beside: true, fails: made(new Core.MailboxFull({ ...where, bound: 64 })) },
  registry: {
    fails: async (stage) => {
      await cutOff(stage);
      return new Core.RegistryUnavailable({ ...where, detail: "x" });
    },
    helps: async (run) => {
      expect(await run(0)).toMatchObject({ exit: 12, text: expect.stringContaining("unfinished") });
      expect((await run(1)).text).toMatch(/a {2}creating → failed/);
    },
  },
  registryLocked: {
    fails: async (stage) => {
      await cutOff(stage);
      return new Core.RegistryUnavailable({ ...where, detail: "x", reason: "locked" });
    },
    helps: async (run, stage) => {
      const other = new Database(join(stage.home, "registry.db"));
      other.exec("BEGIN IMMEDIATE");
      const told = expect.stringMatching(/registry\.db is kept locked by process \d+/);
      expect(await run(0)).toMatchObject({ exit: 12, text: told });
      other.close();
      expect((await run(1)).text).toMatch(/a {2}creating → failed/);
    },
  },
  registryFull: {
    fails: async (stage) => {
      await cutOff(stage);
      return new Core.RegistryUnavailable({ ...where, detail: "x", reason: "full" });
    },
    helps: saying(/a {2}creating → failed/),
  },
  registryNewer: {
    fails: async (stage) => {
      await json(stage, CAT_A.split(" "));
      const newer = new Database(join(stage.home, "registry.db"));
      newer.pragma("user_version = 99");
      newer.close();
      return calls(stage, "list", "delete a", "reconcile --rebuild");
    },
  },
  rebuild: {
    fails: async (stage) => {
      await json(stage, CAT_A.split(" "));
      truncateSync(join(stage.home, "registry.db"), 5_000);
      return calls(stage, "list");
    },
    helps: async (run, stage) => {
      expect((await run(0)).exit).toBe(0);
      expect((await callIn(stage, ["list"])).out).toMatch(/^a +running/m);
    },
  },
  program: { beside: true, fails: failing("create b -- /nowhere") },
  words: { beside: true, fails: failing(`create b -- true ${"x ".repeat(2_001).trim()}`) },
  start: { fails: failing("create a --start-window 1s -- false") },
  startAgain: {
    fails: async (stage) => {
      const script = `test -e ${quoted(join(stage.directory, "open"))} || exit 4; exec sleep 600`;
      writeFileSync(join(stage.directory, "open"), "");
      await json(stage, ["create", "a", "--", "sh", "-c", script]);
      stage.tmux("kill-session", "-t", "=a");
      rmSync(join(stage.directory, "open"));
      return calls(stage, "restore a --start-window 1s");
    },
    helps: async (run, stage) => {
      writeFileSync(join(stage.directory, "open"), "");
      await saying(/^state +lost: /m, /^a +running/)(run, stage);
    },
  },
  refused: { fails: failing(...ENDED_A, "send a x"), helps: saying(/^program +(code 0|ended)/m) },
  refusedAlone: {
    beside: true,
    fails: made(new Core.TmuxRefused({ session: null, attempted: "stop", detail: "x" })),
    helps: saying(/^sessions +a$/m),
  },
  nested: {
    beside: true,
    fails: async (stage) => {
      const environment = { TMUX: `${stage.directory}/other,1,0`, TMUX_PANE: "%0" };
      return (await json(stage, ["attach", "a", "--print"], { environment })).error;
    },
    helps: async (run) => expect((await run(0, "--print")).exit).toBe(0),
  },
  self: { beside: true, fails: made(new Core.SelfAttach({ ...where, why: "pane" })) },
  findings: { beside: true, fails: failing("doctor --tmux /nowhere/tmux") },
  waiting: {
    beside: true,
    fails: failing("wait a --exit --timeout 0"),
    helps: saying(/^hello/),
  },
  ended: {
    fails: async (stage) => {
      await json(stage, ["create", "a", "--", "sh", "-c", "echo hello; read line"]);
      return calls(stage, "send a --enter", "wait a --text never");
    },
    helps: saying(/^hello/, /^a /),
  },
  interrupted: {
    beside: true,
    fails: made(new Interrupted({ signal: "SIGINT" })),
    helps: saying(/^a /m),
  },
};
