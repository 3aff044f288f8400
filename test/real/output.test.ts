/**
 * Output on a real tmux: recorded from the first byte to the last, by tmux alone, and read by
 * whoever comes, goes or is late; nothing of it is left running.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import type { Sessions } from "@troupe/core";
import { Effect, Fiber } from "effect";
import { commandLineOf } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import { ended, given, readToEnd, startReading } from "./OutputCollected.js";
import { type RealHome, realHome } from "./RealHome.js";

const sh = (script: string) => ({ command: ["sh", "-c", script], cwd: "/", startWindowMs: 0 });

/** How a program ended is known for sure behind its start window; without one tmux may be late. */
const seen = { startWindowMs: 100 };

const numbers = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${i + 1}\r\n`).join("");

/** What tmux runs beside the programs of its panes. */
const helpersOf = (home: RealHome): ReadonlyArray<string> => {
  const server = home.tmux("display-message", "-p", "#{pid}");
  const children = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").trim();
  const panes = home.tmux("display-message", "-p", "#{S:#{W:#{P:#{pane_pid} }}}").split(" ");
  const pids = children === "" ? [] : children.split(" ");
  return pids.filter((pid) => !panes.includes(pid)).map((pid) => commandLineOf(Number(pid)));
};

const directoryOf = (home: RealHome, sessions: Sessions["Type"], terminal = "main") =>
  Effect.map(sessions.get("a"), ({ incarnation }) =>
    join(home.directory, "home", "output", incarnation, terminal),
  );

/** What is recorded in the directory, by the order of its segments. */
const recorded = (directory: string): string =>
  readdirSync(directory)
    .filter((name) => /^[0-9]+$/.test(name))
    .sort((a, b) => Number(a) - Number(b))
    .map((name) => readFileSync(join(directory, name), "utf8"))
    .join("");

const waitForOutput = (directory: string, text: string) =>
  Effect.promise(() => waitFor(`${text} recorded`, () => recorded(directory).includes(text)));

describe("on a real tmux the output of a terminal", () => {
  it.scopedLive("is whole, also for a reader that comes late and one that comes and goes", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sh("seq 100000; exit"), ...seen });
      const first = yield* startReading(sessions, "a");
      const broken = yield* startReading(sessions, "a");
      yield* given(broken.collected, "\n20000\r");
      yield* Fiber.interrupt(broken.fiber);
      yield* ended(first.fiber);
      const again = yield* readToEnd(sessions, "a", { from: broken.collected.next });
      const late = yield* readToEnd(sessions, "a");
      const whole = numbers(100_000);
      expect(first.collected.text === whole).toBe(true);
      expect(broken.collected.text + again.text === whole).toBe(true);
      expect(late.text === whole).toBe(true);
      expect(late.end).toMatchObject({ reason: "exited", exit: { code: 0, signal: null } });
      expect([first.collected.gaps, again.gaps, late.gaps]).toEqual([[], [], []]);
    }),
  );

  it.scopedLive("of programs that end at once is there, to the last byte", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      for (let i = 0; i < 20; i++) {
        const window = i % 2 === 0 ? seen : {};
        const program = { ...sh(`echo why${i}; exit 0`), ...window };
        yield* sessions.create({ session: "a", ...program, replace: true });
        const read = yield* readToEnd(sessions, "a");
        expect([read.text, read.end?.reason]).toEqual([`why${i}\r\n`, "exited"]);
        if (window === seen) expect(read.end?.exit).toEqual({ code: 0, signal: null });
      }
    }),
  );

  it.scopedLive(
    "comes as it is printed, also where no line ends, and from a program that starts late",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const late = 'while [ ! -e "$HOME/go" ]; do sleep 0.02; done; printf "? "; exec cat';
        yield* sessions.create({ session: "a", ...sh(late) });
        const { collected, fiber } = yield* startReading(sessions, "a");
        yield* Effect.sync(() => execFileSync("touch", [join(home.directory, "go")]));
        yield* given(collected, "? ");
        home.tmux("send-keys", "-t", "=a:", "-l", "yes");
        yield* given(collected, "? yes");
        yield* sessions.delete("a", { graceMs: 0 });
        yield* ended(fiber);
        expect(collected.end).toMatchObject({ reason: "deleted" });
      }),
  );

  it.scopedLive("is kept up to a bound, the newest, and what is not is told as a gap", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const [outputSegmentBytes, outputSegments] = [64 * 1024, 4];
      const sessions = yield* home.sessions({ settings: { outputSegmentBytes, outputSegments } });
      yield* sessions.create({ session: "a", ...sh("seq 300000") });
      const read = yield* readToEnd(sessions, "a");
      const late = yield* readToEnd(sessions, "a");
      const whole = numbers(300_000);
      const [gap] = late.gaps;
      expect(late.end?.sequence).toBe(whole.length);
      expect(gap?.to).toBeGreaterThan(whole.length - outputSegments * 2 * outputSegmentBytes);
      expect(gap?.to).toBeLessThanOrEqual(whole.length - (outputSegments - 1) * outputSegmentBytes);
      expect(late.text === whole.slice(gap?.to ?? 0)).toBe(true);
      expect(late.gaps.length).toBe(1);
      // The first reader may have been quick enough or not; either way it misses nothing unsaid.
      const missed = read.gaps.reduce((sum, { sequence, to }) => sum + (to ?? 0) - sequence, 0);
      expect(read.text.length + missed).toBe(whole.length);
    }),
  );

  it.scopedLive("is readable by its user alone, whatever the umask and the name of the home", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const strange = join(home.directory, 'it\'s #{pid} %H $HOME ~ "x" ;é');
      const sessions = yield* home.sessions({ home: strange });
      const before = process.umask(0);
      yield* Effect.addFinalizer(() => Effect.sync(() => process.umask(before)));
      yield* sessions.create({ session: "a", ...sh("echo kept; exec sleep 600") });
      yield* given((yield* startReading(sessions, "a")).collected, "kept");
      const { incarnation } = yield* sessions.get("a");
      const place = join(strange, "output", incarnation, "main");
      const modes = (path: string): string => (statSync(path).mode & 0o777).toString(8);
      expect(recorded(place)).toBe("kept\r\n");
      const above = [place, join(place, ".."), join(place, "../..")];
      expect(above.map(modes)).toEqual(["700", "700", "700"]);
      const files = readdirSync(place).map((name) => modes(join(place, name)));
      expect(files).toEqual(["600", "600"]);
    }),
  );

  it.scopedLive("of a further terminal is its own, and stays when the session has ended", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sh("echo one; exec sleep 600") });
      yield* sessions.addTerminal({ session: "a", ...sh("echo two; exec sleep 600") });
      yield* given((yield* startReading(sessions, "a")).collected, "one");
      yield* given((yield* startReading(sessions, "a", { terminal: "t2" })).collected, "two");
      yield* sessions.delete("a", { graceMs: 0 });
      const second = yield* readToEnd(sessions, "a", { terminal: "t2" });
      expect([second.text, second.end?.reason]).toEqual(["two\r\n", "deleted"]);
      expect((yield* readToEnd(sessions, "a", { follow: false })).text).toBe("one\r\n");
    }),
  );

  it.scopedLive("is not recorded where it was not wanted", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sh("echo secret; exec sleep 600"), log: false });
      expect(helpersOf(home)).toEqual(["cat"]);
      expect(home.find("home/output")).toBe("");
      expect((yield* Effect.flip(readToEnd(sessions, "a")))._tag).toBe("NotFound");
    }),
  );
});

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
        expect(read.end?.reason).toBe("exited");
        yield* sessions.delete("a");
        yield* Effect.promise(() => waitFor("no helper", () => helpersOf(home).length === 0));
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
      expect(collected.gaps).toEqual([{ type: "gap", sequence: 4, to: null }]);
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
