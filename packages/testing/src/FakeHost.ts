/**
 * FakeHost: core's `Host` on a machine that is only said to be there.
 *
 * Every absolute directory exists and every program is found, but for those that are named as
 * missing. Not a file system: nothing can be made or changed in it.
 */
import { Host, type ProgramVerdict } from "@troupe/core";
import { Effect, Layer } from "effect";

/** What is different from the machine on which everything is there. */
export interface FakeHostOptions {
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Variables of it whose values are no UTF-8. */
  readonly undecodable?: Iterable<string> | undefined;
  readonly cwd?: string | undefined;
  readonly missingDirectories?: Iterable<string> | undefined;
  /** Paths at which there is nothing. */
  readonly missingPrograms?: Iterable<string> | undefined;
  /** Paths at which there is something else than a program. */
  readonly noPrograms?: Readonly<Record<string, ProgramVerdict>> | undefined;
}

const ENVIRONMENT = { PATH: "/bin", HOME: "/home/tester", SHELL: "/bin/sh", LANG: "C.UTF-8" };

/** A machine on which everything is there but what the options say. */
export const FakeHost = {
  /** The port; an environment that is given is the whole of it. */
  layer: (options: FakeHostOptions = {}): Layer.Layer<Host> => {
    const directories = new Set(options.missingDirectories ?? []);
    const programs = new Set(options.missingPrograms ?? []);
    return Layer.succeed(Host, {
      environment: new Map(Object.entries(options.environment ?? ENVIRONMENT)),
      undecodable: new Set(options.undecodable),
      cwd: Effect.succeed(options.cwd ?? "/home/tester"),
      directory: (path) => Effect.succeed(directories.has(path) ? "missing" : "ok"),
      program: (path) =>
        Effect.succeed(programs.has(path) ? "missing" : (options.noPrograms?.[path] ?? "ok")),
    });
  },
};
