/**
 * Every code that doctor can find, from a patient that is well but for one thing.
 *
 * What no test can bring about on a real machine is among it: a file system of another machine, a
 * full disk, a service's cgroup, another pid namespace.
 */
import {
  IncarnationId,
  LookupFailed,
  type ProcessEntry,
  RegistryUnavailable,
  SessionName,
  type SessionRecord,
} from "@troupe/core";
import { Either } from "effect";
import { describe, expect, it } from "vitest";
import { findings } from "../../examples/cli/src/doctor/Checks.js";
import {
  type FindingCode,
  findingCodes,
  severities,
} from "../../examples/cli/src/doctor/Finding.js";
import type { Machine, Place } from "../../examples/cli/src/doctor/Machine.js";
import type { Patient } from "../../examples/cli/src/doctor/Patient.js";

const boot = "b00t.1";
const server = { pid: 7, startTime: 100 };
const process = { pid: 7, startTime: 5, bootId: boot };
const answering = { _tag: "Server", server, version: "3.3a", sessions: [] } as const;
const mark = { incarnation: IncarnationId.make("11111111-2222"), home: "mine", generation: 1 };
const room = { type: 0xef53, bytes: 1e12, files: 1e6, filesBound: 1e7 };
const lookupFailed = (reason: LookupFailed["reason"]) =>
  new LookupFailed({ session: null, attempted: "look", source: "tmux", reason, detail: "why" });
const failed = (reason: LookupFailed["reason"]) => Either.left(lookupFailed(reason));
const saying = (stdout: string) => Either.right({ exitCode: 0, stdout, stderr: "" });
const entry: ProcessEntry = {
  id: process,
  parent: 1,
  processSession: 7,
  program: "tmux: server",
  tmuxServer: true,
  catchesTerm: true,
};

const row = (state: SessionRecord["state"], more: Partial<SessionRecord> = {}): SessionRecord => ({
  session: SessionName.make("a"),
  generation: 1,
  incarnation: mark.incarnation,
  state,
  cause: null,
  spec: {
    command: ["x"],
    cwd: "/",
    envNames: [],
    inheritEnv: false,
    log: true,
    columns: 80,
    rows: 24,
  },
  server,
  sessionId: "$0",
  createdAt: 0,
  updatedAt: 0,
  terminals: [],
  processes: [],
  claim: { owner: null, epoch: 1, holder: "none", fenceDue: false },
  ...more,
});

const left = (what: string) =>
  Either.right([{ what, why: "its program is dead", removable: true }]);
const unlooked = Either.left(
  new RegistryUnavailable({ session: null, attempted: "look for leftovers", detail: "EACCES" }),
);

/** What process 7 works on; it is alive, whatever else it is. */
const held = row("deleting", {
  claim: { owner: `host,${boot},7,5,nonce`, epoch: 2, holder: "alive", fenceDue: false },
});

const rows = (...records: ReadonlyArray<SessionRecord>) => ({ records, unreadable: [] });

const well: Patient = {
  home: "/h",
  mark: "mine",
  socket: "/h/tmux.sock",
  socketGiven: false,
  tmux: "/usr/bin/tmux",
  now: 1e12,
  version: saying("tmux 3.3a\n"),
  listing: Either.right(answering),
  processes: Either.right([entry]),
  bootId: Either.right(boot),
  serving: [],
  servingUnseen: null,
  registry: { state: "sound", detail: null, schema: 2, knownSchema: 2, locked: false },
  leftovers: Either.right([]),
  outputs: [],
  marked: new Map(),
  servers: [{ server, process, version: "3.3a" }],
  known: new Map(),
  rows: rows(),
  plan: Either.right([]),
  troupe: (...words) => ["troupe", ...words],
};

const directory: Place = { kind: "directory", mode: 0o700, uid: 1000, changedAt: 0 };
const plain: Place = { kind: "file", mode: 0o600, uid: 1000, changedAt: 0 };
const places: Readonly<Record<string, Place>> = {
  "/h": directory,
  "/h/tmux.sock": { kind: "socket", mode: 0o600, uid: 1000, changedAt: 0 },
  "/h/registry.db": plain,
};

const healthy: Machine = {
  uid: 1000,
  place: (path) => places[path] ?? null,
  names: () => [],
  text: (path) => (path.endsWith("/stat") ? "7 (tmux: server) S 1" : null),
  may: () => true,
  room: () => room,
  lockers: () => ({ pids: [], proven: false }),
  marks: () => new Map(),
};

