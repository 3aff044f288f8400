/**
 * What doctor finds when something is wrong, and that the command it names mends it.
 *
 * Each play breaks something, reads the codes, runs every command that is named in a shell, as a
 * person would, and looks again. Root may do everything, so what is about permissions is played by
 * a plain user.
 */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../examples/cli/src/doctor/Doctor.js";
import type { Location } from "../../examples/cli/src/Location.js";
import { socketFits } from "../support/Place.js";
import { type CallOptions, onStage, type Stage, toldBy, troupe } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly cause: string;
  readonly mend: string | null;
}

/** What depends on the machine that the test runs on is none of its matter. */
const ofMachine = ["home-passing", "home-on-network", "disk-low", "server-in-service-cgroup"];

type Findings = ReadonlyMap<string, Found>;

const byCode = (findings: ReadonlyArray<Found>): Findings =>
  new Map(findings.filter((f) => !ofMachine.includes(f.code)).map((f) => [f.code, f]));

/** What is found, by code, without a process for it: most of its time would be its start. */
const examine = async (stage: Stage, other: Partial<Location> = {}): Promise<Findings> => {
  const { home, socket } = stage;
  const location: Location = { home, socket, reconcileOnStart: false, ...other };
  return byCode((await Effect.runPromise(diagnose(location, []))).findings);
};

/** The same as the command tells it; the exit code must say whether an error is among it. */
const asked = async (stage: Stage, options: CallOptions = {}): Promise<Findings> => {
  const ended = await stage.start(["--json", "doctor"], options).ended;
  const { error, result } = toldBy(ended);
  const found = byCode(result.findings as ReadonlyArray<Found>);
  const errors = [...found.values()].filter(({ severity }) => severity === "error");
  expect(ended.code).toBe(errors.length === 0 ? 0 : 12);
  if (errors.length > 0) {
    const codes = errors.map(({ code }) => code);
    expect(error).toMatchObject({ code: "DOCTOR_FINDINGS", details: { codes } });
  }
  return found;
};

const codesOf = (found: ReadonlyMap<string, Found>): ReadonlyArray<string> => [...found.keys()];

/** Runs the command of a finding, with `troupe` on the path. */
const mend = (stage: Stage, found: Found | undefined, uid?: number): void => {
  if (typeof found?.mend !== "string") throw new Error(`${found?.code} names no command`);
  const bin = join(stage.directory, "bin");
  if (!fs.existsSync(bin)) {
    fs.mkdirSync(bin, { mode: 0o755 });
    fs.writeFileSync(join(bin, "troupe"), `#!/bin/sh\nexec ${troupe} "$@"\n`, { mode: 0o755 });
  }
  const done = spawnSync("sh", ["-c", found.mend], {
    encoding: "utf8",
    cwd: stage.directory,
    timeout: 20_000,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      TROUPE_HOME: stage.home,
      TROUPE_SOCKET: stage.socket,
      HOME: stage.directory,
    },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  if (done.status !== 0) throw new Error(`${found.mend}: ${done.stdout}${done.stderr}`);
};

/** Finds these, mends all of them in the order that they are told, and looks again. */
const mended = async (
  stage: Stage,
  codes: ReadonlyArray<string>,
  look: (stage: Stage) => Promise<Findings> = examine,
  uid?: number,
): Promise<Findings> => {
  const found = await look(stage);
  expect(codesOf(found)).toEqual(codes);
  for (const code of codes) mend(stage, found.get(code), uid);
  const after = await look(stage);
  expect(codesOf(after).filter((code) => codes.includes(code))).toEqual([]);
  return after;
};

const create = async (stage: Stage, name: string, options: CallOptions = {}) => {
  const words = ["create", name, "--json", "--start-window", "0", "--", "sleep", "600"];
  const ended = await stage.start(words, options).ended;
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('"ok":true')]);
  return ended;
};

/** Every file of the home that is written to by troupe, and what is in it. */
const filesOf = (home: string): ReadonlyArray<string> =>
  fs
    .readdirSync(home, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(home, name);
      return fs.lstatSync(path).isFile() ? `${name} ${fs.readFileSync(path, "latin1")}` : name;
    });

const serverPid = (stage: Stage): number =>
  Number(stage.tmux("display-message", "-p", "#{pid}").out);

