/**
 * OutputContract: what any `OutputFiles` must tell of panes that tmux records: named effects, run
 * on the fakes and on a real tmux with real files.
 *
 * Each begins on a machine on which no server of ours runs. It dies with what did not hold; no test
 * framework is inside.
 */
import {
  type CreateSession,
  IncarnationId,
  OutputFiles,
  type OutputRange,
  SessionName,
  type Target,
  TerminalId,
  Tmux,
} from "@troupe/core";
import { Effect } from "effect";
import { same } from "./RegistryContractCheck.js";

/** One thing that must hold. */
export interface OutputCase {
  readonly name: string;
  /** Fails, or dies, where it does not hold. */
  readonly holds: Effect.Effect<void, unknown, Tmux | OutputFiles>;
}

const session = SessionName.make("contract");
const incarnation = IncarnationId.make("contract-0001");
const terminal = TerminalId.make("main");
const output = { incarnation, terminal };

const MOST = 1 << 20;

/** The ring of the cases: what it keeps of a longer output differs by at most a segment's size. */
const SEGMENT_BYTES = 4096;
const SEGMENTS = 2;

/** A session whose pane is recorded, unless it is not to be. */
const created = (script: string, recorded = true) =>
  Effect.gen(function* () {
    const tmux = yield* Tmux;
    const files = yield* OutputFiles;
    const { server } = yield* tmux.boot("contract");
    const command = ["sh", "-c", script];
    const ring = { segmentBytes: SEGMENT_BYTES, segments: SEGMENTS };
    const request: CreateSession = {
      session,
      epoch: 1,
      server,
      mark: { incarnation, home: "contract", generation: 1 },
      terminal,
      spec: {
        command,
        cwd: "/",
        envNames: [],
        inheritEnv: false,
        log: recorded,
        columns: 80,
        rows: 24,
      },
      recording: recorded ? { directory: files.place(output), ...ring } : null,
      base: new Map([["PATH", "/usr/bin:/bin"]]),
      environment: new Map(),
    };
    const made = yield* tmux.create(request);
    if (made._tag !== "Created") return yield* Effect.dieMessage(`create: ${made._tag}`);
    const { sessionId } = made.session;
    const target: Target = { session, epoch: 1, server, sessionId, incarnation };
    return { tmux, files, target };
  });

const textOf = ({ data }: OutputRange): string => new TextDecoder().decode(data);

/** Reads until what is read is so, a bounded number of times; the last range. */
const until = (from: number, isSo: (range: OutputRange) => boolean) =>
  Effect.flatMap(OutputFiles, (files) =>
    Effect.repeat(files.read(output, from, MOST), { until: isSo, times: 5_000 }),
  );

const named = (name: string, holds: OutputCase["holds"]): OutputCase => ({ name, holds });

/** The cases. */
export const outputContract: ReadonlyArray<OutputCase> = [
  named(
    "what a pane printed is there from its first byte, in parts of any size, and no more than that",
    Effect.gen(function* () {
      const { files } = yield* created("echo one; echo two; exec sleep 600");
      const whole = yield* until(0, (it) => textOf(it).includes("two\r\n"));
      yield* same("whole", [whole.from, textOf(whole)], [0, "one\r\ntwo\r\n"]);
      const part = yield* files.read(output, 2, 4);
      yield* same("part", [part.from, textOf(part)], [2, "e\r\nt"]);
      const end = yield* files.read(output, 10, MOST);
      yield* same("end", [end.from, textOf(end)], [10, ""]);
      const later = yield* files.read(output, 99, MOST);
      yield* same("later", [later.from, textOf(later)], [99, ""]);
    }),
  ),
  named(
    "a recorder that has recorded all is idle, and behind its session it has ended",
    Effect.gen(function* () {
      const { files, target, tmux } = yield* created("echo one; exec sleep 600");
      const idle = yield* until(0, (it) => it.recorder === "idle" && textOf(it) !== "");
      yield* same("idle", textOf(idle), "one\r\n");
      yield* same("kill", (yield* tmux.kill(target))._tag, "Gone");
      const ended = yield* until(0, (it) => it.recorder === "ended");
      yield* same("ended", [ended.recorder, textOf(ended)], ["ended", "one\r\n"]);
      yield* same("stays", textOf(yield* files.read(output, 3, MOST)), "\r\n");
    }),
  ),
  named(
    "of a long output the newest is kept, and reading begins there",
    Effect.gen(function* () {
      const lines = 800;
      const text = `${"x".repeat(70)}\n`.repeat(lines);
      const total = text.length + lines;
      yield* created(`echo '${text.trimEnd()}'; exec sleep 600`);
      const end = yield* until(total - 1, (it) => it.data.length > 0 && it.recorder === "idle");
      yield* same("end", textOf(end), "\n");
      const kept = yield* until(0, () => true);
      yield* same("gap", kept.from > total - 2 * SEGMENTS * SEGMENT_BYTES, true);
      yield* same("kept", kept.from <= total - (SEGMENTS - 1) * SEGMENT_BYTES, true);
      const missing = yield* until(kept.from - 1, () => true);
      yield* same("before", missing.from, kept.from);
    }),
  ),
  named(
    "of a pane that is not recorded there is nothing, nor of one that never was, and none is made",
    Effect.gen(function* () {
      const { files } = yield* created("echo one; exec sleep 600", false);
      const nothing = yield* until(0, () => true);
      yield* same("nothing", [nothing.recorder, textOf(nothing)], ["absent", ""]);
      yield* files.remove(incarnation);
    }),
  ),
  named(
    "what is removed is not there any more, and removing it again is no failure",
    Effect.gen(function* () {
      const { files, target, tmux } = yield* created("echo one; exec sleep 600");
      yield* until(0, (it) => textOf(it) !== "");
      yield* tmux.kill(target);
      yield* until(0, (it) => it.recorder === "ended");
      yield* files.remove(incarnation);
      yield* files.remove(incarnation);
      const gone = yield* files.read(output, 0, MOST);
      yield* same("gone", [gone.recorder, gone.data.length], ["absent", 0]);
    }),
  ),
];
