/**
 * FileSnapshots: core's `Snapshots` as files below the home: one JSON file for each terminal.
 *
 * `<home>/snapshots/NAME/GENERATION-TERMINAL.json`, 0600 in directories 0700. A file is written
 * beside its place and renamed, so a reader sees it whole or not at all. Listing reads names, not
 * files, and makes nothing.
 */
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type KeptSnapshot,
  LookupFailed,
  type SessionName,
  type Snapshot,
  Snapshots,
  TerminalId,
} from "@troupe/core";
import { Effect, Layer } from "effect";

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

const failed = (session: string, attempted: string) => (error: unknown) =>
  new LookupFailed({
    session,
    attempted,
    source: "files",
    reason: ["EACCES", "EPERM", "EROFS"].includes(codeOf(error)) ? "permission" : "unclear",
    detail: String(error),
  });

/** Makes the directory and its missing parents, each 0700 at once, whatever the umask. */
const makePrivate = async (directory: string): Promise<void> => {
  try {
    await mkdir(directory, { mode: 0o700 });
    await chmod(directory, 0o700);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT") throw error;
    await makePrivate(dirname(directory));
    await makePrivate(directory);
  }
};

let written = 0;

const write = async (place: string, text: string): Promise<void> => {
  await makePrivate(dirname(place));
  // Of its own for each: an overtaken delete of this program may be writing the same one.
  written += 1;
  const beside = `${place}.${process.pid}.${written}.new`;
  try {
    await writeFile(beside, text, { encoding: "utf8", mode: 0o600 });
    await chmod(beside, 0o600);
    await rename(beside, place);
  } finally {
    // Not there any more when it was renamed.
    await rm(beside, { force: true });
  }
};

const FILE = /^([0-9]+)-([A-Za-z0-9-]{1,64})\.json$/;

const list = async (directory: string): Promise<ReadonlyArray<KeptSnapshot>> => {
  const names = await readdir(directory).catch((error) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const match = FILE.exec(name);
      if (match === null) return [];
      const terminal = TerminalId.make(match[2] ?? "");
      return [{ generation: Number(match[1]), terminal, place: join(directory, name) }];
    })
    .sort((a, b) => a.generation - b.generation || a.terminal.localeCompare(b.terminal));
};

/** Snapshots of this home; the path is absolute. */
export const FileSnapshots = {
  layer: (options: { readonly home: string }): Layer.Layer<Snapshots> => {
    const directoryOf = (session: SessionName) => join(options.home, "snapshots", session);
    const placeOf = ({ generation, session, terminal }: Snapshot) =>
      join(directoryOf(session), `${generation}-${terminal}.json`);
    return Layer.succeed(Snapshots, {
      keep: (snapshot) =>
        Effect.tryPromise({
          try: () => write(placeOf(snapshot), `${JSON.stringify(snapshot, null, 2)}\n`),
          catch: failed(snapshot.session, "keep a snapshot"),
        }),
      list: (session) =>
        Effect.tryPromise({
          try: () => list(directoryOf(session)),
          catch: failed(session, "list snapshots"),
        }),
    });
  },
};
