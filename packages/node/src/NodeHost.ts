/**
 * NodeHost: core's `Host` from this process and its file system.
 *
 * The environment is read once, when the layer is made. Whether a directory can be entered and a
 * file executed is asked of the kernel for the user that we run as, not computed from modes. What
 * the kernel does not answer clearly is `LookupFailed`.
 */
import { access, constants, stat } from "node:fs";
import { promisify } from "node:util";
import { type DirectoryVerdict, Host, LookupFailed, type ProgramVerdict } from "@troupe/core";
import { Context, Effect, Layer } from "effect";
import { undecodableIn } from "./Undecodable.js";

// Not node's own promises, which are a part of it that most calls of a command do without.
const statOf = promisify(stat);
const accessOf = promisify(access);

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

const unclear = (path: string, error: unknown): LookupFailed =>
  new LookupFailed({
    session: null,
    attempted: `look at ${path}`,
    source: "files",
    reason: "unclear",
    detail: String(error),
  });

const verdicts: Readonly<Record<string, DirectoryVerdict>> = {
  ENOENT: "missing",
  ELOOP: "missing",
  ENAMETOOLONG: "missing",
  ENOTDIR: "not-a-directory",
  EACCES: "not-permitted",
  EPERM: "not-permitted",
};

const directory = (path: string): Effect.Effect<DirectoryVerdict, LookupFailed> =>
  Effect.tryPromise(async (): Promise<DirectoryVerdict> => {
    if (!(await statOf(path)).isDirectory()) return "not-a-directory";
    await accessOf(path, constants.X_OK);
    return "ok";
  }).pipe(
    Effect.catchAll(({ error }) => {
      const verdict = verdicts[codeOf(error)];
      return verdict === undefined ? unclear(path, error) : Effect.succeed(verdict);
    }),
  );

/** Answers that say "no program here"; anything else is not known. */
const notThere = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"]);

const program = (path: string): Effect.Effect<ProgramVerdict, LookupFailed> =>
  Effect.tryPromise(async (): Promise<ProgramVerdict> => {
    if (!(await statOf(path)).isFile()) return "not-a-file";
    const refused = await accessOf(path, constants.X_OK).then(() => null, codeOf);
    if (refused === null) return "ok";
    return notThere.has(refused) ? "not-permitted" : Promise.reject(new Error(refused));
  }).pipe(
    Effect.catchAll(({ error }) =>
      notThere.has(codeOf(error)) ? Effect.succeed("missing" as const) : unclear(path, error),
    ),
  );

const present = (variables: NodeJS.ProcessEnv): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );

const context = () =>
  Context.make(Host, {
    environment: present(process.env),
    undecodable: undecodableIn([], process.env, "").variables,
    cwd: Effect.try({ try: () => process.cwd(), catch: (error) => unclear("here", error) }),
    directory,
    program,
  });

/** This process as the creator, with the environment that it has when this is made. */
export const NodeHost = {
  /** The port at once, for a program that makes no layers. */
  context,
  /** The port as a layer. */
  layer: Layer.effectContext(Effect.sync(context)),
};
