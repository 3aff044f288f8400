/**
 * Victims: who is ended with a session and who never is, from a table of processes.
 *
 * The real modules are asked through a delete on the fake: what it names as killed are the victims
 * that did not go by themselves.
 */
import { describe, expect, it } from "@effect/vitest";
import type { ProcessEntry, SessionRecord } from "@troupe/core";
import { Effect } from "effect";
import { candidates } from "../../packages/core/src/Victims.js";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const setting = Effect.gen(function* () {
  const home = yield* fakeHome();
  const made = yield* pass(home.sessions.create({ session: "a", ...sleep }));
  const pane = made.terminals[0]?.panePid ?? 0;
  const mark = { TROUPE_INCARNATION: made.incarnation };
  return { ...home, made, pane, mark };
});

const killed = (home: Effect.Effect.Success<typeof setting>) =>
  Effect.map(pass(home.sessions.delete("a")), (result) => result.killed);

describe("the processes that end with a session", () => {
  it.scoped("are descendants of its pane, however deep, and marked ones that left it", () =>
    Effect.gen(function* () {
      const home = yield* setting;
      const child = yield* home.tmux.spawn({ parent: home.pane, program: "child" });
      const grandchild = yield* home.tmux.spawn({ parent: child, program: "grandchild" });
      const daemon = yield* home.tmux.spawn({ parent: 1, program: "d", environment: home.mark });
      const below = yield* home.tmux.spawn({ parent: daemon, program: "below" });
      expect(yield* killed(home)).toEqual([child, grandchild, daemon, below]);
    }),
  );

  it.scoped("are not those of another session, of nobody, or with another mark", () =>
    Effect.gen(function* () {
      const home = yield* setting;
      yield* pass(home.sessions.create({ session: "b", ...sleep }));
      const environment = { TROUPE_INCARNATION: `${home.made.incarnation}-x` };
      const others = [
        yield* home.tmux.spawn({ parent: 1, program: "stranger" }),
        yield* home.tmux.spawn({ parent: 1, program: "marked", environment }),
      ];
      expect(yield* killed(home)).toEqual([]);
      const living = (yield* home.tmux.processes).filter((p) => p.state === "running");
      expect(living.map((p) => p.pid)).toEqual(expect.arrayContaining(others));
      expect((yield* home.sessions.get("b")).seen.state).toBe("present");
    }),
  );

  it.scoped(
    "are neither a tmux server of the user's own nor what lives below it, marked or not",
    () =>
      Effect.gen(function* () {
        const home = yield* setting;
        const environment = home.mark;
        const program = "tmux: server";
        const daemon = yield* home.tmux.spawn({ parent: 1, program, environment });
        const inPane = yield* home.tmux.spawn({ parent: home.pane, program, environment });
        const below = [
          yield* home.tmux.spawn({ parent: daemon, program: "shell", environment }),
          yield* home.tmux.spawn({ parent: inPane, program: "shell", environment }),
        ];
        expect(yield* killed(home)).toEqual([]);
        const living = (yield* home.tmux.processes).filter((p) => p.state === "running");
        expect(living.map((p) => p.pid)).toEqual(
          expect.arrayContaining([daemon, inPane, ...below]),
        );
      }),
  );

  it.scoped("are never the program that asks, nor what it started", () =>
    Effect.gen(function* () {
      const home = yield* setting;
      const own = { parent: 100, program: "child of ours", environment: home.mark };
      const child = yield* home.tmux.spawn(own);
      expect(yield* killed(home)).toEqual([]);
      const living = (yield* home.tmux.processes).filter((p) => p.state === "running");
      expect(living.map((p) => p.pid)).toContain(child);
    }),
  );

  it.scoped("are not those to whom the kernel gave a pid again", () =>
    Effect.gen(function* () {
      const home = yield* setting;
      const stranger = yield* home.tmux.spawn({ parent: 1, program: "stranger" });
      const record = yield* home.record("a");
      const bootId = record.processes[0]?.bootId ?? "";
      const reused = { pid: stranger, startTime: -1, bootId, terminal: null };
      home.store.records.set(record.incarnation, { ...record, processes: [reused] });
      yield* killed(home);
      const living = (yield* home.tmux.processes).filter((p) => p.state === "running");
      expect(living.map((p) => p.pid)).toContain(stranger);
    }),
  );
});

describe("those that may carry the mark of a session", () => {
  const bootId = "boot";
  const entry = (pid: number, startTime: number, tmuxServer = false): ProcessEntry => ({
    ...{ id: { pid, startTime, bootId }, parent: 1, processSession: pid, program: "x", tmuxServer },
    catchesTerm: false,
  });
  const table = (...entries: ReadonlyArray<ProcessEntry>) =>
    new Map(entries.map((one) => [one.id.pid, one]));
  const recordedAt = (startTime: number, boot = bootId) => {
    const processes = [{ pid: 70, startTime, bootId: boot, terminal: null }];
    return { server: { pid: 7, startTime: 1 }, processes } as unknown as SessionRecord;
  };
  const all = table(entry(1, 0), entry(5, 199), entry(7, 200, true), entry(8, 200), entry(9, 300));

  it("are no older than its server", () => {
    expect(candidates(recordedAt(200), all, bootId)).toEqual([7, 8, 9]);
    expect(candidates(recordedAt(250), all, bootId)).toEqual([7, 8, 9]);
  });

  it("are all, where the server is not shown to be the one that made it", () => {
    const any = [1, 5, 7, 8, 9];
    // A server of that pid which is younger than what was recorded.
    expect(candidates(recordedAt(199), all, bootId)).toEqual(any);
    expect(candidates(recordedAt(250, "another boot"), all, bootId)).toEqual(any);
    const nothing = { ...recordedAt(250), processes: [] };
    expect(candidates(nothing, all, bootId)).toEqual(any);
    expect(candidates({ ...recordedAt(250), server: null }, all, bootId)).toEqual(any);
    const gone = table(entry(1, 0), entry(7, 200), entry(9, 300));
    expect(candidates(recordedAt(250), gone, bootId)).toEqual([1, 7, 9]);
  });
});
