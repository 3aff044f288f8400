/**
 * What runs in the panes of the fake tmux: programs on virtual time, their processes, and how
 * signals, kills and exits show in tmux and in the table of processes.
 */
import { describe, expect, it } from "@effect/vitest";
import { type IncarnationId, MARK_VARIABLE, ProcessTable } from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { Effect, TestClock } from "effect";
import { boot, printed, screen, start, state, tmux } from "./fake-tmux-asking.js";

const programs = {
  agent: FakeTmux.program((run) => {
    run.write("ready\n");
    run.onSignal("TERM", () => run.after(500, () => run.exit(0)));
  }),
  stubborn: FakeTmux.program((run) => {
    run.onSignal("HUP", "ignore");
    run.onSignal("TERM", "ignore");
  }),
  daemon: FakeTmux.program((run) => {
    run.spawn(
      (middle) => {
        middle.spawn((child) => child.onSignal("TERM", "ignore"), { detached: true });
        middle.exit(0);
      },
      { detached: false },
    );
    run.exit(0);
  }),
  editor: FakeTmux.program((run) => {
    run.raw();
    run.write("\u001b[?2004h");
    run.onInput((text) => run.write(`<${text.replaceAll("\u001b", "^")}>`));
  }),
};

const machine = FakeTmux.layer({ programs, missingPrograms: ["nonesuch", "nosuch"] });

const pidOf = (started: string): number => Number(started.split(" ")[2]);

const look = (pid: number) => Effect.flatMap(ProcessTable, (table) => table.look(pid));

describe("a program in a pane", () => {
  it.effect("ends in its own time, and leaves a dead pane with its code", () =>
    Effect.gen(function* () {
      yield* boot;
      const pid = pidOf(yield* start("a", "sh", "-c", "echo hi; sleep 5; exit 7"));
      expect(yield* state("a")).toBe("0  \n");
      expect(yield* screen("a")).toBe("hi");
      yield* TestClock.adjust("4999 millis");
      expect(yield* state("a")).toBe("0  \n");
      yield* TestClock.adjust("1 millis");
      expect(yield* state("a")).toBe("1 7 \n");
      expect(yield* look(pid)).toBeNull();
    }).pipe(Effect.provide(machine)),
  );

  it.effect("that is missing ends with 127 and the shell's words", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* tmux("set-option", "-g", "remain-on-exit-format", "");
      yield* start("a", "nonesuch", "x");
      expect(yield* state("a")).toBe("1 127 \n");
      expect(yield* screen("a")).toBe("nonesuch: 1: exec: nonesuch: not found");
    }).pipe(Effect.provide(machine)),
  );

  it.effect("takes the session and the server with it where nothing keeps them", () =>
    Effect.gen(function* () {
      yield* start("a", "sleep", "1");
      yield* TestClock.adjust("1 seconds");
      expect((yield* tmux("list-sessions")).stderr).toMatch(/^no server running on /);
    }).pipe(Effect.provide(machine)),
  );

  it.effect("meets what came at once when all of it is echoed, and nothing before a Ctrl-C", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* start("a", "cat");
      yield* tmux("set-buffer", "1\n2\n", ";", "paste-buffer", "-t", "a");
      expect(yield* screen("a")).toBe("1\n2\n1\n2");
      yield* tmux("set-option", "-g", "remain-on-exit-format", "");
      yield* tmux("send-keys", "-t", "a", "x", "Enter", "y", "C-c");
      expect(yield* screen("a")).toBe("1\n2\n1\n2\n^C");
      expect(yield* state("a")).toBe("1  2\n");
    }).pipe(Effect.provide(machine)),
  );

  it.effect("tabs to the last column, and no further", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* start("a", "cat");
      const cursor = printed("display-message", "-p", "-t", "a", "#{cursor_x} #{cursor_y}");
      yield* tmux("send-keys", "-t", "a", "-l", `${"x".repeat(75)}\t`);
      expect(yield* cursor).toBe("79 0\n");
      yield* tmux("send-keys", "-t", "a", "-l", "y\t");
      expect(yield* cursor).toBe("80 0\n");
      yield* tmux("send-keys", "-t", "a", "-l", "z");
      expect(yield* cursor).toBe("1 1\n");
    }).pipe(Effect.provide(machine)),
  );

  it.effect("begins a new line by a vertical tab, which its terminal echoes by name", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* start("a", "cat");
      yield* tmux("send-keys", "-t", "a", "-H", "b");
      yield* tmux("send-keys", "-t", "a", "hi", "Enter");
      expect(yield* screen("a")).toBe("^Khi\n\nhi");
    }).pipe(Effect.provide(machine)),
  );

  it.effect("of an interactive shell is a job: named, interrupted, its shell left alone", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* start("a", "sh");
      const current = printed("list-panes", "-t", "a", "-F", "#{pane_current_command}");
      yield* tmux("send-keys", "-t", "a", "sleep 99", "Enter");
      expect(yield* current).toBe("sleep\n");
      yield* tmux("send-keys", "-t", "a", "C-c");
      expect(yield* current).toBe("sh\n");
      yield* tmux("send-keys", "-t", "a", "nosuch", "Enter");
      expect(yield* screen("a")).toBe("$ sleep 99\n^C\n$ nosuch\nsh: 2: nosuch: not found\n$");
      yield* tmux("send-keys", "-t", "a", "exit", "Enter");
      expect(yield* state("a")).toBe("1 127 \n");
    }).pipe(Effect.provide(machine)),
  );

  it.effect("finds its environment, and the parts of a word joined", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* tmux("set-environment", "-g", "A", "x  y");
      yield* start("a", "sh", "-c", 'echo "$A"b $NONE c\'d\'; echo "$0"\nnosuch; sleep 9', "me");
      expect(yield* screen("a")).toBe("x  yb cd\nme\nme: 2: nosuch: not found");
    }).pipe(Effect.provide(machine)),
  );

  it.effect("meets what is typed and pasted", () =>
    Effect.gen(function* () {
      const fake = yield* FakeTmux;
      yield* boot;
      yield* start("a", "cat");
      yield* tmux("send-keys", "-t", "=a:", "hi", "Enter");
      expect(yield* screen("a")).toBe("hi\nhi");
      yield* start("b", "editor");
      yield* tmux("set-buffer", "x");
      yield* tmux("paste-buffer", "-p", "-t", "=b:");
      yield* fake.type("b", "y");
      expect(yield* screen("b")).toBe("<^[200~x^[201~><y>");
    }).pipe(Effect.provide(machine)),
  );

  it.effect("is recorded by a pipe until the pane or the pipe ends", () =>
    Effect.gen(function* () {
      const fake = yield* FakeTmux;
      yield* boot;
      yield* start("a", "cat");
      yield* tmux("pipe-pane", "-O", "-t", "=a:", "exec cat >> /tmp/log-#{session_name}");
      yield* fake.type("a", "x\r");
      yield* tmux("kill-session", "-t", "=a");
      const [pipe] = yield* fake.pipes;
      expect(pipe).toMatchObject({ command: "exec cat >> /tmp/log-a", open: false });
      expect(pipe?.output).toBe("x\r\nx\r\n");
    }).pipe(Effect.provide(machine)),
  );
});

