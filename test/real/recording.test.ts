/**
 * What records output on a real tmux: a process of tmux alone, that hangs nobody whatever becomes
 * of it and its files, and of which nothing is left running.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { waitFor } from "../support/Waiting.js";
import { ended, given, readToEnd, startReading } from "./OutputCollected.js";
import { realHome } from "./RealHome.js";
import { directoryOf, helpersOf, sh, waitForOutput } from "./RecordedOutput.js";

describe("on a real tmux the recorder of a terminal", () => {
  it.scopedLive("of a killed server has ended, and its readers know that the session is lost", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sh("echo up; exec sleep 600") });
      const { collected, fiber } = yield* startReading(sessions, "a");
      yield* given(collected, "up");
      const directory = yield* directoryOf(home, sessions);
      process.kill(Number(home.tmux("display-message", "-p", "#{pid}")), "SIGKILL");
      yield* ended(fiber);
      expect([collected.text, collected.end?.reason]).toEqual(["up\r\n", "lost"]);
      expect(readdirSync(directory)).toEqual(["0"]);
    }),
  );

  it.scopedLive(
    "reads on when its directory is removed, and hangs neither program nor delete",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const flood = 'echo up; while [ ! -e "$HOME/go" ]; do sleep 0.02; done; seq 300000; exit 4';
        yield* sessions.create({ session: "a", ...sh(flood) });
        const directory = yield* directoryOf(home, sessions);
        yield* waitForOutput(directory, "up");
        rmSync(directory, { recursive: true });
        yield* Effect.sync(() => execFileSync("touch", [join(home.directory, "go")]));
        const read = yield* readToEnd(sessions, "a");
        expect([read.end?.reason, read.gaps]).toMatchObject(["exited", [{ to: null }]]);
        yield* sessions.delete("a");
        yield* Effect.promise(() => waitFor("no helper", () => helpersOf(home).length === 0));
      }),
  );

  it.scopedLive("that somebody killed is told of as a gap, at once and before the end", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sh("echo one; exec cat") });
      const directory = yield* directoryOf(home, sessions);
      yield* waitForOutput(directory, "one");
      const { collected, fiber } = yield* startReading(sessions, "a");
      yield* given(collected, "one");
      const recorder = readFileSync(join(directory, "open"), "utf8").trim();
      const children = readFileSync(`/proc/${recorder}/task/${recorder}/children`, "utf8").trim();
      for (const pid of [recorder, children]) process.kill(Number(pid), "SIGKILL");
      yield* Effect.promise(() => waitFor("the gap", () => collected.gaps.length > 0));
      home.tmux("send-keys", "-t", "=a:", "-l", "two");
      yield* sessions.delete("a", { graceMs: 0 });
      yield* ended(fiber);
      const gap = { type: "gap", sequence: 5, to: null };
      expect([collected.text, collected.gaps]).toMatchObject(["one\r\n", [gap]]);
      expect(collected.end).toMatchObject({ sequence: 5, reason: "deleted" });
    }),
  );

  it.scopedLive("whose directory cannot be made hangs neither program nor delete", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const top = join(home.directory, "home", "output");
      yield* sessions.create({ session: "first", ...sh("exec sleep 600"), log: false });
      writeFileSync(top, "in the way");
      yield* sessions.create({ session: "a", ...sh("seq 100000; exit 5") });
      const dead = () => home.tmux("list-panes", "-t", "=a:", "-F", "#{pane_dead}") === "1";
      yield* Effect.promise(() => waitFor("the end of the program", dead));
      const failure = yield* Effect.flip(readToEnd(sessions, "a"));
      expect(failure).toMatchObject({ _tag: "LookupFailed", source: "files" });
      yield* sessions.delete("a");
      yield* sessions.delete("first", { graceMs: 0 });
      yield* Effect.promise(() => waitFor("no helper", () => helpersOf(home).length === 0));
    }),
  );

  it.scopedLive("that is killed leaves a reader that is told so and ends with its terminal", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sh("echo up; exec cat") });
      const { collected, fiber } = yield* startReading(sessions, "a");
      yield* given(collected, "up");
      const pid = readFileSync(join(yield* directoryOf(home, sessions), "open"), "utf8").trim();
      const writer = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
      process.kill(Number(writer), "SIGKILL");
      yield* Effect.promise(() => waitFor("the gap", () => collected.gaps.length > 0));
      expect(collected.gaps).toMatchObject([{ type: "gap", sequence: 4, to: null }]);
      yield* sessions.delete("a", { graceMs: 0 });
      yield* ended(fiber);
      expect(collected.end?.reason).toBe("deleted");
    }),
  );

  it.scopedLive(
    "leaves nothing running behind 50 creates, reads and deletes, nor anything open",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const cycle = Effect.gen(function* () {
          yield* sessions.create({ session: "a", ...sh("echo up; exec sleep 600") });
          const { collected, fiber } = yield* startReading(sessions, "a");
          yield* given(collected, "up");
          yield* sessions.delete("a", { graceMs: 0 });
          yield* ended(fiber);
          expect([collected.text, collected.end?.reason]).toEqual(["up\r\n", "deleted"]);
        }).pipe(Effect.scoped);
        // All watches of a program are in one descriptor of the kernel's.
        const watches = () =>
          process.getActiveResourcesInfo().filter((name) => name.startsWith("FSEvent")).length;
        const open = () => readdirSync("/proc/self/fd").length + watches();
        yield* cycle;
        const before = open();
        yield* Effect.repeatN(cycle, 49);
        // What is closing may take a moment; what only a collection closes is more than that.
        expect(open()).toBeLessThan(before + 10);
        yield* Effect.promise(() => waitFor("no helper", () => helpersOf(home).length === 0));
        yield* Effect.promise(() => waitFor("no more open files", () => open() <= before));
      }),
    60_000,
  );

  it.scopedLive("is not needed to close ten readers, which takes no time", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sh("echo up; exec cat") });
      const rounds: Array<number> = [];
      for (let round = 0; round < 3; round++) {
        const readers = yield* Effect.replicateEffect(startReading(sessions, "a"), 10);
        for (const { collected } of readers) yield* given(collected, "up");
        const startedAt = performance.now();
        yield* Fiber.interruptAll(readers.map(({ fiber }) => fiber));
        rounds.push(performance.now() - startedAt);
      }
      expect(Math.min(...rounds)).toBeLessThan(50);
    }),
  );
});