const inHome = (path: string) => (path === "/h" ? ["x"] : []);

const nobody = Either.right({ _tag: "NoServer", detail: "" } as const);

/** A machine on which something else stands at a path. */
const placed = (path: string, place: Place): Partial<Machine> => ({
  place: (at) => (at === path ? place : (places[at] ?? null)),
});

const reading = (file: string, text: string): Partial<Machine> => ({
  text: (path) => (path.endsWith(file) ? text : healthy.text(path)),
});

const cases: ReadonlyArray<
  readonly [code: FindingCode, patient: Partial<Patient>, machine: Partial<Machine>]
> = [
  ["tmux-missing", { version: failed("missing-program") }, {}],
  ["tmux-broken", { version: failed("timeout") }, {}],
  ["tmux-broken", { version: saying("hello\n") }, {}],
  ["tmux-unsupported", { version: saying("tmux 3.1c\n"), listing: nobody, servers: [] }, {}],
  ["server-version-skew", { version: saying("tmux 3.5a\n") }, {}],
  ["server-stopped", { listing: failed("timeout") }, reading("/stat", "7 (tmux: server) T 1")],
  ["server-unanswering", { listing: failed("timeout") }, {}],
  ["server-unanswering", { listing: failed("version-skew") }, {}],
  ["server-split", { listing: nobody }, {}],
  [
    "server-second",
    { listing: Either.right({ ...answering, server: { pid: 8, startTime: 1 } }) },
    {},
  ],
  [
    "server-out-of-sight",
    { servers: [{ server, process: { ...process, bootId: "b00t.2" }, version: "3.3a" }] },
    {},
  ],
  ["server-in-service-cgroup", {}, reading("/cgroup", "0::/system.slice/cron.service\n")],
  ["socket-too-long", { socket: `/${"x".repeat(107)}`, socketGiven: true }, {}],
  ["socket-elsewhere", { socket: "/tmp/troupe-1000/0123" }, {}],
  ["socket-obstructed", {}, placed("/h/tmux.sock", plain)],
  ["socket-not-permitted", { listing: failed("permission") }, {}],
  ["home-obstructed", {}, placed("/h", plain)],
  ["home-not-permitted", {}, { may: (path) => path !== "/h" }],
  ["home-of-another", {}, placed("/h", { ...directory, uid: 2 })],
  ["home-open", {}, placed("/h", { ...directory, mode: 0o755 })],
  ["home-files-open", {}, { names: inHome, ...placed("/h/x", { ...plain, mode: 0o640 }) }],
  ["home-on-network", {}, { room: () => ({ ...room, type: 0x6969 }) }],
  ["home-on-network", {}, { room: () => ({ ...room, type: 0xff534d42 - 2 ** 32 }) }],
  ["home-passing", {}, { room: () => ({ ...room, type: 0x01021994 }) }],
  ["disk-full", {}, { room: () => ({ ...room, bytes: 1000 }) }],
  ["disk-full", {}, { room: () => ({ ...room, files: 0 }) }],
  ["disk-low", {}, { room: () => ({ ...room, bytes: 2e6 }) }],
  ["registry-unavailable", { registry: { ...well.registry, state: "unavailable" } }, {}],
  [
    "registry-obstructed",
    { registry: { ...well.registry, state: "unavailable" } },
    placed("/h/registry.db", directory),
  ],
  ["registry-locked", { registry: { ...well.registry, locked: true } }, {}],
  [
    "registry-locked",
    { registry: { ...well.registry, state: "unavailable", locked: true } },
    { lockers: () => ({ pids: [7], proven: true }) },
  ],
  ["registry-read-only", {}, { may: (path) => path !== "/h/registry.db" }],
  ["registry-newer", { registry: { ...well.registry, state: "newer" } }, {}],
  ["registry-older", { registry: { ...well.registry, schema: 1 } }, {}],
  ["registry-damaged", { registry: { ...well.registry, state: "damaged" } }, {}],
  [
    "registry-damaged",
    { rows: { records: [], unreadable: [{ session: "a", detail: "why" }] } },
    {},
  ],
  ["rows-unfinished", { rows: rows(row("deleting")) }, {}],
  ["claim-stopped", { rows: rows(held) }, reading("/7/stat", "7 (node) T 1")],
  ["sessions-lost", { rows: rows(row("lost")) }, {}],
  ["server-unanswering", { plan: failed("timeout") }, {}],
  ["processes-unseen", { processes: failed("permission") }, {}],
  ["processes-unseen", { bootId: failed("permission") }, {}],
  ["processes-unseen", { servingUnseen: lookupFailed("permission") }, {}],
  ["files-orphaned", { outputs: ["33333333-4444"] }, {}],
  ["files-orphaned", { leftovers: left("directory new-abc") }, {}],
  ["locks-left", { leftovers: left("lock of host,boot,1,2,x") }, {}],
  ["locks-unseen", { leftovers: unlooked }, {}],
  ["clock-behind", { rows: rows(row("running", { updatedAt: 2e12 })) }, {}],
  [
    "processes-left",
    { marked: new Map([["x", [9]]]), known: new Map([["x", row("deleted")]]) },
    {},
  ],
];

