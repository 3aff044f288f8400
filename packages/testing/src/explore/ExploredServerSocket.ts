/**
 * ExploredServerSocket: a server's socket with a scheduling point before every look at it.
 */
import type { ServerSocket } from "@troupe/core";
import { exploredPort, subjectOf } from "./ExploredPort.js";

/** The same socket, with points. */
export const exploredServerSocket = (socket: ServerSocket["Type"]): ServerSocket["Type"] =>
  exploredPort(socket, (method, args) => `socket.${method}${subjectOf(args)}`);