describe("doctor", () => {
  it("finds nothing where troupe never ran, and makes nothing", () =>
    onStage(async (stage) => {
      expect(codesOf(await examine(stage))).toEqual([]);
      expect(stage.made).toEqual([]);
      expect(codesOf(await asked(stage))).toEqual([]);
      expect((await stage.run("doctor")).stdout).toContain("nothing is wrong");
      expect(stage.made).toEqual([]);
    })());

  it("knows a program that is missing, mute or too old, and names another", () =>
    onStage(async (stage) => {
      const old = stage.wrapper(
        "old",
        'case "$*" in *" -V") echo tmux 2.9a;; *) exec $REAL "$@";; esac',
      );
      const mute = stage.wrapper("mute", "echo hello");
      for (const [program, code] of [
        ["/no/such/tmux", "tmux-missing"],
        [mute, "tmux-broken"],
        [old, "tmux-unsupported"],
      ] as const) {
        const found = await examine(stage, { tmux: program });
        expect(codesOf(found)[0]).toBe(code);
        mend(stage, found.get(code));
      }
    })());

  it("knows a server that is stopped, or out of reach", () =>
    onStage(async (stage) => {
      await create(stage, "a");
      const server = serverPid(stage);
      process.kill(server, "SIGSTOP");
      try {
        await mended(stage, ["server-stopped"]);
      } finally {
        process.kill(server, "SIGCONT");
      }
      fs.rmSync(stage.socket);
      await mended(stage, ["server-split"]);
    })());

  it("knows a program of another version than the server, and names the server's own", () =>
    onStage(async (stage) => {
      await create(stage, "a");
      const newer = stage.wrapper(
        "n",
        'case "$*" in *" -V") echo tmux 9.9;; *) exec $REAL "$@";; esac',
      );
      const found = await examine(stage, { tmux: newer });
      expect(codesOf(found)).toEqual(["server-version-skew"]);
      mend(stage, found.get("server-version-skew"));
    })());

  it("knows what is wrong with the socket's place", () =>
    onStage(async (stage) => {
      const long = join(stage.directory, "x".repeat(100));
      const found = await examine(stage, { socket: long });
      expect(codesOf(found)).toEqual(["socket-too-long"]);
      mend(stage, found.get("socket-too-long"));
      const deep = join(stage.directory, "y".repeat(100));
      const elsewhere = byCode(
        (await Effect.runPromise(diagnose({ home: deep, reconcileOnStart: false }, []))).findings,
      );
      expect(codesOf(elsewhere)).toEqual(["socket-elsewhere"]);
      fs.writeFileSync(stage.socket, "");
      fs.chmodSync(dirname(stage.socket), 0o777);
      await mended(stage, ["socket-obstructed", "socket-unsafe"]);
    })());

  it("knows what is wrong with the home and its files", () =>
    onStage(async (stage) => {
      fs.writeFileSync(stage.home, "");
      await mended(stage, ["home-obstructed"]);
      await create(stage, "a");
      fs.chmodSync(stage.home, 0o755);
      fs.chmodSync(join(stage.home, "registry.db"), 0o644);
      await mended(stage, ["home-open", "home-files-open"]);
      expect(codesOf(await examine(stage))).toEqual([]);
    })());

  it.runIf(socketFits || process.getuid?.() !== 0)("knows what a plain user may not do", () =>
    onStage(async (stage) => {
      const isRoot = process.getuid?.() === 0;
      const player: CallOptions = isRoot ? { uid: 65_534 } : {};
      if (isRoot) fs.chownSync(stage.directory, 65_534, 65_534);
      await create(stage, "a", player);
      fs.chmodSync(join(stage.home, "registry.db"), 0o400);
      fs.chmodSync(join(stage.home, "locks"), 0o000);
      fs.chmodSync(stage.home, 0o500);
      fs.chmodSync(stage.socket, 0o000);
      const socketAndHome = ["home-not-permitted", "socket-not-permitted"];
      const codes = [...socketAndHome, "registry-read-only", "locks-unseen"];
      await mended(stage, codes, (on) => asked(on, player), player.uid);
      if (!isRoot) return;
      const found = await examine(stage);
      expect(codesOf(found)).toContain("home-of-another");
      mend(stage, found.get("home-of-another"));
      expect(codesOf(await examine(stage))).not.toContain("home-of-another");
    })(),
  );

  it("knows a registry that is damaged, lost or newer", () =>
    onStage(async (stage) => {
      await create(stage, "a");
      const file = join(stage.home, "registry.db");
      fs.truncateSync(file, 5_000);
      await mended(stage, ["registry-damaged"]);
      for (const name of fs.readdirSync(stage.home)) {
        if (name.startsWith("registry.db")) fs.rmSync(join(stage.home, name));
      }
      await mended(stage, ["registry-lost"]);
      const database = new Database(file);
      database.pragma("user_version = 1000");
      database.close();
      const found = await examine(stage);
      expect([codesOf(found), found.get("registry-newer")?.mend]).toEqual([
        ["registry-newer"],
        null,
      ]);
    })());

  it("knows what is unfinished, lost, foreign or different", () =>
    onStage(async (stage) => {
      await Promise.all(["a", "b"].map((name) => create(stage, name)));
      const cut = stage.start(["create", "c", "--start-window", "1h", "--", "sleep", "600"]);
      await waitFor("the session", () => stage.sessionsInTmux.includes("c"));
      cut.signal("SIGKILL");
      await cut.ended;
      stage.tmux("kill-session", "-t", "=a");
      stage.tmux("new-session", "-d", "-s", "mine", "sleep 600");
      const codes = ["rows-unfinished", "rows-differ", "sessions-foreign"];
      const found = await mended(stage, codes);
      expect(found.get("sessions-lost")?.cause).toBe("a (vanished)");
      await mended(stage, ["sessions-lost"]);
      const names = [...stage.sessionsInTmux].sort();
      expect(names).toEqual(["a", "b", "mine"]);
    })());

  it("knows what is left of what has ended, and a clock that went back", () =>
    onStage(async (stage) => {
      const made = await create(stage, "a");
      const { incarnation } = toldBy(made).result;
      await stage.json("delete", "a");
      const survivor = spawnSync("sh", ["-c", "sleep 600 >/dev/null 2>&1 & echo $!"], {
        encoding: "utf8",
        env: { HOME: stage.directory, TROUPE_INCARNATION: String(incarnation) },
      });
      const after = await mended(stage, ["processes-left"]);
      expect(survivor.stdout).toMatch(/^[0-9]+\n$/);
      expect(codesOf(after)).toEqual([]);
      const database = new Database(join(stage.home, "registry.db"));
      database.exec("UPDATE incarnations SET updated_at = updated_at + 86400000");
      database.close();
      expect(codesOf(await examine(stage))).toEqual(["clock-behind"]);
    })());

  it("knows files and locks that gc would remove, and none that it would keep", () =>
    onStage(async (stage) => {
      await create(stage, "a");
      // What records begins behind the create, and makes its files then.
      await waitFor("the recorder", () =>
        filesOf(stage.home).some((name) => /^output\/.*\/open /.test(name)),
      );
      const output = join(stage.home, "output", "11111111-2222", "main");
      const snapshot = join(stage.home, "snapshots", "nobody");
      for (const path of [output, snapshot]) fs.mkdirSync(path, { recursive: true, mode: 0o700 });
      fs.writeFileSync(join(output, "0"), "x", { mode: 0o600 });
      fs.writeFileSync(join(snapshot, "1-main.json"), "{}", { mode: 0o600 });
      const before = filesOf(stage.home);
      expect(codesOf(await examine(stage))).toEqual([]);
      expect(filesOf(stage.home)).toEqual(before);
      const old = new Date("2020-01-01");
      const paths = [join(output, "0"), output, dirname(output), join(snapshot, "1-main.json")];
      for (const path of [...paths, snapshot]) fs.utimesSync(path, old, old);
      const lock = join(stage.home, "locks", "host,boot,1,2,nonce.lock");
      fs.writeFileSync(lock, "", { mode: 0o600 });
      fs.mkdirSync(join(stage.home, "new-abcdef"), { mode: 0o700 });
      const found = await mended(stage, ["files-orphaned", "locks-left"]);
      expect(codesOf(found)).toEqual([]);
      expect(fs.readdirSync(join(stage.home, "output"))).toHaveLength(1);
      expect(fs.existsSync(join(stage.home, "new-abcdef"))).toBe(false);
    })());
});
