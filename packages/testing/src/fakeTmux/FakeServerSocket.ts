/**
 * FakeServerSocket: the port `ServerSocket` over the socket of a fake machine.
 *
 * Every server of the machine, and every client of one, was started for its one socket. Where
 * nobody may connect, nobody can see either what is there.
 */
import { LookupFailed, type ServerSocket } from "@troupe/core";
import { Effect } from "effect";
import type { Machine } from "./Machine.js";

/** The port. */
export const fakeServerSocket = (machine: Machine): ServerSocket["Type"] => ({
  isServedBy: (pid) =>
    Effect.sync(() =>
      machine.servers.some(
        ({ clients, process }) => process.pid === pid || clients.some((c) => c.pid === pid),
      ),
    ),
  makeRoom: Effect.suspend(() => {
    const { socket } = machine;
    if (socket._tag === "Denied") {
      return new LookupFailed({
        session: null,
        attempted: "make room for the socket",
        source: "files",
        reason: "permission",
        detail: "the socket cannot be looked at",
      });
    }
    if (socket._tag === "DirectoryMissing") machine.socket = { _tag: "Nothing" };
    return Effect.succeed(socket._tag !== "Listening");
  }),
});
