/**
 * What a delete must end, and what it must not: programs that do not want to go, and a server of
 * the user's own below one of them.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Duration, Effect } from "effect";
import { quoted, socketsFit } from "../support/Place.js";
import { hasVariable, lives, parentOf, processSessionOf, stateOf } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import { type RealHome, realHome } from "./RealHome.js";

/** Ignores HUP and TERM, as do a child, a child in a process session of its own, and a daemon. */
const STUBBORN = `trap "" HUP TERM
sleep 86401 & echo $! >> pids
setsid sleep 86402 & echo $! >> pids
(setsid sh -c 'echo $$ >> pids; exec sleep 86403' &)
echo $$ >> pids
while :; do sleep 1; done`;

/** A daemon whose first thread ends while another goes on: /proc calls it a zombie. */
const HEADLESS = `$SIG{$_} = "IGNORE" for qw(HUP TERM);
threads->create(sub { sleep 1 while 1 })->detach;
open my $file, ">", "headless"; print $file "$$\\n"; close $file;
syscall(${process.arch === "arm64" ? 93 : 60}, 0)`;

const hasThreads = spawnSync("perl", ["-Mthreads", "-e", "1"]).status === 0;

/** How long a wait for the end of something that never ends would take. */
const longMs = 25_000;

/** The numbers that programs wrote to a file, one a line, once so many are there. */
const written = (home: RealHome, name: string, count: number) =>
  Effect.promise(() =>
    waitFor(`${count} lines in ${name}`, () => {
      const found = home.find(name).match(/\d+(?=\n)/g) ?? [];
      return found.length === count ? found.map(Number) : null;
    }),
  );

describe("on a real tmux", () => {
  it.scopedLive(
    "programs that ignore HUP and TERM, left the session or became daemons are gone",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const command = ["sh", "-c", STUBBORN];
        const view = yield* sessions.create({ session: "a", cwd: home.directory, command });
        const pids = yield* written(home, "pids", 4);
        expect(pids.map(lives)).toEqual([true, true, true, true]);
        const leaders = pids.filter((pid) => processSessionOf(pid) === pid);
        const left = leaders.filter((pid) => !pids.includes(parentOf(pid)));
        expect([leaders.length, left.length]).toEqual([3, 2]);
        expect(left).toContain(view.terminals[0]?.panePid);
        const result = yield* sessions.delete("a");
        expect(pids.map(lives)).toEqual([false, false, false, false]);
        expect(pids.every((pid) => result.killed.includes(pid))).toBe(true);
        expect((yield* sessions.get("a")).state).toBe("deleted");
      }),
  );

  it.scopedLive.runIf(hasThreads)(
    "a daemon of which only the first thread has ended is no zombie, and is gone like any other",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        // The pane's program stays at the hangup, so that what is killed depends on no race.
        const start = 'trap "" HUP; (setsid perl -Mthreads -e "$0" &) ; exec sleep 600';
        const command = ["sh", "-c", start, HEADLESS];
        const { terminals } = yield* sessions.create({
          session: "a",
          cwd: home.directory,
          command,
        });
        const panePid = terminals[0]?.panePid ?? 0;
        const [pid = 0] = yield* written(home, "headless", 1);
        yield* Effect.promise(() =>
          waitFor("the end of the first thread", () => stateOf(pid) === "Z" && lives(pid)),
        );
        const { killed } = yield* sessions.delete("a");
        expect([...killed].sort()).toEqual([panePid, pid].sort());
        expect([panePid, pid].map(lives)).toEqual([false, false]);
      }),
  );

  it.scopedLive("a program that saves on TERM within its grace has saved", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const script = 'trap "sleep 0.3; echo all > saved; exit" TERM; while :; do sleep 0.05; done';
      const command = ["sh", "-c", script];
      yield* sessions.create({ session: "a", cwd: home.directory, command });
      yield* sessions.delete("a");
      expect(home.read("saved")).toBe("all\n");
    }),
  );

  it.scopedLive("what has no handler for TERM is not waited for, whatever the grace", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", cwd: "/", command: ["sleep", "600"] });
      yield* sessions.create({ session: "shell", cwd: "/" });
      const deaf = ["sh", "-c", 'trap "" TERM; exec sleep 600'];
      yield* sessions.create({ session: "deaf", cwd: "/", command: deaf });
      for (const name of ["a", "shell", "deaf"]) {
        const [took] = yield* Effect.timed(sessions.delete(name, { graceMs: longMs }));
        expect(Duration.toMillis(took)).toBeLessThan(longMs / 5);
      }
    }),
  );

  it.scopedLive.runIf(socketsFit)(
    "a tmux server of the user's own, started inside, lives on with what is in it",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const own = join(home.directory, "own");
        const inner = "sleep 86404 & echo $! > inner; echo $$ >> inner; exec sleep 86408";
        const start = `tmux -S ${quoted(own)} -f /dev/null new-session -d -s mine '${inner}'`;
        const command = ["sh", "-c", `env -u TMUX ${start}; exec sleep 600`];
        const cwd = home.directory;
        const view = yield* sessions.create({ session: "a", cwd, command });
        const pids = yield* written(home, "inner", 2);
        const panes = ["-S", own, "list-panes", "-a", "-F", "#{session_name} #{pane_dead} #{pid}"];
        const before = execFileSync("tmux", panes, { encoding: "utf8" });
        const server = Number(before.trim().split(" ")[2]);
        const theirs = [...pids, server];
        // Each of them bears the mark, so that it is spared for where it is and nothing else.
        const isMarked = (pid: number) => hasVariable(pid, "TROUPE_INCARNATION", view.incarnation);
        expect(theirs.map(isMarked)).toEqual([true, true, true]);
        expect((yield* sessions.delete("a")).killed.filter((pid) => theirs.includes(pid))).toEqual(
          [],
        );
        expect(theirs.map(lives)).toEqual([true, true, true]);
        expect(execFileSync("tmux", panes, { encoding: "utf8" })).toBe(before);
        expect(before).toBe(`mine 0 ${server}\n`);
      }),
  );

  it.scopedLive(
    "a session that ended on its own is deleted, and alreadyGone when tmux lost it",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        yield* sessions.create({ session: "done", cwd: "/", command: ["true"] });
        expect((yield* sessions.delete("done")).alreadyGone).toBe(false);
        const sleeps = { session: "a", cwd: "/", command: ["sleep", "600"] };
        const pid = (yield* sessions.create(sleeps)).terminals[0]?.panePid ?? 0;
        home.tmux("kill-session", "-t", "=a");
        // One that is dying still would be found, and ended.
        yield* Effect.promise(() => waitFor("its end", () => !lives(pid)));
        expect((yield* sessions.delete("a")).alreadyGone).toBe(true);
      }),
  );

  it.scopedLive("a program that only calls itself a tmux server is gone like any other", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const impostor = join(home.directory, "tmux: server");
      copyFileSync("/bin/sleep", impostor);
      const script = 'trap "" HUP TERM; exec "$0" 86405';
      const command = ["sh", "-c", script, impostor];
      const view = yield* sessions.create({ session: "a", cwd: "/", command });
      yield* sessions.delete("a");
      expect(lives(view.terminals[0]?.panePid ?? 0)).toBe(false);
    }),
  );
});
