/**
 * What the fake tmux does not know: a defect of the run that asked, with the pane and the command
 * line where a program asked, and of everybody who asks the machine later.
 */
import { describe, expect, it } from "@effect/vitest";
import { ProcessTable } from "@troupe/core";
import { FakeTmux, Fault, OutsideTheModel } from "@troupe/testing";
import { Cause, Effect, Exit, TestClock } from "effect";
import { boot, printed, screen, start, state, tmux } from "./fake-tmux-asking.js";

const programs = {
  doomed: FakeTmux.program((run) => run.after(1000, () => Reflect.apply(run.write, null, []))),
  wild: FakeTmux.program((run) => run.exit(257)),
  strange: FakeTmux.program((run) => Reflect.apply(run.onSignal, run, ["TREM", "ignore"])),
};

const machine = Effect.provide(FakeTmux.layer({ programs, missingPrograms: ["nope", "/no/such"] }));

const defectOf = <A, E, R>(step: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(step), (exit) =>
    Exit.isFailure(exit) ? [...Cause.defects(exit.cause)].join() : "no defect",
  );

const sh = (script: string) => tmux("new-session", "-d", "-s", "a", "--", "sh", "-c", script);

describe("a defect", () => {
  it.effect("is one of the run that caused it, and of every later one", () =>
    Effect.gen(function* () {
      const fake = yield* FakeTmux;
      const table = yield* ProcessTable;
      yield* boot;
      const told = yield* defectOf(sh("frobnicate x"));
      expect(told).toContain("does not model the program frobnicate");
      expect(told).toContain('in pane %0, which runs ["sh","-c","frobnicate x"]');
      expect(yield* defectOf(tmux("list-sessions"))).toBe(told);
      expect(yield* defectOf(fake.type("a", "x"))).toBe(told);
      expect(yield* defectOf(table.snapshot)).toBe(told);
    }).pipe(machine),
  );

  it.effect("of a program that fails by itself is told at the next use, and for ever", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* start("a", "doomed");
      yield* TestClock.adjust("1 seconds");
      const told = yield* defectOf(tmux("list-sessions"));
      expect(told).toMatch(
        /^Error: The program in pane %0, which runs \["doomed"\] failed: TypeErr/,
      );
      expect(yield* defectOf(tmux("list-sessions"))).toBe(told);
    }).pipe(machine),
  );

  it.effect("reaches a client that waits", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* start("a", "doomed");
      const waiting = yield* Effect.fork(defectOf(tmux("wait-for", "x")));
      yield* TestClock.adjust("1 seconds");
      expect(yield* waiting).toContain("in pane %0");
    }).pipe(machine),
  );

  it.effect("is an unknown release or signal", () =>
    Effect.gen(function* () {
      const version = "9.9" as "3.3a";
      const built = Effect.scoped(Effect.provide(boot, FakeTmux.layer({ version })));
      expect(yield* defectOf(built)).toMatch(/tmux 9.9 \(only 3.2a, 3.3a/);
      const fake = yield* FakeTmux;
      yield* boot;
      expect(yield* defectOf(start("a", "strange"))).toMatch(/the signal TREM \(only HUP, INT/);
      expect(yield* defectOf(fake.signal(1, "HUP"))).toMatch(/the signal TREM/);
    }).pipe(machine),
  );
});

describe("a script outside of the model", () => {
  const scripts = [
    ["an assignment", "A=/bin/cat sleep 9"],
    ["an unknown word", "export A; sleep 9"],
    ["a redirection", "echo hi > file"],
    ["a missing operand", "echo hi &&"],
    ["two separators", "echo hi;; echo ho"],
    ["a file for cat", "cat /etc/passwd"],
    ["an option of echo", "echo -n hi"],
    ["an escape of echo", "echo 'a\\nb'"],
    ["a signal that is none", "trap '' TREM"],
    ["a pipe", "echo hi | cat"],
  ] as const;
  for (const [what, script] of scripts) {
    it.effect(`is ${what}`, () =>
      Effect.gen(function* () {
        yield* boot;
        expect(yield* defectOf(sh(script))).toMatch(/^OutsideTheModel: FakeTmux does not model /);
      }).pipe(machine),
    );
  }

  it("is of a class of its own", () => expect(OutsideTheModel.name).toBe("OutsideTheModel"));
});

