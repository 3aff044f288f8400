/**
 * What brings a home back after its server died or its registry was lost: reconcile, restore,
 * adopt, and what they say before they do it.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lives } from "../support/Processes.js";
import { rowsOf } from "../support/Rows.js";
import { shell } from "../support/Shell.js";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const killServer = async (stage: Stage): Promise<void> => {
  const pid = Number(stage.tmux("display-message", "-p", "#{pid}").out);
  process.kill(pid, "SIGKILL");
  await waitFor("the end of the server", () => !lives(pid));
};

/** One name's part, as far as it is looked at here. */
interface Part {
  readonly session: string;
  readonly error: { readonly code: string } | null;
}

const statesIn = async (stage: Stage): Promise<ReadonlyArray<unknown>> => {
  const { told } = await stage.json("list");
  const sessions = told.result.sessions as ReadonlyArray<Record<string, unknown>>;
  return sessions.map(({ session, state }) => [session, state]);
};

describe("after the server died", () => {
  it("list says absent, a dry run says lost and writes nothing, reconcile says lost", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      await killServer(stage);
      const listed = await stage.json("list");
      expect(listed.told.result.sessions).toMatchObject([
        { state: "running", seen: { state: "absent", detail: "server gone" } },
      ]);
      const before = rowsOf(stage.home);
      const planned = await stage.json("reconcile", "--dry-run");
      const item = { session: "a", before: "running", after: "lost", why: "server gone" };
      expect(planned.code).toBe(0);
      expect(planned.told.result).toMatchObject({ dryRun: true, items: [item] });
      expect(rowsOf(stage.home)).toBe(before);
      const done = await stage.json("reconcile");
      expect(done.told.result).toMatchObject({ dryRun: false, kept: null, items: [item] });
      expect((await stage.json("list")).told.result.sessions).toMatchObject([
        { state: "lost", cause: "server gone" },
      ]);
      const again = await stage.json("reconcile", "--dry-run", "a");
      expect(again.told.result.items).toMatchObject([{ changed: false, after: "lost" }]);
    })());

  it("restore --all brings every session back, each with its own values and no other's", () =>
    onStage(async (stage) => {
      const env = { env: { A: "canary-a", B: "canary-b" } };
      const print = (name: string) => `printf '%s.%s' "$A" "$B" >> ${name}; exec sleep 600`;
      const make = (name: string, variable: string) =>
        stage.start(
          [
            "create",
            name,
            "--env",
            variable,
            "--cwd",
            stage.directory,
            "--",
            "sh",
            "-c",
            print(name),
          ],
          env,
        ).ended;
      await make("a", "A");
      await make("b", "B");
      await stage.read("b");
      await killServer(stage);
      const asked = await stage.json("restore", "--all");
      expect([asked.code, asked.told.error.code]).toEqual([2, "INVALID_ENV"]);
      expect(asked.told.error.details).toMatchObject({ session: "a", variables: ["A"] });
      const words = ["--json", "restore", "--all", "--env", "A", "--env", "B"];
      const done = await stage.start(words, env).ended;
      expect(done.code).toBe(0);
      expect(JSON.parse(done.stdout).result.items).toMatchObject([
        { session: "a", state: "running", generation: 2, cwd: stage.directory },
        { session: "b", state: "running", generation: 2 },
      ]);
      const told = await waitFor("both programs", () => {
        const [a, b] = ["a", "b"].map((name) => readFileSync(join(stage.directory, name), "utf8"));
        return a === "canary-a.canary-a." && b === ".canary-b.canary-b";
      });
      expect([told, stage.sessionsInTmux]).toEqual([true, ["a", "b"]]);
    })());

  it("a restore whose program does not start leaves the session lost, listed and restorable", () =>
    onStage(async (stage) => {
      const busy = join(stage.directory, "busy");
      const script = "test -e busy && exit 4; exec sleep 600";
      await stage.json("create", "a", "--cwd", stage.directory, "--", "sh", "-c", script);
      await killServer(stage);
      writeFileSync(busy, "");
      const failed = await stage.json("restore", "--all");
      expect([failed.code, failed.told.error.code]).toEqual([9, "START_FAILED"]);
      const { told } = await stage.json("list");
      const cause = expect.stringMatching(/^restore failed: StartFailed: /);
      expect(told.result.sessions).toMatchObject([{ session: "a", state: "lost", cause }]);
      const again = await stage.json("restore", "--all");
      expect([again.code, again.told.error.code]).toEqual([9, "START_FAILED"]);
      rmSync(busy);
      const done = await stage.json("restore", "--all");
      const back = [{ session: "a", state: "running", generation: 4 }];
      expect([done.code, done.told.result.items]).toMatchObject([0, back]);
      expect(stage.sessionsInTmux).toEqual(["a"]);
    })());

  it("restore names what it cannot restore, goes on, and has nothing to do twice", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      await stage.json("create", "b", "--", "sleep", "600");
      stage.tmux("kill-session", "-t", "=b");
      const done = await stage.json("restore", "a", "b", "never");
      expect(done.code).toBe(4);
      const items = done.told.result.items as ReadonlyArray<Part>;
      expect(items.map(({ error, session }) => [session, error?.code ?? null])).toEqual([
        ["a", "ALREADY_EXISTS"],
        ["b", null],
        ["never", "NOT_FOUND"],
      ]);
      const all = await stage.json("restore", "--all");
      expect([all.code, all.told.result.items]).toEqual([0, []]);
      // Its row does not know yet that its program has ended.
      process.kill(Number((await stage.json("inspect", "a")).told.result.pid), "SIGKILL");
      await waitFor("its end", async () => {
        const { told } = await stage.json("inspect", "a");
        return told.result.exit !== null;
      });
      const ended = await stage.json("restore", "--all");
      expect(ended.told.result.items).toMatchObject([{ session: "a", generation: 2 }]);
      expect((await stage.run("restore")).code).toBe(2);
      expect((await stage.run("restore", "a", "--all")).code).toBe(2);
    })());
});