describe("the processes of a session", () => {
  it.effect("are below the server, with their environment, and end with HUP on a kill", () =>
    Effect.gen(function* () {
      const table = yield* ProcessTable;
      yield* boot;
      const words = ["new-session", "-d", "-P", "-F", "#{pid} #{pane_pid}", "-s", "a"];
      const both = yield* printed(...words, "-e", `${MARK_VARIABLE}=0123456789`, "sleep", "100");
      const [server = 0, pid = 0] = both.trim().split(" ").map(Number);
      expect((yield* look(pid))?.parent).toBe(server);
      const mark = "0123456789" as IncarnationId;
      expect(yield* table.marked(mark, null, [server, pid])).toEqual([pid]);
      expect(yield* table.marked(mark, null, [server])).toEqual([]);
      yield* tmux("kill-session", "-t", "a");
      expect(yield* look(pid)).toBeNull();
      expect((yield* look(server))?.program).toBe("tmux: server");
    }).pipe(Effect.provide(machine)),
  );

  it.effect("outlive a kill when they ignore HUP, and TERM, but not KILL", () =>
    Effect.gen(function* () {
      const table = yield* ProcessTable;
      yield* boot;
      const pid = pidOf(yield* start("a", "stubborn"));
      yield* tmux("kill-session", "-t", "a");
      const entry = yield* look(pid);
      expect(entry).not.toBeNull();
      if (entry === null) return;
      yield* table.signal(entry.id, "TERM");
      expect(yield* look(pid)).not.toBeNull();
      yield* table.signal({ ...entry.id, startTime: entry.id.startTime + 1 }, "KILL");
      expect(yield* look(pid)).not.toBeNull();
      yield* table.signal(entry.id, "KILL");
      expect(yield* look(pid)).toBeNull();
    }).pipe(Effect.provide(machine)),
  );

  it.effect("that left by a double fork belong to pid 1 and meet no HUP", () =>
    Effect.gen(function* () {
      const table = yield* ProcessTable;
      yield* boot;
      yield* start("a", "daemon");
      yield* tmux("kill-session", "-t", "a");
      const orphans = (yield* table.snapshot).filter(({ parent }) => parent === 1);
      expect(orphans.map(({ program }) => program).sort()).toEqual(["daemon", "tmux: server"]);
    }).pipe(Effect.provide(machine)),
  );

  it.effect("may catch TERM and take their time", () =>
    Effect.gen(function* () {
      const table = yield* ProcessTable;
      yield* boot;
      const pid = pidOf(yield* start("a", "agent"));
      expect(yield* screen("a")).toBe("ready");
      const entry = yield* look(pid);
      expect(entry?.catchesTerm).toBe(true);
      if (entry !== null) yield* table.signal(entry.id, "TERM");
      expect(yield* state("a")).toBe("0  \n");
      yield* TestClock.adjust("500 millis");
      expect(yield* state("a")).toBe("1 0 \n");
    }).pipe(Effect.provide(machine)),
  );

  it.effect("end unheard when the server does not reap, until it is told to", () =>
    Effect.gen(function* () {
      const fake = yield* FakeTmux;
      const table = yield* ProcessTable;
      yield* boot;
      const pid = pidOf(yield* start("a", "sleep", "100"));
      yield* fake.exitProgram("a", 3, { unreaped: true });
      expect(yield* state("a")).toBe("1  \n");
      expect(yield* look(pid)).toBeNull();
      const server = yield* look(Number(yield* printed("display-message", "-p", "#{pid}")));
      if (server !== null) yield* table.signal(server.id, "CHLD");
      expect(yield* state("a")).toBe("1 3 \n");
    }).pipe(Effect.provide(machine)),
  );
});
