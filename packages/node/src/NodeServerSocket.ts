/**
 * NodeServerSocket: core's `ServerSocket` from the file system and /proc.
 *
 * Whether anybody listens at a socket is asked of the kernel by connecting to it, and by nothing
 * else: a connection that is closed at once changes nothing in a tmux server. What was refused for
 * any other reason is not known.
 */
import { promises as fs } from "node:fs";
import { connect } from "node:net";
import { LookupFailed, ServerSocket } from "@troupe/core";
import { socketProblem } from "@troupe/tmux";
import { Effect, Layer, Option } from "effect";

const failed = (
  source: LookupFailed["source"],
  reason: LookupFailed["reason"],
  detail: unknown,
): LookupFailed =>
  new LookupFailed({
    session: null,
    attempted: "listen again",
    source,
    reason,
    detail: String(detail),
  });

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Whether the command line names this socket as tmux is told it. */
const names = (commandLine: string, path: string): boolean => {
  const words = commandLine.split("\0");
  return words.some((word, at) => word === "-S" && words[at + 1] === path);
};

const isServedBy =
  (path: string) =>
  (pid: number): Effect.Effect<boolean, LookupFailed> =>
    Effect.tryPromise(() => fs.readFile(`/proc/${pid}/cmdline`, "utf8")).pipe(
      Effect.map((commandLine) => names(commandLine, path)),
      Effect.catchAll(({ error }) =>
        ["ENOENT", "ESRCH"].includes(codeOf(error))
          ? Effect.succeed(false)
          : failed("processes", "unclear", error),
      ),
    );

/** Whether nobody listens at the socket, as the kernel says. */
const isDeserted = (path: string): Effect.Effect<boolean, LookupFailed> =>
  Effect.async<boolean, LookupFailed>((resume) => {
    const client = connect(path);
    const end = (answer: Effect.Effect<boolean, LookupFailed>) => {
      client.destroy();
      resume(answer);
    };
    client.once("connect", () => end(Effect.succeed(false)));
    client.once("error", (error) => {
      const gone = ["ECONNREFUSED", "ENOENT"].includes(codeOf(error));
      end(gone ? Effect.succeed(true) : failed("files", "unclear", error));
    });
    return Effect.sync(() => client.destroy());
  });

/** Whether what stands at the path is a socket; `none` when nothing does. */
const isSocket = (path: string): Effect.Effect<Option.Option<boolean>, LookupFailed> =>
  Effect.tryPromise(() => fs.lstat(path)).pipe(
    Effect.map((stats) => Option.some(stats.isSocket())),
    Effect.catchAll(({ error }) =>
      codeOf(error) === "ENOENT" ? Effect.succeedNone : failed("files", "unclear", error),
    ),
  );

const makeRoom = Effect.fnUntraced(function* (path: string) {
  const socket = yield* isSocket(path);
  if (Option.contains(socket, false)) return false;
  const problem = socketProblem(path, { make: true });
  if (problem !== null) return yield* failed("files", "bad-socket", problem);
  return Option.isNone(socket) || (yield* isDeserted(path));
});

/** The socket at this absolute path. */
export const NodeServerSocket = {
  layer: (options: { readonly socket: string }): Layer.Layer<ServerSocket> =>
    Layer.succeed(ServerSocket, {
      isServedBy: isServedBy(options.socket),
      makeRoom: makeRoom(options.socket),
    }),
};