const session = { sessionId: "$0", name: "a", mark, terminals: [] };
const theirs = { ...session, name: "b", mark: null };
const change = { session: SessionName.make("a"), generation: 1, changed: true, why: "why" };

const more: ReadonlyArray<readonly [FindingCode, Partial<Patient>]> = [
  [
    "registry-lost",
    {
      registry: { ...well.registry, state: "missing" },
      listing: Either.right({ ...answering, sessions: [session] }),
    },
  ],
  ["sessions-foreign", { listing: Either.right({ ...answering, sessions: [theirs] }) }],
  [
    "rows-differ",
    {
      plan: Either.right([
        { session: "a", outcome: Either.right({ ...change, before: "running", after: "lost" }) },
      ]),
    },
  ],
];

/** A tmux server that was started in a session, and what runs in it. */
const sheltered: Partial<Patient> = {
  processes: Either.right([
    entry,
    { ...entry, id: { ...process, pid: 20 } },
    { ...entry, id: { ...process, pid: 21 }, parent: 20, tmuxServer: false },
  ]),
  marked: new Map([["x", [20, 21]]]),
  known: new Map([["x", row("deleted")]]),
};

const codesOf = (patient: Partial<Patient>, machine: Partial<Machine>) =>
  findings({ ...well, ...patient }, { ...healthy, ...machine }).map(({ code }) => code);

const all = [...cases, ...more.map(([code, patient]) => [code, patient, {}] as const)];

describe("a check", () => {
  it("finds nothing where all is well", () => {
    expect(codesOf({}, {})).toEqual([]);
  });

  it.each(all)("finds %s, and nothing else", (code, patient, machine) => {
    expect(codesOf(patient, machine)).toEqual([code]);
  });

  it("names who keeps the registry locked, and how one that is stopped goes on", () => {
    const registry = { ...well.registry, locked: true };
    const who = (text: string, pids: ReadonlyArray<number>, proven = true) => {
      const machine = { ...healthy, lockers: () => ({ pids, proven }), text: () => text };
      return findings({ ...well, registry }, machine).find((f) => f.code === "registry-locked");
    };
    expect(who("", [])?.cause).toContain("cannot be seen from here");
    expect(who("node\n", [31])).toMatchObject({ mend: null });
    expect(who("node\n", [31])?.cause).toContain("process 31 (node), so that");
    expect(who("31 (node) T 1", [31])).toMatchObject({ mend: "kill -CONT 31" });
    expect(who("node\n", [31], false)?.cause).toContain("one that has it open: process 31 (node)");
  });

  it("takes a program that works, or is another of that pid, for none that is stopped", () => {
    expect(codesOf({ rows: rows(held) }, {})).toEqual([]);
    const reused = { ...held, claim: { ...held.claim, owner: `host,${boot},7,6,nonce` } };
    expect(codesOf({ rows: rows(reused) }, reading("/7/stat", "7 (node) T 1"))).toEqual([]);
  });

  it("takes no tmux server for left over, nor what runs in it", () => {
    expect(codesOf(sheltered, {})).toEqual([]);
  });

  it("is there for every code, and every code has a severity that doctor tells", () => {
    // The directory of a socket that is not safe is looked at by the library, on a real machine.
    const tested = new Set<string>([...all.map(([code]) => code), "socket-unsafe"]);
    expect([...tested].sort()).toEqual([...findingCodes].sort());
    expect(new Set(Object.values(severities))).toEqual(new Set(["error", "warning", "note"]));
  });
});
