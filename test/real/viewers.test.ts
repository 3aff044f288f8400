/**
 * Real tmux clients on real terminals: they come and go by the hundred and leave nothing, those
 * that fail to come leave nothing either, and one whose program was killed is gone in no time.
 */
import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { describe, expect, it } from "@effect/vitest";
import { CLIENT_BOUND_MS, clientGuard, gatedClient } from "@troupe/core";
import { Effect } from "effect";
import { quoted } from "../support/Place.js";
import { lives } from "../support/Processes.js";
import { Terminal } from "../support/Terminal.js";
import { waitFor } from "../support/Waiting.js";
import { above, type Footprint, footprintOf } from "./Footprint.js";
import { type RealHome, realHome } from "./RealHome.js";

const attaches = 200;
const failures = 50;
const warmUp = 4;

const sleep = { command: ["sleep", "600"], cwd: "/", startWindowMs: 10 };

/** The words as a line for a shell. */
const lineOf = (argv: ReadonlyArray<string>): string =>
  argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");

const terminal = (home: RealHome, line: string): Terminal =>
  new Terminal(line, { HOME: home.directory, LANG: "C.UTF-8" });

/** Those on a terminal; the connection of a program is none. */
const clientsOf = (home: RealHome): ReadonlyArray<string> =>
  home
    .tmux("list-clients", "-F", "#{client_control_mode} #{client_pid}")
    .split("\n")
    .flatMap((line) => (line.startsWith("0 ") ? [line.slice(2)] : []));

/** The clients, once there are so many. */
const someOf = (home: RealHome, count: number): ReadonlyArray<string> | null => {
  const found = clientsOf(home);
  return found.length === count ? found : null;
};

/**
 * Types prefix and key. What comes at once, or as soon as the client, would be a paste to tmux, in
 * which no prefix is one: it happened once in some thousand times on a busy machine.
 */
