/**
 * KeyFile: the caller's key bindings, from a file with nothing else in it.
 *
 * It is read once and checked here; what is given to tmux is the text that was checked and not the
 * file. A line that binds no key is named.
 */
import { readFile } from "node:fs/promises";
import { Effect } from "effect";

/** The text of the file; fails with a sentence about it. */
export const readKeyFile = (path: string): Effect.Effect<string, string> =>
  Effect.gen(function* () {
    const { keyBindingFault } = yield* Effect.promise(() => import("@troupe/tmux"));
    const text = yield* Effect.tryPromise({
      try: (signal) => readFile(path, { encoding: "utf8", signal }),
      catch: (error) => (error instanceof Error ? error.message : String(error)),
    });
    const fault = keyBindingFault(text);
    return fault === null ? text : yield* Effect.fail(fault);
  });
