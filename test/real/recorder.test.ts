/**
 * Recorder: the shell loop, run by a real shell on a pipe of the test's, as tmux runs it.
 *
 * What it keeps is read with the live `OutputFiles`, so that the two are shown to agree.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { IncarnationId, OutputFiles, TerminalId } from "@troupe/core";
import { NodeOutputFiles } from "@troupe/node";
import { recorderScript } from "@troupe/tmux";
import { Effect, Fiber } from "effect";
import { stateOf } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";

const output = {
  incarnation: IncarnationId.make("incarnation-1"),
  terminal: TerminalId.make("main"),
};

/** A recorder under way: its pipe, its end, and what is kept of what it read. */
interface Recorder {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly directory: string;
  readonly files: OutputFiles["Type"];
}

const BOUNDS = { segmentBytes: 8192, segments: 3 };

const setting = (bounds: typeof BOUNDS = BOUNDS, prepare: (directory: string) => void = () => {}) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const home = mkdtempSync(join(tmpdir(), "tr-"));
      const files = yield* Effect.provide(OutputFiles, NodeOutputFiles.layer({ home }));
      const directory = files.place(output);
      prepare(directory);
      const script = recorderScript({ directory, ...bounds });
      const child = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
      const recorder: Recorder = { child, ended, directory, files };
      return { home, recorder };
    }),
    ({ home, recorder }) =>
      Effect.promise(async () => {
        recorder.child.stdin?.end();
        await recorder.ended;
        rmSync(home, { recursive: true });
      }),
  ).pipe(Effect.map(({ recorder }) => recorder));

const write = ({ child }: Recorder, bytes: Uint8Array | string) =>
  Effect.promise(() => new Promise((resolve) => child.stdin?.write(bytes, resolve)));

const finish = ({ child, ended }: Recorder) =>
  Effect.promise(() => {
    child.stdin?.end();
    return ended;
  });

/** Everything that is kept, and where it begins. */
const kept = ({ files }: Recorder) =>
  Effect.gen(function* () {
    const first = yield* files.read(output, 0, 1);
    const parts: Array<Uint8Array> = [];
    for (let at = first.from; ; ) {
      const { data, recorder } = yield* files.read(output, at, 1000);
      if (data.length === 0) return { from: first.from, data: Buffer.concat(parts), recorder };
      parts.push(data);
      at += data.length;
    }
  });

const isIdle = ({ files }: Recorder, bytes: number) =>
  Effect.runPromise(
    Effect.map(files.read(output, bytes - 1, 10), (range) =>
      range.data.length === 1 && range.recorder === "idle" ? range : null,
    ),
  );

/** What this process has open of what is kept. */
const openIn = ({ directory }: Recorder) =>
  readdirSync("/proc/self/fd").filter((fd) => {
    const path = `/proc/self/fd/${fd}`;
    return existsSync(path) && readlinkSync(path).startsWith(directory);
  });

/** Every byte there is, in an order that shows where one is missing. */
const pattern = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i++) bytes[i] = (i * 7 + (i >> 8) * 13) & 0xff;
  return bytes;
};