const detach = async (home: RealHome, viewer: Terminal): Promise<void> => {
  home.tmux("set-option", "-g", "assume-paste-time", "0");
  viewer.type("\x02");
  const format = "#{client_prefix} #{client_key_table} #{client_activity} #{client_flags}";
  let clients = "";
  await waitFor("tmux to take the prefix", () => {
    clients = home.tmux("list-clients", "-F", format);
    return /^1/m.test(clients);
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify({ clients, drawn: viewer.drawn })}`);
  });
  viewer.type("d");
};

/** Comes, is there, and is detached by its key. */
const comesAndGoes = async (home: RealHome, line: string): Promise<void> => {
  const viewer = terminal(home, line);
  try {
    await viewer.draws(/\[0\]|\[a\]/);
    await detach(home, viewer);
    expect(await viewer.ended).toBe(0);
  } finally {
    viewer.close();
  }
};

const failsToCome = async (home: RealHome, line: string): Promise<void> => {
  const viewer = terminal(home, line);
  try {
    expect(await viewer.ended).not.toBe(0);
  } finally {
    viewer.close();
  }
};

/** Does it so often, one behind the other. */
const often = async (times: number, once: () => Promise<void>): Promise<void> => {
  for (let time = 0; time < times; time++) await once();
};

describe("tmux clients", () => {
  it.scopedLive(
    `${attaches} that come and go, and ${failures} that fail to, leave descriptors, terminals and clients as they were`,
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        yield* sessions.create({ session: "a", ...sleep });
        yield* sessions.create({ session: "b", ...sleep });
        const line = lineOf((yield* sessions.attachCommand("a")).argv);
        const gone = lineOf((yield* sessions.attachCommand("b")).argv);
        yield* sessions.delete("b");
        const play = (comes: number, fails: number) =>
          Effect.promise(async () => {
            await often(comes, () => comesAndGoes(home, line));
            await often(fails, () => failsToCome(home, gone));
          });
        yield* play(warmUp, warmUp);
        const level = yield* Effect.promise(() =>
          waitFor("an idle program", () => {
            const now = footprintOf(home);
            return now.children === 0 && clientsOf(home).length === 0 ? now : null;
          }),
        );
        yield* play(attaches, failures);
        let more: Footprint = {};
        const isLevel = () => {
          more = above(footprintOf(home), level);
          return Object.keys(more).length === 0;
        };
        yield* Effect.promise(() => waitFor("the level", isLevel).catch(() => false));
        expect(more).toEqual({});
        expect(yield* sessions.clients("a")).toEqual([]);
        expect((yield* sessions.get("a")).seen.state).toBe("present");
      }),
    180_000,
  );

  it.scopedLive("are seen by a look, whoever they are, and those of another session are not", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sleep });
      yield* sessions.create({ session: "b", ...sleep });
      const viewer = terminal(home, `exec tmux -S ${quoted(home.socket)} attach-session -t =a`);
      yield* Effect.addFinalizer(() => Effect.sync(() => viewer.close()));
      yield* Effect.promise(() => waitFor("a client", () => clientsOf(home).length === 1));
      expect(yield* sessions.clients("a")).toHaveLength(1);
      expect(yield* sessions.clients("b")).toEqual([]);
      yield* Effect.promise(() => detach(home, viewer));
      yield* Effect.promise(() => viewer.ended);
      expect(yield* sessions.clients("a")).toEqual([]);
    }),
  );
});

describe("the guard of a client", () => {
  /** A client that is guarded by a process of ours, whose pipe this test holds. */
  const guarded = Effect.gen(function* () {
    const home = yield* realHome;
    const sessions = yield* home.sessions();
    yield* sessions.create({ session: "a", ...sleep });
    const line = lineOf((yield* sessions.attachCommand("a")).argv);
    // The terminal outlives its client, so it is not the terminal's end that ends that.
    const viewer = terminal(home, `${line}; exec sleep 600`);
    yield* Effect.addFinalizer(() => Effect.sync(() => viewer.close()));
    const [pid] = yield* Effect.promise(() => waitFor("a client", () => someOf(home, 1)));
    const stranger = terminal(home, `exec tmux -S ${quoted(home.socket)} attach-session -t =a`);
    yield* Effect.addFinalizer(() => Effect.sync(() => stranger.close()));
    const both = yield* Effect.promise(() => waitFor("two clients", () => someOf(home, 2)));
    const other = both.find((each) => each !== pid);
    return { home, sessions, pid: Number(pid), other: Number(other) };
  });

  const started = (pid: number, env = process.env) => {
    const [shell = "", ...words] = clientGuard(pid);
    return spawn(shell, words, { env, stdio: ["pipe", "ignore", "ignore"] });
  };

  it.scopedLive("ends it within the bound when the pipe ends, and nobody else's", () =>
    Effect.gen(function* () {
      const { home, other, pid, sessions } = yield* guarded;
      const guard = started(pid);
      const since = performance.now();
      guard.stdin.destroy();
      yield* Effect.promise(() => waitFor("its end", () => !clientsOf(home).includes(String(pid))));
      expect(performance.now() - since).toBeLessThan(CLIENT_BOUND_MS);
      expect(clientsOf(home)).toEqual([String(other)]);
      expect((yield* sessions.get("a")).seen.state).toBe("present");
      yield* Effect.promise(() => waitFor("the guard's end", () => guard.exitCode !== null));
    }),
  );

  it.scopedLive("kills one that is stopped, and does not hear", () =>
    Effect.gen(function* () {
      const { home, pid } = yield* guarded;
      const server = Number(home.tmux("display-message", "-p", "#{pid}"));
      const guard = started(pid);
      process.kill(server, "SIGSTOP");
      yield* Effect.addFinalizer(() => Effect.sync(() => process.kill(server, "SIGCONT")));
      const since = performance.now();
      guard.stdin.destroy();
      // A client of a server that does not answer waits for it, and hears of no TERM.
      yield* Effect.promise(() => waitFor("its end", () => !lives(pid)));
      expect(performance.now() - since).toBeLessThan(CLIENT_BOUND_MS);
    }),
  );

  it.scopedLive("leaves alone what it cannot tell from another process of that pid", () =>
    Effect.gen(function* () {
      const { home, pid } = yield* guarded;
      // Without the programs that read it, nobody knows when the process began.
      const guard = started(pid, { PATH: "/nonexistent" });
      guard.stdin.destroy();
      yield* Effect.promise(() => waitFor("the guard's end", () => guard.exitCode !== null));
      expect(lives(pid)).toBe(true);
      expect(clientsOf(home)).toContain(String(pid));
    }),
  );

  it.scopedLive("leaves it alone when it is told that it has ended", () =>
    Effect.gen(function* () {
      const { home, pid } = yield* guarded;
      const guard = started(pid);
      guard.stdin.end("ended\n");
      yield* Effect.promise(() => waitFor("the guard's end", () => guard.exitCode !== null));
      expect(clientsOf(home)).toContain(String(pid));
    }),
  );
});

describe("a client behind its gate", () => {
  /** One that says its pid when it begins; its program holds the gate. */
  const gated = () => {
    const [shell = "", ...words] = gatedClient(["/bin/sh", "-c", "echo $$; read -r end"]);
    const child = spawn(shell, words, { stdio: ["pipe", "pipe", "inherit", "pipe"] });
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const ended = new Promise<number | null>((done) => child.once("close", done));
    const gate = child.stdio[3];
    if (!(gate instanceof Socket)) throw new Error("no pipe");
    return { child, ended, gate, said: () => said };
  };

  it("has done nothing where its program dies before its guard is there", async () => {
    const { ended, gate, said } = gated();
    gate.destroy();
    expect(await ended).toBe(0);
    expect(said()).toBe("");
  });

  it("begins under the pid that its guard knows, and holds nothing of the gate", async () => {
    const { child, ended, gate, said } = gated();
    expect(said()).toBe("");
    gate.resume().end("begin\n");
    await waitFor("its begin", () => said() !== "");
    expect(said().trim()).toBe(String(child.pid));
    // The other end is closed before the client is over.
    await waitFor("the end of the gate", () => gate.destroyed || gate.readableEnded);
    child.stdin?.end("end\n");
    expect(await ended).toBe(0);
  });
});
