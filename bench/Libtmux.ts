/**
 * Libtmux: what libtmux costs a Python program that makes and ends sessions.
 *
 * One interpreter that stays, so that its start does not count, and times itself. It is Debian's
 * python3-libtmux; where that is not installed there is nothing to compare with, which is said.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { Effect, type Scope } from "effect";

/** Debian's own, for which the package is made. */
const python = "/usr/bin/python3";

const program = `
import sys, time, libtmux
server = libtmux.Server(socket_path=sys.argv[1])
for line in sys.stdin:
    count = int(line)
    started = time.perf_counter()
    for i in range(count):
        name = f"l{i}"
        server.new_session(session_name=name, attach=False, start_directory="/", window_command="sleep 600")
        assert server.has_session(name)
        server.kill_session(name)
    print((time.perf_counter() - started) * 1000, flush=True)
`;

/** Whether it is installed. */
export const hasLibtmux = (): boolean =>
  spawnSync(python, ["-c", "import libtmux"], { stdio: "ignore" }).status === 0;

/** Milliseconds for so many sessions, one after the other, each made, looked for and ended. */
export type LibtmuxTurns = (count: number) => Effect.Effect<number>;

/** An interpreter on the server at the socket, which runs already, until the scope closes. */
export const libtmux = (socket: string): Effect.Effect<LibtmuxTurns, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        spawn(python, ["-c", program, socket], { stdio: ["pipe", "pipe", "inherit"] }),
      ),
      (child: ChildProcessByStdio<Writable, Readable, null>) =>
        Effect.sync(() => void child.kill()),
    ),
    ({ stdin, stdout }) => {
      const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
      return (count) =>
        Effect.promise(async () => {
          stdin.write(`${count}\n`);
          const { done, value } = await lines.next();
          if (done === true) throw new Error("libtmux ended");
          return Number(value);
        });
    },
  );
