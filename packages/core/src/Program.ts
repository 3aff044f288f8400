/**
 * Program: finding the directory and the program of a terminal before anything is done.
 *
 * tmux silently starts in another directory when the one it was given is missing, and reports
 * success for a program that does not exist; so both are looked up here first, as the shell's
 * `exec` would find them. Nothing is started.
 */
import { Effect } from "effect";
import type { Checked } from "./Environment.js";
import { Host, type ProgramVerdict } from "./Host.js";
import { InvalidCwd, StartFailed } from "./SessionError.js";

/** Checks that a program can start in this directory. */
export const checkDirectory = Effect.fnUntraced(function* (checked: Checked, cwd: string) {
  const host = yield* Host;
  const refuse = (reason: string) => new InvalidCwd({ ...checked, cwd, reason });
  if (!cwd.startsWith("/")) return yield* refuse("not an absolute path");
  if (cwd.includes("\0")) return yield* refuse("a path cannot hold a NUL");
  const verdict = yield* host.directory(cwd);
  if (verdict !== "ok") return yield* refuse(verdict.replaceAll("-", " "));
});

const candidates = (program: string, cwd: string, path: string): ReadonlyArray<string> => {
  if (program.startsWith("/")) return [program];
  if (program.includes("/")) return [`${cwd}/${program}`];
  return path.split(":").map((directory) => {
    if (directory.startsWith("/")) return `${directory}/${program}`;
    return `${cwd}/${directory === "" ? "." : directory}/${program}`;
  });
};

/**
 * Checks that the program is there; `StartFailed` names the PATH that was searched, and says when
 * there is something of the name that cannot be executed.
 */
export const checkProgram = Effect.fnUntraced(function* (
  checked: Checked,
  command: ReadonlyArray<string>,
  cwd: string,
  path: string,
) {
  const host = yield* Host;
  const [program = ""] = command;
  const readable = program !== "" && !command.some((word) => word.includes("\0"));
  let found: Exclude<ProgramVerdict, "ok"> = "missing";
  for (const candidate of readable ? candidates(program, cwd, path) : []) {
    const verdict = yield* host.program(candidate);
    if (verdict === "ok") return;
    if (found === "missing") found = verdict;
  }
  return yield* new StartFailed({
    ...checked,
    program,
    path,
    code: null,
    signal: null,
    output: null,
    reason: found === "missing" ? "not-found" : found,
  });
});
