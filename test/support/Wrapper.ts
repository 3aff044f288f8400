/**
 * Wrapper: a shell script that stands in for tmux, to do to one call what only the world can do.
 *
 * In it `$REAL` is tmux and `$STAGE` the directory of the test. Not a fake: what it does not hold
 * up goes to the real tmux.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The tmux of this machine, as an absolute path. */
export const realTmux = (): string =>
  execFileSync("sh", ["-c", "command -v tmux"], { encoding: "utf8" }).trim();

/** Writes the script into the directory; its path. */
export const writeWrapper = (directory: string, name: string, script: string): string => {
  const path = join(directory, name);
  const head = `#!/bin/sh\nREAL=${realTmux()}\nSTAGE=${directory}\n`;
  writeFileSync(path, `${head}${script}\n`, { mode: 0o755 });
  return path;
};