describe("after the registry was damaged", () => {
  it("reconcile --rebuild keeps it aside and adopts what tmux has", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      const file = join(stage.home, "registry.db");
      const made = await stage.json("inspect", "a");
      writeFileSync(file, "these are not the bytes of a database".repeat(200));
      const broken = await stage.json("list");
      expect([broken.code, broken.told.error.code]).toEqual([8, "REGISTRY_CORRUPT"]);
      const rebuilt = await stage.json("reconcile", "--rebuild");
      expect(rebuilt.code).toBe(0);
      expect(rebuilt.told.result).toMatchObject({
        kept: `${file}.damaged-1`,
        items: [{ session: "a", after: "running", changed: true }],
      });
      expect(readFileSync(`${file}.damaged-1`, "utf8")).toContain("not the bytes");
      expect((await stage.json("inspect", "a")).told.result).toMatchObject({
        incarnation: made.told.result.incarnation,
        command: ["sleep", "600"],
      });
      const again = await stage.json("reconcile", "--rebuild");
      expect(again.told.result).toMatchObject({ kept: null, items: [{ changed: false }] });
      expect((await stage.json("delete", "a")).code).toBe(0);
      expect((await stage.run("reconcile", "--rebuild", "a")).code).toBe(2);
    })());
});

describe("a session that somebody made in the server of a home", () => {
  it("is adopted by name, listed, and deleted like any other", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      stage.tmux("new-session", "-d", "-s", "theirs", "-c", "/", "--", "sleep", "601");
      expect(await statesIn(stage)).toEqual([["a", "running"]]);
      const adopted = await stage.json("adopt", "theirs");
      expect([adopted.code, adopted.told.result.state]).toEqual([0, "running"]);
      expect(await statesIn(stage)).toEqual([
        ["a", "running"],
        ["theirs", "running"],
      ]);
      expect((await stage.json("adopt", "theirs")).told.error.code).toBe("ALREADY_EXISTS");
      expect((await stage.json("adopt", "never")).told.error.code).toBe("NOT_FOUND");
      expect((await stage.json("delete", "theirs", "--grace", "0")).code).toBe(0);
      expect(stage.sessionsInTmux).toEqual(["a"]);
    })());
});

describe("home list", () => {
  it("counts the sessions of a home by state, as list tells them, and makes nothing", () =>
    onStage(async (stage) => {
      const none = await stage.json("home", "list");
      const usual = join(stage.directory, ".local", "state", "troupe");
      expect(none.told.result.homes).toMatchObject([
        { home: stage.home, active: 0, ended: 0, states: {}, error: null },
        { home: usual, active: 0, ended: 0, states: {}, error: null },
      ]);
      expect([existsSync(stage.home), existsSync(usual)]).toEqual([false, false]);
      for (const name of ["a", "b", "c"]) {
        const made = await stage.json("create", name, "--", "sleep", "600");
        expect(made.told).toMatchObject({ ok: true });
      }
      expect((await stage.json("delete", "c")).told).toMatchObject({ ok: true });
      stage.tmux("kill-session", "-t", "=b");
      const files = readdirSync(stage.home);
      const before = rowsOf(stage.home);
      const { told } = await stage.json("home", "list");
      expect(told.result.homes).toMatchObject([
        { active: 2, ended: 1, states: { running: 2, deleted: 1 }, unreadable: 0 },
        { active: 0 },
      ]);
      expect([readdirSync(stage.home), rowsOf(stage.home)]).toEqual([files, before]);
    })());
});

describe("what doctor says of sessions that are lost", () => {
  it("restores them also where their values are nowhere, or a directory is gone", () =>
    onStage(async (stage) => {
      const made = (name: string, ...words: ReadonlyArray<string>) =>
        stage.json("create", name, "--start-window", "0", ...words, "--", "sleep", "600");
      const directory = join(stage.directory, "d 1");
      mkdirSync(directory);
      await made("a");
      await made("b", "--env", "TOKEN=canary");
      await made("c", "--cwd", directory);
      stage.tmux("kill-server");
      rmdirSync(directory);
      await stage.json("reconcile");
      const { told } = await stage.json("doctor");
      const found = Array.isArray(told.result.findings) ? told.result.findings : [];
      const { cause, mend } = found.find(({ code }) => code === "sessions-lost");
      expect(cause).toContain("made with TOKEN, which --env gives again");
      expect(cause).toContain("d 1 is not there");
      expect(cause).not.toContain("canary");
      const path = 'mkdir bin && ln -s "$TROUPE" bin/troupe && PATH=$PWD/bin:$PATH';
      expect(await shell(stage, `${path} && ${mend}`)).toMatchObject({ code: 0, err: "" });
      expect([...stage.sessionsInTmux].sort()).toEqual(["a", "b", "c"]);
    })());
});
