/**
 * FileSnapshots: core's `Snapshots` as files below the home: one JSON file for each terminal.
 *
 * `<home>/snapshots/NAME/GENERATION-TERMINAL.json`, 0600 in directories 0700. A file is written
 * beside its place and renamed, so a reader sees it whole or not at all; at once, as the registry
 * of the same home is: a turn of node's threads for each step takes longer than all of them.
 * Listing reads names and times, not files, and makes nothing.
 */
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type KeptSnapshot,
  LookupFailed,
  SessionName,
  Snapshot,
  Snapshots,
  type SnapshotsLeft,
  TerminalId,
} from "@troupe/core";
import { Context, Effect, Layer, Schema } from "effect";

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

const failed = (session: string | null, attempted: string) => (error: unknown) =>
  new LookupFailed({
    session,
    attempted,
    source: "files",
    reason: ["EACCES", "EPERM", "EROFS"].includes(codeOf(error)) ? "permission" : "unclear",
    detail: String(error),
  });

/** Makes the directory and its missing parents, each 0700 at once, whatever the umask. */
const makePrivate = (directory: string): void => {
  try {
    mkdirSync(directory, { mode: 0o700 });
    chmodSync(directory, 0o700);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT") throw error;
    makePrivate(dirname(directory));
    makePrivate(directory);
  }
};

let written = 0;

const write = (place: string, text: string): void => {
  makePrivate(dirname(place));
  // Of its own for each: an overtaken delete of this program may be writing the same one.
  written += 1;
  const beside = `${place}.${process.pid}.${written}.new`;
  try {
    writeFileSync(beside, text, { encoding: "utf8", mode: 0o600 });
    chmodSync(beside, 0o600);
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
};

const isSessionName = Schema.is(SessionName);

const FILE = /^([0-9]+)-([A-Za-z0-9-]{1,64})\.json$/;

/** What the promise gives, or `absent` when nothing is there. */
const unlessMissing = <A, B>(found: Promise<A>, absent: B): Promise<A | B> =>
  found.catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return absent;
    throw error;
  });

const keptIn = async (directory: string, name: string): Promise<ReadonlyArray<KeptSnapshot>> => {
  const match = FILE.exec(name);
  if (match === null) return [];
  const place = join(directory, name);
  const found = await unlessMissing(stat(place), null);
  if (found === null) return [];
  const terminal = TerminalId.make(match[2] ?? "");
  return [{ generation: Number(match[1]), terminal, place, at: Math.floor(found.mtimeMs) }];
};

const list = async (directory: string): Promise<ReadonlyArray<KeptSnapshot>> => {
  const names: ReadonlyArray<string> = await unlessMissing(readdir(directory), []);
  return (await Promise.all(names.map((name) => keptIn(directory, name))))
    .flat()
    .sort((a, b) => a.generation - b.generation || a.terminal.localeCompare(b.terminal));
};

const decode = Schema.decodeSync(Schema.parseJson(Snapshot));

/** The snapshot in the file. What is in it and is none fails. */
const read = async (place: string): Promise<Snapshot | null> => {
  const text = await unlessMissing(readFile(place, "utf8"), null);
  return text === null ? null : decode(text);
};

/** Also one that was being written when its program was killed. */
const isOf = (generation: number) => (name: string) =>
  name.startsWith(`${generation}-`) && /\.json(\.[0-9]+\.[0-9]+\.new)?$/.test(name);

const generationsIn = async (top: string, session: SessionName) => {
  const directory = join(top, session);
  const newest = new Map<number, number>();
  for (const name of await unlessMissing(readdir(directory), [])) {
    const generation = Number(/^([0-9]+)-/.exec(name)?.[1] ?? Number.NaN);
    if (!isOf(generation)(name)) continue;
    const found = await unlessMissing(stat(join(directory, name)), null);
    const at = Math.floor(found?.mtimeMs ?? 0);
    newest.set(generation, Math.max(at, newest.get(generation) ?? 0));
  }
  return [...newest].map(([generation, at]): SnapshotsLeft => ({ session, generation, at }));
};

const left = async (top: string): Promise<ReadonlyArray<SnapshotsLeft>> => {
  const found: ReadonlyArray<string> = await unlessMissing(readdir(top), []);
  const names = found.filter(isSessionName).sort();
  return (await Promise.all(names.map((session) => generationsIn(top, session)))).flat();
};

const remove = async (directory: string, generation: number): Promise<void> => {
  const names = await unlessMissing(readdir(directory), []);
  const gone = names.filter(isOf(generation));
  await Promise.all(gone.map((name) => rm(join(directory, name), { force: true })));
  await rmdir(directory).catch((error: unknown) => {
    // Another generation has something in it, or there was never anything.
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(codeOf(error))) throw error;
  });
};

const context = (options: { readonly home: string }) => {
  const directoryOf = (session: SessionName) => join(options.home, "snapshots", session);
  const placeOf = ({
    generation,
    session,
    terminal,
  }: Pick<Snapshot, "generation" | "session" | "terminal">) =>
    join(directoryOf(session), `${generation}-${terminal}.json`);
  return Context.make(Snapshots, {
    keep: (snapshot) =>
      Effect.try({
        try: () => write(placeOf(snapshot), `${JSON.stringify(snapshot, null, 2)}\n`),
        catch: failed(snapshot.session, "keep a snapshot"),
      }),
    list: (session) =>
      Effect.tryPromise({
        try: () => list(directoryOf(session)),
        catch: failed(session, "list snapshots"),
      }),
    read: (session, generation, terminal) =>
      Effect.tryPromise({
        try: () => read(placeOf({ session, generation, terminal })),
        catch: failed(session, "read a snapshot"),
      }),
    left: Effect.tryPromise({
      try: () => left(join(options.home, "snapshots")),
      catch: failed(null, "list snapshots"),
    }),
    remove: (session, generation) =>
      Effect.tryPromise({
        try: () => remove(directoryOf(session), generation),
        catch: failed(session, "remove snapshots"),
      }),
  });
};

/** Snapshots of this home; the path is absolute. */
export const FileSnapshots = {
  /** The port at once, for a program that makes no layers. */
  context,
  /** The port over `<home>/snapshots`; nothing is made before one is kept. */
  layer: (options: { readonly home: string }): Layer.Layer<Snapshots> =>
    Layer.succeedContext(context(options)),
};
