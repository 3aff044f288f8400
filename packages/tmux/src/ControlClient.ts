/**
 * ControlClient: a client in control mode as a process of its own.
 *
 * It starts no server, inherits nothing of the caller's environment and is in a process group of
 * its own, like a client of `ProcessTransport`. tmux itself reads and writes its pipes, so the end
 * of what it says is their `close`, which a hung server never brings. It keeps no program alive:
 * who waits for an answer has a deadline, which does.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { type Stats, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { ControlChannel, ControlListener, OpenControl } from "./ControlConnection.js";
import { clientEnvironment, type ProcessTransportOptions } from "./ProcessTransport.js";
import { socketProblem } from "./SocketPath.js";

const look = (path: string): Stats | null => {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // What cannot be looked at is not known to be the same.
    return null;
  }
};

const begin = (options: ProcessTransportOptions, argv: ReadonlyArray<string>): ChildProcess => {
  const flags = ["-u", "-N", "-S", options.socket, "-f", "/dev/null", "-C"];
  return spawn(options.program, [...flags, ...argv], {
    cwd: "/",
    detached: true,
    env: clientEnvironment(options, null),
    stdio: ["pipe", "pipe", "ignore"],
  });
};

/** A pipe of a child is a socket, which its type does not say. */
const unref = (pipe: object | null): void => {
  if (pipe !== null && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
};

const watch = (child: ChildProcess, listener: ControlListener): (() => void) => {
  const decoder = new StringDecoder("utf8");
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    listener.ended();
  };
  child.stdout?.on("data", (chunk: Buffer) => {
    if (!isOver) listener.told(decoder.write(chunk));
  });
  child.on("error", over);
  child.on("exit", () => listener.left());
  child.on("close", over);
  // A client that ended breaks this pipe; its end is told by itself.
  child.stdin?.on("error", () => {});
  child.unref();
  unref(child.stdin);
  unref(child.stdout);
  return over;
};

const nobody: ControlChannel = { write: () => {}, isCurrent: () => false, end: () => {} };

/** Clients of the server at this socket. */
export const openControl =
  (options: ProcessTransportOptions): OpenControl =>
  (argv, listener) => {
    // Before the client connects: it may then be at an older server than this one, never a newer.
    const socket = look(options.socket);
    if (socket === null || socketProblem(options.socket, { make: false }) !== null) {
      listener.ended();
      return nobody;
    }
    let child: ChildProcess;
    try {
      child = begin(options, argv);
    } catch {
      // A path that is no path; the processes that are asked instead say so.
      listener.ended();
      return nobody;
    }
    const over = watch(child, listener);
    return {
      write: (text) => void child.stdin?.write(text),
      isCurrent: () => {
        const now = look(options.socket);
        return now !== null && now.dev === socket.dev && now.ino === socket.ino;
      },
      end: () => {
        child.kill("SIGKILL");
        child.stdin?.destroy();
        child.stdout?.destroy();
        over();
      },
    };
  };
