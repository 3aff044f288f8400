/**
 * What doctor makes of several tmux servers that were started for one socket: which is the one to
 * keep, and commands that come to it in the end, whoever answers and whatever is recorded.
 */
import { Either } from "effect";
import { describe, expect, it } from "vitest";
import type { Machine, Place } from "../../examples/cli/src/doctor/Machine.js";
import { otherServers } from "../../examples/cli/src/doctor/OtherServers.js";
import type { Patient } from "../../examples/cli/src/doctor/Patient.js";

const bootId = "b00t.1";
const socket = "/h/s";
const idOf = (pid: number) => ({ pid, startTime: pid, bootId });
const serverOf = (pid: number) => ({ pid, startTime: 1_000 + pid });
const place: Place = { kind: "socket", mode: 0o600, uid: 0, changedAt: 0 };

interface Case {
  readonly living: ReadonlyArray<number>;
  readonly recorded?: ReadonlyArray<number>;
  readonly answers?: number;
  /** In which server the row of each session is. */
  readonly rows?: Readonly<Record<string, number>>;
  readonly sockets?: ReadonlyArray<string>;
  readonly registry?: string;
}

/** What is found, and the commands. */
const told = ({ answers, living, recorded = [], registry = "sound", rows, sockets }: Case) => {
  const patient = {
    socket,
    mark: "mine",
    tmux: "/usr/bin/tmux",
    bootId: Either.right(bootId),
    processes: Either.right(living.map((pid) => ({ id: idOf(pid), tmuxServer: true }))),
    serving: living,
    servers: recorded.map((pid) => ({ server: serverOf(pid), process: idOf(pid) })),
    registry: { state: registry },
    listing: Either.right(
      answers === undefined
        ? { _tag: "NoServer", detail: "" }
        : { _tag: "Server", server: serverOf(answers), version: "3", sessions: [] },
    ),
    rows: {
      records: Object.entries(rows ?? {}).map(([session, pid]) => ({
        ...{ session, state: "running", server: serverOf(pid) },
      })),
    },
    troupe: (...words: ReadonlyArray<string>) => ["troupe", ...words],
  };
  const machine = {
    place: (path: string) => (path === "/h" || sockets?.includes(path) ? place : null),
  };
  const found = otherServers(patient as unknown as Patient, machine as unknown as Machine);
  return found.map(({ code, mend }) => `${code}: ${mend}`);
};

describe("servers of one socket", () => {
  it.each<readonly [string, Case, ReadonlyArray<string>]>([
    ["one that answers is none", { living: [7], recorded: [7], answers: 7 }, []],
    ["one that does not is told to", { living: [7] }, ["server-split: troupe reconcile"]],
    [
      "one that does not, with a damaged registry",
      { living: [7], registry: "damaged" },
      ["server-split: troupe reconcile --rebuild"],
    ],
    [
      "one that does not, with a registry that nobody can read",
      { living: [7], registry: "newer" },
      ["server-split: kill -USR1 7"],
    ],
    [
      "of two that do not the one with our sessions is to answer",
      { living: [7, 8], recorded: [7, 8], rows: { a: 8 } },
      ["server-split: kill -USR1 8"],
    ],
    [
      "of two that do not the one whose socket was moved is given it back",
      { living: [7, 8], recorded: [7, 8], sockets: ["/h/s.7"] },
      ["server-split: mv /h/s.7 /h/s"],
    ],
    [
      "one that answers in the place of ours is moved aside",
      { living: [7, 8], recorded: [7], answers: 8, rows: { a: 7 } },
      ["server-second: mv /h/s /h/s.8 && kill -USR1 7"],
    ],
    [
      "and so where both are recorded and have a session each",
      { living: [7, 8], recorded: [8, 7], answers: 8, rows: { a: 7, z: 8 } },
      ["server-second: mv /h/s /h/s.8 && kill -USR1 7"],
    ],
    [
      "and then it ends where it can be reached",
      { living: [7, 8], recorded: [8, 7], answers: 7, rows: { a: 7, z: 8 }, sockets: ["/h/s.8"] },
      ["server-second: /usr/bin/tmux -S /h/s.8 kill-server"],
    ],
    [
      "but not before anybody could look into it",
      { living: [7, 8], recorded: [8, 7], answers: 7, rows: { a: 7 } },
      ["server-second: mv /h/s /h/s.7 && kill -USR1 8"],
    ],
    [
      "behind which ours is given its place back",
      { living: [7, 8], recorded: [8, 7], answers: 8, rows: { a: 7 }, sockets: ["/h/s.7"] },
      ["server-second: mv /h/s /h/s.8 && mv /h/s.7 /h/s"],
    ],
    [
      "ours is not ended where more of our sessions are in it than in the one that answers",
      { living: [7, 8], recorded: [8, 7], answers: 7, rows: { a: 7, b: 8, c: 8 } },
      ["server-second: mv /h/s /h/s.7 && kill -USR1 8"],
    ],
  ])("%s", (_, given, expected) => {
    expect(told(given)).toEqual(expected);
  });
});
