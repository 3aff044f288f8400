/**
 * KeyFile: the caller's key bindings, from a file with nothing else in it.
 *
 * It is read once and checked here; what is given to tmux is the text that was checked and not the
 * file. A line that binds no key is named.
 */
import { Effect } from "effect";
import { readGivenFile } from "./GivenFile.js";

/** The most bytes that bindings may have. */
const BYTES = 1024 * 1024;

/** The text of the file; fails with a sentence about it. */
export const readKeyFile = (path: string): Effect.Effect<string, string> =>
  Effect.gen(function* () {
    const { keyBindingFault } = yield* Effect.promise(() => import("@troupe/tmux"));
    const text = yield* readGivenFile(path, BYTES);
    const fault = keyBindingFault(text);
    return fault === null ? text : yield* Effect.fail(fault);
  });
