/**
 * GivenFile: the text of a file that the caller names, whole.
 *
 * A pipe or a terminal counts as a file, and is waited for: node does that in a thread that nothing
 * can end, so it is read as a stream here, and an interruption is not held up. What is no UTF-8
 * would arrive changed, and is refused. What is in the file is in no error.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { Socket } from "node:net";
import { isatty, ReadStream } from "node:tty";
import { Effect } from "effect";

const reasonOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "cannot be read";

/** What comes from a pipe or a terminal, to its end, or to where it is more than so many bytes. */
const readStream = (stream: Socket | ReadStream, most: number): Effect.Effect<Uint8Array, string> =>
  Effect.async<Uint8Array, string>((resume) => {
    const chunks: Array<Buffer> = [];
    let size = 0;
    const end = () => resume(Effect.succeed(Buffer.concat(chunks)));
    stream.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) end();
    });
    stream.on("end", end);
    stream.on("error", (error) => resume(Effect.fail(reasonOf(error))));
  }).pipe(Effect.ensuring(Effect.sync(() => void stream.destroy())));

/** What is there now, to its end, or to where it is more than so many bytes. */
const readNow = (descriptor: number, most: number): Uint8Array => {
  const bytes = new Uint8Array(most + 1);
  let size = 0;
  for (let read = -1; read !== 0 && size <= most; size += read) {
    read = readSync(descriptor, bytes, size, bytes.length - size, null);
  }
  return bytes.subarray(0, size);
};

/** The bytes of what is open; closes it. */
const readOpen = (descriptor: number, most: number): Effect.Effect<Uint8Array, string> =>
  Effect.suspend(() => {
    if (isatty(descriptor)) return readStream(new ReadStream(descriptor), most);
    const found = fstatSync(descriptor);
    if (found.isFIFO()) return readStream(new Socket({ fd: descriptor }), most);
    const now = Effect.try({ try: () => readNow(descriptor, most), catch: reasonOf });
    return Effect.ensuring(
      found.isDirectory() ? Effect.fail("is a directory") : now,
      Effect.sync(() => closeSync(descriptor)),
    );
  });

/** The text; fails with a sentence about the file. More than `most` bytes are refused. */
export const readGivenFile = (path: string, most: number): Effect.Effect<string, string> =>
  Effect.gen(function* () {
    const descriptor = yield* Effect.try({
      try: () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
      catch: reasonOf,
    });
    const bytes = yield* readOpen(descriptor, most);
    if (bytes.length > most) return yield* Effect.fail(`has more than ${most} bytes`);
    return yield* Effect.try({
      try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      catch: () => "is not UTF-8",
    });
  });
