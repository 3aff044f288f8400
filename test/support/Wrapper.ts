/**
 * Wrapper: a shell script that stands in for tmux, to do to one call what only the world can do.
 *
 * In it `$REAL` is tmux and `$STAGE` the directory of the test. Not a fake: what it does not hold
 * up goes to the real tmux. A list is known by a command in its text, never by its place among the
 * calls.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { quoted } from "./Place.js";

/** The tmux of this machine, as an absolute path. */
export const realTmux = (): string =>
  execFileSync("sh", ["-c", "command -v tmux"], { encoding: "utf8" }).trim();

/** Writes the script into the directory; its path. */
export const writeWrapper = (directory: string, name: string, script: string): string => {
  const path = join(directory, name);
  const head = `#!/bin/sh\nREAL=${realTmux()}\nSTAGE=${quoted(directory)}\n`;
  writeFileSync(path, `${head}${script}\n`, { mode: 0o755 });
  return path;
};

/** A script that runs these lines before a list with the command goes in; the list is `$LIST`. */
export const beforeList = (command: string, lines: string): string => `case "$*" in
  *source-file*) ;;
  *) exec $REAL "$@" ;;
esac
LIST="$STAGE/list.$$"
cat > "$LIST"
exec < "$LIST"
if grep -qF -e '${command}' "$LIST"; then
${lines}
fi
exec $REAL "$@"`;