describe("a recorder", () => {
  it.scopedLive("keeps every byte of what it reads, in whatever pieces, until its input ends", () =>
    Effect.gen(function* () {
      const recorder = yield* setting({ segmentBytes: 8192, segments: 100 });
      const all = pattern(100_000);
      for (let at = 0, size = 1; at < all.length; at += size, size = (size * 3 + 1) % 9001) {
        yield* write(recorder, all.subarray(at, at + size));
      }
      expect(yield* finish(recorder)).toBe(0);
      const { data, from, recorder: state } = yield* kept(recorder);
      expect([from, state, data.equals(all)]).toEqual([0, "ended", true]);
      expect(readdirSync(recorder.directory).length).toBeGreaterThan(5);
      expect(readdirSync(recorder.directory)).not.toContain("open");
    }),
  );

  it.scopedLive("shows a byte as soon as it has read it, and says when it has read all", () =>
    Effect.gen(function* () {
      const recorder = yield* setting();
      for (let bytes = 1; bytes <= 5; bytes++) {
        yield* write(recorder, "x");
        yield* Effect.promise(() => waitFor("the byte", () => isIdle(recorder, bytes)));
      }
    }),
  );

  it.scopedLive("is read with no file left open", () =>
    Effect.gen(function* () {
      const recorder = yield* setting();
      yield* write(recorder, "x");
      yield* Effect.promise(() => waitFor("the byte", () => isIdle(recorder, 1)));
      for (let i = 0; i < 20; i++) yield* recorder.files.read(output, 0, 10);
      expect(openIn(recorder)).toEqual([]);
    }),
  );

  it.scopedLive("has no file left open by those who were interrupted while they read it", () =>
    Effect.gen(function* () {
      const recorder = yield* setting();
      yield* write(recorder, "x");
      yield* Effect.promise(() => waitFor("the byte", () => isIdle(recorder, 1)));
      for (let left = 0; left < 200; left++) {
        const reading = yield* Effect.fork(recorder.files.read(output, 0, 10));
        yield* Effect.yieldNow();
        if (left % 2 === 0) yield* Effect.promise(() => new Promise(setImmediate));
        yield* Fiber.interrupt(reading);
        expect(openIn(recorder)).toEqual([]);
      }
    }),
  );

  it.scopedLive("does not say that it has read all while it is given no time to", () =>
    Effect.gen(function* () {
      const recorder = yield* setting();
      yield* write(recorder, "x");
      yield* Effect.promise(() => waitFor("the byte", () => isIdle(recorder, 1)));
      const { pid } = recorder.child;
      const writer = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
      process.kill(writer, "SIGSTOP");
      yield* Effect.promise(() => waitFor("it to stop", () => stateOf(writer) === "T"));
      yield* write(recorder, "y");
      const range = yield* recorder.files.read(output, 1, 10);
      expect([range.recorder, range.data.length]).toEqual(["recording", 0]);
      process.kill(writer, "SIGCONT");
      yield* Effect.promise(() => waitFor("the byte", () => isIdle(recorder, 2)));
    }),
  );

  it.scopedLive("keeps the newest of a flood, within its bound", () =>
    Effect.gen(function* () {
      const recorder = yield* setting();
      const all = pattern(500_000);
      yield* write(recorder, all);
      yield* finish(recorder);
      const { data, from } = yield* kept(recorder);
      expect(from + data.length).toBe(all.length);
      expect(data.equals(all.subarray(from))).toBe(true);
      expect(data.length).toBeGreaterThanOrEqual(2 * BOUNDS.segmentBytes);
      expect(data.length).toBeLessThan(2 * 3 * BOUNDS.segmentBytes);
    }),
  );

  it.scopedLive("reads on when the disk is full, and says that it is broken", () =>
    Effect.gen(function* () {
      const recorder = yield* setting(BOUNDS, (directory) => {
        mkdirSync(directory, { recursive: true });
        symlinkSync("/dev/full", join(directory, "0"));
      });
      yield* write(recorder, pattern(500_000));
      yield* Effect.promise(() =>
        waitFor("the state", () => readdirSync(recorder.directory).includes("broken")),
      );
      rmSync(join(recorder.directory, "0"));
      const range = yield* recorder.files.read(output, 0, 10);
      expect([range.recorder, range.data.length]).toEqual(["broken", 0]);
      yield* write(recorder, pattern(500_000));
      expect(yield* finish(recorder)).toBe(0);
    }),
  );

  it.scopedLive("wakes a reader that waits as soon as there is more, without looking again", () =>
    Effect.gen(function* () {
      const recorder = yield* setting();
      yield* write(recorder, "a");
      yield* Effect.promise(() => waitFor("the byte", () => isIdle(recorder, 1)));
      const changed = yield* recorder.files.watch(output);
      yield* changed;
      const reading = Effect.repeat(Effect.zipRight(changed, recorder.files.read(output, 1, 10)), {
        until: ({ data }) => data.length > 0,
      });
      const reader = yield* Effect.fork(reading);
      yield* write(recorder, "b");
      expect((yield* Fiber.join(reader)).data).toEqual(Uint8Array.of(0x62));
    }),
  );

  it.scopedLive("is read without waiting also where a FIFO was put in the way", () =>
    Effect.gen(function* () {
      const recorder = yield* setting();
      yield* write(recorder, "x");
      yield* Effect.promise(() => waitFor("the byte", () => isIdle(recorder, 1)));
      execFileSync("mkfifo", [join(recorder.directory, "1")]);
      const blocked = yield* recorder.files.read(output, 1, 10);
      expect([blocked.from, blocked.data.length]).toEqual([1, 0]);
      rmSync(join(recorder.directory, "1"));
    }),
  );

  it.scopedLive("reads on when what it recorded is removed", () =>
    Effect.gen(function* () {
      const recorder = yield* setting();
      yield* write(recorder, "x");
      yield* Effect.promise(() => waitFor("the byte", () => isIdle(recorder, 1)));
      yield* recorder.files.remove(output.incarnation);
      yield* recorder.files.remove(output.incarnation);
      yield* write(recorder, pattern(500_000));
      expect(yield* finish(recorder)).toBe(0);
      expect((yield* recorder.files.read(output, 0, 10)).recorder).toBe("absent");
    }),
  );
});
