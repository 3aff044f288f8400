/**
 * AttachList: the words of a client that is run, and what is believed of the list of clients.
 */
import { IncarnationId } from "@troupe/core";
import { attachArgv, readClients } from "@troupe/tmux";
import { Either } from "effect";
import { describe, expect, it } from "vitest";

const server = { pid: 7, startTime: 100 };
const place = { program: "/usr/bin/tmux", socket: "/h/s" };
const request = {
  server,
  sessionId: "$3",
  incarnation: IncarnationId.make("11111111-2222"),
  client: null,
  readOnly: false,
  nested: null,
};
const asked = { session: "a", attempted: "attach" };

const clientsOf = (stdout: string, stderr = "", exitCode = 0) =>
  Either.map(readClients(asked, server, { exitCode, stdout, stderr }), (clients) =>
    clients.map(({ name, readOnly }) => `${name}${readOnly ? " r" : ""}`),
  );

describe("the argv", () => {
  it("starts no server, and does nothing but fail elsewhere", () => {
    expect(attachArgv(place, request)).toEqual([
      ...["/usr/bin/tmux", "-N", "-S", "/h/s", "if-shell", "-F", "-t", "$3"],
      "#{&&:#{==:#{pid}/#{start_time},7/100},#{==:#{session_id}/#{@troupe-inc},$3/11111111-2222}}",
      "attach-session -E -t $3",
      'has-session -t "\\$"',
    ]);
  });

  it("switches the client that is named, and turns read-only on and never off", () => {
    const argvOf = (readOnly: boolean, now: boolean) =>
      attachArgv(place, { ...request, readOnly, client: { name: "/dev/pts/1", readOnly: now } });
    expect(argvOf(false, true).at(-2)).toBe('switch-client -E -c "/dev/pts/1" -t $3');
    expect(argvOf(true, true).at(-2)).toBe('switch-client -E -c "/dev/pts/1" -t $3');
    expect(argvOf(true, false).at(-2)).toBe('switch-client -E -r -c "/dev/pts/1" -t $3');
  });
});

describe("the list of clients", () => {
  it("has the one used last first", () => {
    const rows = "T1 7 100 3.3a\nC 5 0 /dev/pts/1\nC 9 1 /dev/pts/2\nEND\n";
    expect(clientsOf(rows)).toEqual(Either.right(["/dev/pts/2 r", "/dev/pts/1"]));
  });

  it("is empty where this server has no such session, or another one answers", () => {
    const absent = "can't find session: $3\n";
    expect(clientsOf("T1 7 100 3.3a\n", absent, 1)).toEqual(Either.right([]));
    expect(clientsOf("T1 8 1 3.3a\nC 5 0 x\nEND\n")).toEqual(Either.right([]));
  });

  it("is never taken for empty where the answer is not whole", () => {
    for (const text of [
      "T1 7 100 3.3a\n",
      "T1 7 100 3.3a\nC 5 0 x\n",
      "T1 7 100 3.3a\nC\nEND\n",
      "",
    ]) {
      expect([text, Either.isLeft(clientsOf(text))]).toEqual([text, true]);
    }
  });
});
