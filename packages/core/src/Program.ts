/**
 * Program: finding the directory and the program of a terminal before anything is done.
 *
 * tmux silently starts in another directory when the one it was given is missing, and reports
 * success for a program that does not exist; so both are looked up here first, as the shell's
 * `exec` would find them. Nothing is started.
 */
import { Effect } from "effect";
import { bytesOf, type Checked, TOTAL_BYTES, VARIABLE_BYTES } from "./Environment.js";
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

/**
 * The time in which tmux reads a list grows with its words times its bytes, and it answers nobody
 * else meanwhile (measured on 3.3a: 2 000 words of 117 KB 0.6 s, 7 000 of 109 KB 1.6 s); with
 * 10 000 words its parser overflows.
 */
const WORDS = 2_000;

const isTooLong = (command: ReadonlyArray<string>): boolean => {
  const sizes = command.map((word) => bytesOf(word) + 1);
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  return command.length > WORDS || Math.max(...sizes) > VARIABLE_BYTES || total > TOTAL_BYTES;
};

const candidates = (program: string, cwd: string, path: string): ReadonlyArray<string> => {
  if (program.startsWith("/")) return [program];
  if (program.includes("/")) return [`${cwd}/${program}`];
  return path.split(":").map((directory) => {
    if (directory.startsWith("/")) return `${directory}/${program}`;
    return `${cwd}/${directory === "" ? "." : directory}/${program}`;
  });
};

/**
 * Checks that the program is there and can be given its words; `StartFailed` names the PATH that
 * was searched, and says when there is something of the name that cannot be executed.
 */
export const checkProgram = Effect.fnUntraced(function* (
  checked: Checked,
  command: ReadonlyArray<string>,
  cwd: string,
  path: string,
) {
  const host = yield* Host;
  const [program = ""] = command;
  const failed = { ...checked, program, path, code: null, signal: null, output: null };
  if (isTooLong(command)) return yield* new StartFailed({ ...failed, reason: "too-long" });
  const readable = program !== "" && !command.some((word) => word.includes("\0"));
  let found: Exclude<ProgramVerdict, "ok"> = "missing";
  for (const candidate of readable ? candidates(program, cwd, path) : []) {
    const verdict = yield* host.program(candidate);
    if (verdict === "ok") return;
    if (found === "missing") found = verdict;
  }
  return yield* new StartFailed({ ...failed, reason: found === "missing" ? "not-found" : found });
});
