/**
 * NodeOutputFiles: core's `OutputFiles` in the directory `output` of a home.
 *
 * It reads what the recorder of `@troupe/tmux` writes: segments, each named for the sequence of its
 * first byte. The ring goes on while it is read: a segment that went between the listing and the
 * read is a reason to list again. Plain files alone are opened, so no read can wait for a writer.
 */
import { constants, promises as fs } from "node:fs";
import { join } from "node:path";
import {
  IncarnationId,
  LookupFailed,
  OutputFiles,
  type OutputLeft,
  type OutputRange,
  type RecorderState,
  type TerminalOutput,
} from "@troupe/core";
import { BROKEN, RECORDING, segmentStart } from "@troupe/tmux";
import { Context, Effect, Layer, Schema } from "effect";
import { watchDirectory } from "./DirectoryWatch.js";
import { isGone, waitsForMore } from "./RecorderProcess.js";
import { realHome } from "./TmuxLocation.js";

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/** What the promise gives, or `null` when its file is not there. */
const unlessMissing = <A>(found: Promise<A>): Promise<A | null> =>
  found.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });

/** What the recorder does; before the segments are looked at, so that `idle` holds for them. */
const recorderOf = async (directory: string): Promise<RecorderState> => {
  const running = () => unlessMissing(fs.readFile(join(directory, RECORDING), "utf8"));
  const pid = await running();
  if (pid !== null) {
    if (await waitsForMore(pid)) return "idle";
    if (!(await isGone(pid, directory))) return "recording";
    // One that ended by itself removed the file first.
    if ((await running()) === pid) return "broken";
  }
  const names = await unlessMissing(fs.readdir(directory));
  if (names === null) return "absent";
  // It may have begun, and even have broken off, behind the first look.
  if (names.includes(RECORDING)) return "recording";
  if (names.includes(BROKEN)) return "broken";
  return names.some((name) => segmentStart(name) !== null) ? "ended" : "absent";
};

const startsIn = (names: ReadonlyArray<string>): ReadonlyArray<number> =>
  names.flatMap((name) => segmentStart(name) ?? []).sort((a, b) => a - b);

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Bytes of one segment from an offset on; `null` when it has gone. */
const bytesOf = async (path: string, offset: number, most: number): Promise<Uint8Array | null> => {
  const file = await unlessMissing(fs.open(path, FLAGS));
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile()) return new Uint8Array();
    // No more room than there are bytes: who reads may keep it, and mostly reads a little.
    const room = Math.max(0, Math.min(most, found.size - offset));
    const { buffer, bytesRead } = await file.read(new Uint8Array(room), 0, room, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** The bytes from a sequence on; the next that there are, where those are not kept any more. */
const bytesFrom = async (
  directory: string,
  from: number,
  most: number,
): Promise<Pick<OutputRange, "data" | "from">> => {
  for (;;) {
    const starts = startsIn((await unlessMissing(fs.readdir(directory))) ?? []);
    const start = starts.findLast((each) => each <= from);
    const later = starts.find((each) => each > from) ?? null;
    if (start !== undefined) {
      const data = await bytesOf(join(directory, String(start)), from - start, most);
      if (data === null) continue;
      if (data.length > 0 || later === null) return { from, data };
    }
    if (later === null) return { from, data: new Uint8Array() };
    const data = await bytesOf(join(directory, String(later)), 0, most);
    if (data !== null) return { from: later, data };
  }
};

/** Waited for, also by who is interrupted: what is left to itself has a file open still. */
const tried = <A>(attempted: string, work: () => Promise<A>): Effect.Effect<A, LookupFailed> =>
  Effect.tryPromise({
    try: work,
    catch: (error) =>
      new LookupFailed({
        session: null,
        attempted,
        source: "files",
        reason: "unclear",
        detail: String(error),
      }),
  }).pipe(Effect.uninterruptible);

const isIncarnation = Schema.is(IncarnationId);

/** When anything of the incarnation was last written. */
const writtenAt = async (directory: string): Promise<number> => {
  const names = (await unlessMissing(fs.readdir(directory, { recursive: true }))) ?? [];
  const found = await Promise.all(
    ["", ...names].map((name) => unlessMissing(fs.lstat(join(directory, name)))),
  );
  return Math.max(0, ...found.map((each) => Math.floor(each?.mtimeMs ?? 0)));
};

const leftIn = async (top: string): Promise<ReadonlyArray<OutputLeft>> => {
  const names = ((await unlessMissing(fs.readdir(top))) ?? []).filter(isIncarnation).sort();
  const one = async (incarnation: IncarnationId): Promise<OutputLeft> => ({
    incarnation,
    at: await writtenAt(join(top, incarnation)),
  });
  return await Promise.all(names.map(one));
};

const make = (top: string): OutputFiles["Type"] => {
  const place = ({ incarnation, terminal }: TerminalOutput) => join(top, incarnation, terminal);
  return {
    place,
    read: (output, from, most) =>
      tried("read output", async () => {
        const directory = place(output);
        const recorder = await recorderOf(directory);
        return { ...(await bytesFrom(directory, from, most)), recorder };
      }),
    watch: (output) => watchDirectory(place(output)),
    left: tried("list output", () => leftIn(top)),
    remove: (incarnation) =>
      tried("remove output", () => fs.rm(join(top, incarnation), { recursive: true, force: true })),
  };
};

const context = ({ home }: { readonly home: string }) =>
  Context.make(OutputFiles, make(join(realHome(home), "output")));

/** What is recorded in this home, by the path that it has when this is made. */
export const NodeOutputFiles = {
  /** The port at once, for a program that makes no layers. */
  context,
  /** The port over `<home>/output`. */
  layer: (options: { readonly home: string }): Layer.Layer<OutputFiles> =>
    Layer.effectContext(Effect.sync(() => context(options))),
};