describe("the end of a program", () => {
  for (const [script, code, said] of [
    ["exit 256", 0, ""],
    ["exit 300", 44, ""],
    ["exit 007", 7, ""],
    ["exit 1 2", 1, ""],
    ["false; exit", 1, ""],
    ["exit -1", 2, "me: 1: exit: Illegal number: -1"],
    ["exit 3x", 2, "me: 1: exit: Illegal number: 3x"],
    ["exit ''", 2, "me: 1: exit: Illegal number:"],
    ["exit 2147483648", 2, "me: 1: exit: Illegal number: 2147483648"],
    ["nope; exit", 127, "me: 1: nope: not found"],
    ["exec /no/such", 127, "me: 1: exec: /no/such: not found"],
  ] as const) {
    it.effect(`is ${code} by ${script}`, () =>
      Effect.gen(function* () {
        yield* boot;
        yield* tmux("set-option", "-g", "remain-on-exit-format", "");
        yield* start("a", "sh", "-c", script, "me");
        expect(yield* state("a")).toBe(`1 ${code} \n`);
        expect(yield* screen("a")).toBe(said);
      }).pipe(machine),
    );
  }

  it.effect("has the eight bits of its own code, and of one that a test gives it", () =>
    Effect.gen(function* () {
      const fake = yield* FakeTmux;
      yield* boot;
      yield* start("a", "wild");
      expect(yield* state("a")).toBe("1 1 \n");
      yield* start("b", "sleep", "9");
      yield* fake.exitProgram("b", -1);
      expect(yield* state("b")).toBe("1 255 \n");
    }).pipe(machine),
  );

  it.effect("is 1 where tmux itself finds no such program", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* tmux("new-session", "-d", "-s", "a", "--", "/no/such", "x");
      expect(yield* state("a")).toBe("1 1 \n");
    }).pipe(machine),
  );

  it.effect("is that of a missing program for every unknown one, where a test says so", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* start("a", "whatever");
      expect(yield* state("a")).toBe("1 127 \n");
    }).pipe(Effect.provide(FakeTmux.layer({ unknownPrograms: "missing" }))),
  );
});

describe("the name of a window", () => {
  const nameOf = printed("display-message", "-p", "-t", "=a:", "#{window_name}");

  it.effect("is a defect where automatic-rename may have changed it", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* tmux("new-session", "-d", "-s", "a", "--", "sh", "-c", "sleep 1; exec sleep 9");
      expect(yield* nameOf).toBe("sh\n");
      yield* TestClock.adjust("1 seconds");
      expect(yield* defectOf(nameOf)).toMatch(/the name of the window sh under automatic-rename/);
    }).pipe(machine),
  );

  it.effect("stays where it was given, or where nothing renames", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* tmux("new-session", "-d", "-s", "a", "-n", "mine", "--", "sleep", "9");
      expect(yield* nameOf).toBe("mine\n");
      yield* tmux("set-option", "-g", "automatic-rename", "off");
      yield* tmux("respawn-pane", "-k", "-t", "=a:", "--", "cat");
      expect(yield* nameOf).toBe("mine\n");
      yield* tmux("set-option", "-w", "-t", "=a:", "automatic-rename", "on");
      expect(yield* defectOf(nameOf)).toMatch(/the name of the window mine/);
    }).pipe(machine),
  );
});

describe("a fault", () => {
  it.effect("for no run at all is for none", () =>
    Effect.gen(function* () {
      const fake = yield* FakeTmux;
      yield* fake.inject({ fault: Fault.silent, times: 0 });
      yield* boot;
      expect(yield* start("a", "sleep", "9")).toMatch(/^\$0 %0 /);
    }).pipe(machine),
  );
});
