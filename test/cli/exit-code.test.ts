/**
 * The contract of failures: code, exit code, and the same object for each.
 */
import * as Core from "@troupe/core";
import { describe, expect, it } from "vitest";
import {
  CommandFailure,
  DoctorFindings,
  Internal,
  Interrupted,
  NotFound,
  Usage,
} from "../../examples/cli/src/CommandFailure.js";
import { envelope } from "../../examples/cli/src/Envelope.js";
import { exitRow, hintOf } from "../../examples/cli/src/ExitCode.js";
import { CapacityReached, LeaseHeld } from "../../examples/cli/src/LeaseFailure.js";
import type { LeaseInfo } from "../../examples/cli/src/LeaseResult.js";

const where = { session: "a", attempted: "delete" };
const ended = { program: "p", path: "/bin", code: 7, signal: null, output: "why" } as const;
const looked = { source: "tmux", reason: "timeout", detail: "no answer" } as const;

const lost = { lease: Core.LeaseId.make("l"), held: 1 };
const full = { active: 1, max: 1, oldestMs: 5 };
const holder: LeaseInfo = {
  session: Core.SessionName.make("a"),
  incarnation: Core.IncarnationId.make("incarnation"),
  lease: Core.LeaseId.make("l"),
  epoch: 1,
  owner: "owner",
  component: "sessions",
  actor: Core.ActorId.make("actor"),
  surface: "agent",
  pid: 7,
  host: null,
  bootId: null,
  children: [],
  turn: null,
  holder: "alive",
  acquiredAt: "2026-01-01T00:00:00.000Z",
};

const waited = { terminal: "main", condition: { text: "x" }, waitedMs: 1, screen: null };
const late = { ...waited, reason: "deadline", timeoutMs: 5, exit: null } as const;

const contract: ReadonlyArray<readonly [CommandFailure, string, number]> = [
  [new Internal({ detail: "x" }), "INTERNAL", 1],
  [new Usage({ command: "list", reason: "x" }), "USAGE", 2],
  [new Core.InvalidName(where), "INVALID_NAME", 2],
  [new Core.InvalidCwd({ ...where, cwd: "/x", reason: "missing" }), "INVALID_CWD", 2],
  [new Core.InvalidEnv({ ...where, variables: ["K"], reason: "x" }), "INVALID_ENV", 2],
  [new NotFound({ ...where, near: [] }), "NOT_FOUND", 3],
  [new Core.AlreadyExists({ ...where, state: "running" }), "ALREADY_EXISTS", 4],
  [new Core.ForeignSession({ ...where, sessionId: "$1" }), "FOREIGN_SESSION", 4],
  [new Core.LookupFailed({ ...where, ...looked }), "LOOKUP_FAILED", 5],
  [new Core.UnsupportedTmux({ ...where, version: "2.9" }), "UNSUPPORTED_TMUX", 5],
  [new Core.KillUnconfirmed({ ...where, detail: "x", after: null }), "KILL_UNCONFIRMED", 6],
  [new Core.ProcessesSurvived({ ...where, pids: [7], after: null }), "PROCESSES_SURVIVED", 6],
  [new Core.Busy({ ...where, holder: null, reason: "claimed" }), "BUSY", 7],
  [new Core.MailboxFull({ ...where, bound: 64 }), "MAILBOX_FULL", 7],
  [new Core.Closing(where), "CLOSING", 7],
  [new LeaseHeld({ ...where, holder, ageMs: 5 }), "LEASE_HELD", 7],
  [new Core.LeaseLost({ ...where, ...lost, current: 2 }), "LEASE_LOST", 7],
  [new CapacityReached({ ...where, ...full, holders: [holder] }), "CAPACITY_REACHED", 7],
  [new Core.RegistryUnavailable({ ...where, detail: "x" }), "REGISTRY_UNAVAILABLE", 8],
  [new Core.RegistryCorrupt({ ...where, detail: "x" }), "REGISTRY_CORRUPT", 8],
  [new Core.StartFailed({ ...where, ...ended, reason: "ended" }), "START_FAILED", 9],
  [new Core.TmuxRefused({ ...where, detail: "x" }), "TMUX_REFUSED", 9],
  [new Core.InvalidCondition({ ...where, reason: "x" }), "USAGE", 2],
  [new Core.WaitTimeout({ ...where, ...late }), "WAIT_TIMEOUT", 11],
  [new Core.Nested({ ...where, socket: "/s" }), "NESTED", 2],
  [new Core.SelfAttach({ ...where, why: "pane" }), "SELF_ATTACH", 2],
  [new DoctorFindings({ codes: ["tmux-missing"] }), "DOCTOR_FINDINGS", 12],
  [new Interrupted({ signal: "SIGINT" }), "INTERRUPTED", 130],
  [new Interrupted({ signal: "SIGTERM" }), "INTERRUPTED", 143],
];

