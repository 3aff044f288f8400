/**
 * NodeServerSocket: core's `ServerSocket` from the file system and /proc.
 *
 * Whether anybody listens at a socket is asked of the kernel by connecting to it, and by nothing
 * else: a connection that is closed at once changes nothing in a tmux server. What was refused for
 * any other reason is not known.
 */
import { promises as fs } from "node:fs";
import { connect } from "node:net";
import { basename, dirname, isAbsolute } from "node:path";
import { LookupFailed, ServerSocket } from "@troupe/core";
import { socketProblem } from "@troupe/tmux";
import { Context, Effect, Layer, Option } from "effect";
import { socketNamed } from "./SocketNamed.js";

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

/** Which directory this is, however it is reached; `null` where nothing is. */
const placeOf = (directory: string): Promise<string | null> =>
  fs.stat(directory).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    (error: unknown) => {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    },
  );

/**
 * Whether their path leads the process to the directory that ours leads us to: in a container it
 * may not, and through links another one may. As much of ours as is there is compared; where theirs
 * cannot be seen, as it is written.
 */
const leadsThere = async (pid: number, theirs: string, ours: string): Promise<boolean> => {
  const place = await placeOf(ours);
  if (place !== null) {
    const found = placeOf(`/proc/${pid}/root${theirs}`);
    return found.then((other) => other === place).catch(() => theirs === ours);
  }
  const same = basename(theirs) === basename(ours);
  return same && leadsThere(pid, dirname(theirs), dirname(ours));
};

const isServer = async (pid: number, path: string): Promise<boolean> => {
  const socket = socketNamed((await fs.readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0"));
  if (socket === null || !isAbsolute(socket) || basename(socket) !== basename(path)) return false;
  return leadsThere(pid, dirname(socket), dirname(path));
};

const isServedBy =
  (path: string) =>
  (pid: number): Effect.Effect<boolean, LookupFailed> =>
    Effect.tryPromise(() => isServer(pid, path)).pipe(
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

const context = ({ socket }: { readonly socket: string }) =>
  Context.make(ServerSocket, { isServedBy: isServedBy(socket), makeRoom: makeRoom(socket) });

/** The socket at this absolute path. */
export const NodeServerSocket = {
  /** The port at once, for a program that makes no layers. */
  context,
  /** The port over that path. */
  layer: (options: { readonly socket: string }): Layer.Layer<ServerSocket> =>
    Layer.succeedContext(context(options)),
};
