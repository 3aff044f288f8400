/**
 * What may go wrong between a client and the fake tmux, on the word of a test: each fault does what
 * its name says, to the run that it is for and to no other.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux, Fault } from "@troupe/testing";
import type { TmuxReply, TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber, Ref, TestClock } from "effect";
import { boot, printed, start, tmux } from "./fake-tmux-asking.js";

const isKill = (request: TmuxRequest) => request.argv[0] === "kill-session";
const kill = tmux("kill-session", "-t", "=a");
const names = printed("list-sessions", "-F", "#{session_name}");

const withSession = Effect.gen(function* () {
  yield* boot;
  yield* start("a", "sleep", "9");
  return yield* FakeTmux;
});

const fresh = Effect.provide(FakeTmux.layer());

describe("a fault", () => {
  it.effect("refuses, once", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.inject({ fault: Fault.refuse("server exited unexpectedly\n"), matches: isKill });
      expect((yield* kill).exitCode).toBe(1);
      expect(yield* names).toBe("a\n");
      expect((yield* kill).exitCode).toBe(0);
    }).pipe(fresh),
  );

  it.effect("answers what did not happen, for the runs that it is for", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.inject({ fault: Fault.silent, matches: isKill, skip: 1, times: 2 });
      yield* tmux("kill-session", "-C", "-t", "a");
      expect(yield* kill).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      expect(yield* kill).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      expect(yield* names).toBe("a\n");
      yield* kill;
      expect(yield* names).toBe("");
    }).pipe(fresh),
  );

  it.effect("changes what is heard of what did happen", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.inject({ fault: Fault.garbled });
      expect(yield* printed("list-panes", "-a", "-F", "P #{pane_id}")).toBe("P\n");
      yield* fake.inject({ fault: Fault.shortened });
      expect(yield* printed("display-message", "-p", "a\nEND")).toBe("a\n");
    }).pipe(fresh),
  );

  it.effect("hangs until the deadline of the client, with or without an effect", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.inject({ fault: Fault.hang, matches: isKill });
      yield* fake.inject({ fault: Fault.effectWithoutReply, matches: isKill });
      for (const left of ["a\n", ""]) {
        const hung = yield* Effect.fork(Effect.flip(kill));
        yield* TestClock.adjust("2999 millis");
        expect(yield* Fiber.poll(hung)).toMatchObject({ _tag: "None" });
        yield* TestClock.adjust("1 millis");
        expect(yield* hung).toMatchObject({ _tag: "LookupFailed", reason: "timeout" });
        expect(yield* names).toBe(left);
      }
    }).pipe(fresh),
  );

  it.effect("lets a command take effect long after its client was killed", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.inject({ fault: Fault.lateEffect, matches: isKill });
      const hung = yield* Effect.fork(kill);
      yield* Effect.yieldNow();
      yield* Fiber.interrupt(hung);
      expect(yield* names).toBe("a\n");
      yield* fake.release;
      expect(yield* names).toBe("");
    }).pipe(fresh),
  );

  it.effect("makes an answer slow", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.inject({ fault: Fault.slow(1_000, 1_000), matches: isKill });
      const slow = yield* Effect.fork(kill);
      yield* TestClock.adjust("1500 millis");
      expect(yield* names).toBe("");
      yield* TestClock.adjust("500 millis");
      expect((yield* slow).exitCode).toBe(0);
    }).pipe(fresh),
  );

  it.effect("is the death of the server, before or after the effect", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.inject({ fault: Fault.crashAfter, matches: isKill });
      expect((yield* kill).stderr).toBe("server exited unexpectedly\n");
      expect((yield* tmux("list-sessions")).stderr).toMatch(/^no server running on /);
      yield* start("a", "sleep", "9");
      expect(yield* names).toBe("a\n");
    }).pipe(fresh),
  );

  it.effect("is chosen by a hook, as an explorer does", () =>
    Effect.gen(function* () {
      const seen = yield* Ref.make<ReadonlyArray<TmuxReply>>([]);
      const layer = FakeTmux.layer({
        beforeRun: (request) => Effect.succeed(isKill(request) ? Fault.silent : null),
        afterRun: (_, reply) => Ref.update(seen, (replies) => [...replies, reply]),
      });
      yield* Effect.zipRight(withSession, kill).pipe(Effect.provide(layer));
      expect(yield* Ref.get(seen)).toHaveLength(3);
    }),
  );
});

describe("a gate", () => {
  it.effect("holds a run before its effect, and the test knows", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      const gate = yield* fake.hold({ where: "before", matches: isKill });
      const held = yield* Effect.fork(kill);
      expect((yield* gate.reached).argv[0]).toBe("kill-session");
      expect(yield* names).toBe("a\n");
      yield* gate.release;
      expect((yield* held).exitCode).toBe(0);
      expect(yield* names).toBe("");
    }).pipe(fresh),
  );

  it.effect("holds a run behind its effect, where its program may end first", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      const gate = yield* fake.hold({
        where: "after",
        matches: ({ argv }) => argv[0] === "new-session",
      });
      const created = yield* Effect.fork(start("b", "sleep", "9"));
      yield* gate.reached;
      yield* fake.exitProgram("b", 1);
      yield* gate.release;
      expect(yield* created).toMatch(/^\$1 /);
      expect(yield* printed("display-message", "-p", "-t", "=b:", "#{pane_dead}")).toBe("1\n");
    }).pipe(fresh),
  );
});

describe("a machine", () => {
  it.effect("has a server that may stop for everybody", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.stop;
      const late = yield* Effect.fork(Effect.flip(names));
      yield* TestClock.adjust("3 seconds");
      expect(yield* late).toMatchObject({ reason: "timeout" });
      yield* fake.release;
      expect(yield* names).toBe("a\n");
    }).pipe(fresh),
  );

  it.effect("keeps a killed session for so many clients", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.linger(2);
      expect((yield* kill).exitCode).toBe(0);
      expect(yield* names).toBe("a\n");
      expect(yield* names).toBe("a\n");
      expect(yield* names).toBe("");
    }).pipe(fresh),
  );

  it.effect("may lose the file of a socket whose server lives, and have it back by USR1", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      const pid = Number(yield* printed("display-message", "-p", "#{pid}"));
      yield* fake.unlinkSocket;
      expect((yield* tmux("list-sessions")).stderr).toMatch(/\(No such file or directory\)\n$/);
      yield* start("twin", "sleep", "9");
      expect(yield* names).toBe("twin\n");
      yield* fake.signal(pid, "USR1");
      expect(yield* names).toBe("a\n");
    }).pipe(fresh),
  );

  it.effect("may deny the socket, or lose its directory", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.denySocket(true);
      expect((yield* tmux("list-sessions")).stderr).toMatch(/\(Permission denied\)\n$/);
      yield* fake.denySocket(false);
      expect(yield* names).toBe("a\n");
      yield* fake.removeSocketDirectory;
      const reply = yield* tmux("new-session", "-d");
      expect(reply.exitCode).toBe(0);
      expect(reply.stderr).toMatch(/^error creating .* \(No such file or directory\)\n$/);
    }).pipe(fresh),
  );
});

describe("a server that dies", () => {
  const exited = { exitCode: 1, stdout: "", stderr: "server exited unexpectedly\n" };
  const create = tmux("new-session", "-d", "-s", "b", "--", "sleep", "9");
  const isCreate = (request: TmuxRequest) => request.argv[0] === "new-session";

  it.effect("while it is stopped ends who waits for it, and hangs nobody later", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.stop;
      const waiting = yield* Effect.fork(create);
      yield* Effect.yieldNow();
      yield* fake.crash;
      expect(yield* waiting).toEqual(exited);
      expect((yield* tmux("list-sessions")).stderr).toMatch(/^no server running on /);
      yield* fake.release;
      expect((yield* tmux("list-sessions")).stderr).toMatch(/^no server running on /);
      expect((yield* create).exitCode).toBe(0);
    }).pipe(fresh),
  );

  it.effect("ends who stands at a gate, which starts no new server", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      const gate = yield* fake.hold({ where: "before", matches: isCreate });
      const waiting = yield* Effect.fork(create);
      yield* gate.reached;
      yield* fake.crash;
      expect(yield* waiting).toEqual(exited);
      yield* gate.release;
      expect((yield* tmux("list-sessions")).stderr).toMatch(/^no server running on /);
    }).pipe(fresh),
  );

  it.effect("leaves its own client the answer, when the client ended it", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      const gate = yield* fake.hold({ where: "after" });
      const waiting = yield* Effect.fork(tmux("kill-server"));
      yield* gate.reached;
      yield* gate.release;
      expect(yield* waiting).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    }).pipe(fresh),
  );
});

describe("a client that is gone", () => {
  const waits = tmux("wait-for", "x", ";", "kill-session", "-t", "a");

  it.effect("acts no more when it waited, by its deadline or its caller", () =>
    Effect.gen(function* () {
      yield* withSession;
      const late = yield* Effect.fork(Effect.flip(waits));
      yield* TestClock.adjust("3 seconds");
      expect(yield* late).toMatchObject({ reason: "timeout" });
      const left = yield* Effect.fork(waits);
      yield* Effect.yieldNow();
      yield* Fiber.interrupt(left);
      yield* tmux("wait-for", "-S", "x");
      expect(yield* names).toBe("a\n");
    }).pipe(fresh),
  );

  it.effect("acts as far as it did not have to wait", () =>
    Effect.gen(function* () {
      const fake = yield* withSession;
      yield* fake.inject({ fault: Fault.lateEffect });
      const list = tmux("rename-session", "-t", "a", "b", ";", "wait-for", "x", ";", "kill-server");
      const left = yield* Effect.fork(list);
      yield* Effect.yieldNow();
      yield* Fiber.interrupt(left);
      yield* fake.release;
      yield* tmux("wait-for", "-S", "x");
      expect(yield* names).toBe("b\n");
    }).pipe(fresh),
  );
});