const told = (failure: CommandFailure) => JSON.parse(envelope("delete", undefined, failure));

describe("a failure", () => {
  it.each(contract)("%s has the code %s and exits with %d", (failure, code, exit) => {
    expect(exitRow(failure)).toMatchObject({ code, exit });
    expect(told(failure)).toMatchObject({ ok: false, command: "delete", error: { code } });
  });

  it("is in this contract, whatever it is", () => {
    const covered = new Set(contract.map(([failure]) => failure._tag));
    const known = CommandFailure.members.map(({ _tag }) => _tag);
    expect(known.filter((tag) => !covered.has(tag))).toEqual(["DemoFailed"]);
  });

  it("tells its own fields as details, and null where there is none", () => {
    const { error } = told(new Core.KillUnconfirmed({ ...where, detail: "x", after: null }));
    const none = { terminal: null, after: null };
    expect(error.details).toEqual({ session: "a", attempted: "delete", detail: "x", ...none });
    expect(Object.keys(error)).toEqual(["code", "message", "hint", "retryable", "details"]);
  });

  it("has a hint of its own where the usual one would not help", () => {
    const busy = (reason: "claimed" | "windows") =>
      new Core.Busy({ ...where, holder: null, reason });
    expect(exitRow(busy("claimed"))).toMatchObject({ retryable: true });
    expect(exitRow(busy("windows"))).toMatchObject({ exit: 7, retryable: false });
    expect(hintOf(busy("windows"), [])).toContain("close the windows");
    const terminal = new NotFound({ ...where, terminal: "t2", near: [] });
    expect(exitRow(terminal)).toMatchObject({ code: "NOT_FOUND", exit: 3 });
    expect(hintOf(terminal, [])).toContain("troupe terminal list a");
    const env = { session: "a", variables: ["K"], reason: "x" };
    const adding = new Core.InvalidEnv({ ...env, attempted: "add a terminal" });
    expect(hintOf(adding, [])).toContain("--without-env");
    expect(hintOf(new Core.InvalidEnv({ ...env, attempted: "create" }), [])).toContain("--env");
    const held = new Core.AlreadyExists({ ...where, state: "lost" });
    expect(hintOf(held, [])).toContain("troupe restore a");
  });

  it("of the registry may be tried again only where a lock is in the way", () => {
    const of = (reason: "locked" | "full" | "newer" | "unusable") => {
      const failure = new Core.RegistryUnavailable({ ...where, detail: "x", reason });
      return [exitRow(failure).retryable, hintOf(failure, [])] as const;
    };
    expect(of("locked")).toEqual([true, expect.stringContaining("troupe doctor shows which")]);
    expect(of("full")).toEqual([false, expect.stringContaining("free room on the disk")]);
    expect(of("newer")).toEqual([false, expect.stringContaining("use the troupe that wrote it")]);
    expect(of("unusable")).toEqual([false, expect.stringContaining("looks for the cause")]);
    expect(of("full")[1]).not.toContain("troupe gc");
  });

  it("says in its hint which home it is about, so that a command can be copied", () => {
    const looked = new NotFound({ ...where, near: ["b"] });
    expect(hintOf(looked, ["--home", "/a b"])).toBe(
      "did you mean b? troupe list --all --home '/a b' shows what there is",
    );
  });

  it("names the holder of a lease, whichever way it is about one", () => {
    const held = told(new LeaseHeld({ ...where, holder, ageMs: 5_000 }));
    expect(held.error.details.holder).toMatchObject({ pid: 7, holder: "alive" });
    expect(held.error.message).toBe("session a is leased to process 7 (alive) for agent since 5s");
    const taken = new Core.LeaseLost({ ...where, ...lost, current: 2, holder: "process 7" });
    expect(told(taken).error.message).toContain("now at epoch 2, of process 7");
    const none = told(new CapacityReached({ ...where, ...full, holders: [holder] })).error;
    expect(none.message).toContain("1 of 1 are held: a by process 7 (alive)");
  });

  it("may stand beside a result", () => {
    const line = envelope("list", { sessions: [] }, new NotFound({ ...where, near: [] }));
    expect(JSON.parse(line)).toMatchObject({ ok: false, result: { sessions: [] } });
    expect(line.endsWith("}\n")).toBe(true);
  });
});
