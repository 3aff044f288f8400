/**
 * Output on a real tmux: recorded from the first byte to the last, by tmux alone, and read by
 * whoever comes, goes or is late.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { ended, given, readToEnd, startReading } from "./OutputCollected.js";
import { realHome } from "./RealHome.js";
import { go, helpersOf, numbers, recorded, seen, sh, untilGo } from "./RecordedOutput.js";

describe("on a real tmux the output of a terminal", () => {
  it.scopedLive("is whole, also for a reader that comes late and one that comes and goes", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sh(`seq 100000; ${untilGo}`), ...seen });
      const first = yield* startReading(sessions, "a");
      const broken = yield* startReading(sessions, "a");
      yield* given(broken.collected, "\n20000\r");
      yield* Fiber.interrupt(broken.fiber);
      yield* given(first.collected, "\n100000\r\n");
      yield* go(home);
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

  it.scopedLive("of programs that end at once is there, to the last byte that tmux had", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      let whole = 0;
      for (let i = 0; i < 20; i++) {
        const window = i % 2 === 0 ? seen : {};
        const program = { ...sh(`echo why${i}; exit 0`), ...window };
        yield* sessions.create({ session: "a", ...program, replace: true });
        const read = yield* readToEnd(sessions, "a");
        // On a busy machine tmux itself may lose what a program printed right before its end
        // (docs/decisions/0004); then the screen shows nothing of it either.
        const shown = home.tmux("capture-pane", "-p", "-t", "=a:");
        expect(["", `why${i}`]).toContain(shown);
        const printed = shown === "" ? "" : `why${i}\r\n`;
        expect([read.text, read.end?.reason]).toEqual([printed, "exited"]);
        if (window === seen) expect(read.end?.exit).toEqual({ code: 0, signal: null });
        if (shown !== "") whole += 1;
      }
      expect(whole).toBeGreaterThan(10);
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
      yield* sessions.create({ session: "a", ...sh(`seq 300000; ${untilGo}`) });
      const { collected: read, fiber } = yield* startReading(sessions, "a");
      yield* given(read, "\n300000\r\n");
      yield* go(home);
      yield* ended(fiber);
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
