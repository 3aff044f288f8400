/**
 * BeforeKill: what terminals showed is kept before anything is changed, and never in the way.
 *
 * On the fake: the order of the lists that tmux got, what was kept, and deletes whose snapshots
 * fail, hang or are not wanted.
 */
import { describe, expect, it } from "@effect/vitest";
import type { LookupFailed } from "@troupe/core";
import { Fault, fullDisk } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Cause, Clock, Effect, Logger } from "effect";
import { type FakeHome, fakeHome, pass } from "./FakeHome.js";

/** Whether it reads what panes show, along with a look or alone. */
const isSnapshot = ({ stdin }: TmuxRequest): boolean => String(stdin).includes("capture-pane");

const talking = (word: string) => ({ command: ["sh", "-c", `echo ${word}; sleep 1000`], cwd: "/" });

const withTerminals = Effect.gen(function* () {
  const home = yield* fakeHome();
  yield* pass(home.sessions.create({ session: "a", ...talking("one") }));
  yield* pass(home.sessions.addTerminal({ session: "a", ...talking("two") }));
  return home;
});

/** Cuts off what the look of a delete shows, so that it is asked for alone. */
const cutLook = (home: FakeHome) =>
  home.tmux.inject({
    fault: Fault.shortened,
    matches: (request) => isSnapshot(request) && request.attempted === "delete",
  });

/** What every list of the work attempted, and whether it reads what panes show. */
const lists = (home: FakeHome, work: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const before = (yield* home.tmux.requests).length;
    yield* Effect.orDie(pass(work));
    return (yield* home.tmux.requests)
      .slice(before)
      .map((request) => `${request.attempted}${isSnapshot(request) ? ", showing" : ""}`);
  });

const texts = (home: FakeHome) =>
  [...home.snapshots.kept.values()].map(({ terminal, text }) => `${terminal}: ${text}`);

describe("before a delete", () => {
  it.scoped("what each terminal shows is kept, with what it was", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      expect(yield* pass(home.sessions.delete("a"))).toMatchObject({ snapshot: "kept" });
      expect(texts(home)).toEqual(["main: one", "t2: two"]);
      const [first] = home.snapshots.kept.values();
      const { incarnation, spec } = yield* home.record("a");
      expect(first).toMatchObject({ session: "a", generation: 1, incarnation, exit: null });
      expect([first?.command, first?.cwd]).toEqual([spec.command, "/"]);
      expect((yield* home.sessions.snapshots("a")).map((one) => one.terminal)).toEqual([
        "main",
        "t2",
      ]);
    }),
  );

  it.scoped("one read-only list for all of them comes before the intent and every signal", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      const gate = yield* home.tmux.hold({ where: "before", matches: isSnapshot });
      const fiber = yield* Effect.fork(pass(home.sessions.delete("a")));
      yield* gate.reached;
      expect(yield* home.rows).toEqual(["a/1 running"]);
      yield* gate.release;
      yield* fiber.await;
      const shown = (yield* home.tmux.requests).filter(isSnapshot);
      expect(shown.length).toBe(1);
      expect(String(shown[0]?.stdin)).not.toMatch(/kill|set-option|send-keys|if-shell/);
    }),
  );

  it.scoped("the same is kept before a restore ends what its programs left", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      const { terminals } = yield* home.record("a");
      for (const { paneId } of terminals) yield* home.tmux.exitProgram(paneId ?? "", 0);
      const gate = yield* home.tmux.hold({ where: "before", matches: isSnapshot });
      const fiber = yield* Effect.fork(pass(home.sessions.restore("a")));
      yield* gate.reached;
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 exited"], ["a"]]);
      yield* gate.release;
      yield* fiber.await;
      expect(texts(home)).toEqual(["main: one", "t2: two"]);
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
    }),
  );

  it.scoped("of one terminal that alone is kept", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      const deleted = yield* pass(home.sessions.deleteTerminal("a", "t2"));
      expect(deleted).toMatchObject({ snapshot: "kept" });
      expect(texts(home)).toEqual(["t2: two"]);
      yield* pass(home.sessions.deleteTerminal("a", "main"));
      expect(texts(home)).toEqual(["t2: two", "main: one"]);
    }),
  );

  it.scoped("nothing is kept when that is not wanted, or when there is nothing", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      const unwanted = yield* pass(home.sessions.delete("a", { snapshot: false }));
      expect(unwanted).toMatchObject({ snapshot: "none" });
      expect((yield* home.tmux.requests).filter(isSnapshot)).toEqual([]);
      yield* pass(home.sessions.create({ session: "a", ...talking("three") }));
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      expect(yield* pass(home.sessions.delete("a"))).toMatchObject({ snapshot: "none" });
      expect(texts(home)).toEqual([]);
    }),
  );

  it.scoped("a history longer than what is kept is told, and its end is what is kept", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome({ settings: { snapshotLines: 10 } });
      const lines = Array.from({ length: 100 }, (_, i) => `echo ${i}`).join("; ");
      const command = ["sh", "-c", `${lines}; sleep 1000`];
      yield* pass(home.sessions.create({ session: "a", command, cwd: "/" }));
      yield* pass(home.sessions.delete("a"));
      const [kept] = home.snapshots.kept.values();
      expect(kept?.truncated).toBe(true);
      expect(kept?.text.split("\n").at(-1)).toBe("99");
    }),
  );
});

describe("what the look of a delete shows", () => {
  it.scoped("is kept, and tmux is not asked again", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      expect(yield* lists(home, home.sessions.delete("a"))).toEqual(["delete, showing", "kill"]);
      expect(texts(home)).toEqual(["main: one", "t2: two"]);
    }),
  );

  const alone = ["delete, showing", "delete", "snapshot, showing", "kill"];

  it.scoped("is asked for alone where it was cut off, behind a look of its own", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      yield* cutLook(home);
      expect(yield* lists(home, home.sessions.delete("a"))).toEqual(alone);
      expect(texts(home)).toEqual(["main: one", "t2: two"]);
    }),
  );

  it.scoped("is asked for alone where a pane of the row is not there", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      yield* home.tmux.client(["kill-window", "-t", "=a:t2"]);
      expect(yield* lists(home, home.sessions.delete("a"))).toEqual(alone);
      expect(texts(home)).toEqual(["main: one"]);
    }),
  );

  it.scoped("is none where the session is not, whoever has a pane of that number now", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      yield* home.tmux.client(["kill-server"]);
      for (const name of ["y", "z"]) {
        yield* home.tmux.client(["new-session", "-d", "-s", name, "--", "sleep", "1000"]);
      }
      expect(yield* lists(home, home.sessions.delete("a"))).toEqual(["delete, showing"]);
      expect([texts(home), yield* home.inTmux]).toEqual([[], ["y", "z"]]);
    }),
  );

  it.scoped("is not asked for along with a fence, nor where it is very much", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome({ settings: { snapshotLines: 10_001 } });
      yield* pass(home.sessions.create({ session: "a", ...talking("one") }));
      const apart = ["delete", "snapshot, showing", "kill"];
      expect(yield* lists(home, home.sessions.delete("a"))).toEqual(apart);
      const fenced = yield* withTerminals;
      for (const [name, claim] of fenced.store.claims) {
        fenced.store.claims.set(name, { ...claim, fenceDue: true });
      }
      expect(yield* lists(fenced, fenced.sessions.delete("a"))).toEqual(apart);
    }),
  );

  it.scoped("is a look: where it has no answer, nothing is changed", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      const before = yield* home.rows;
      for (const fault of [Fault.silent, Fault.refuse("what?\n"), Fault.hang]) {
        yield* home.tmux.inject({ fault, matches: isSnapshot });
        const failure = yield* Effect.flip(pass(home.sessions.delete("a")));
        expect(failure).toMatchObject({ _tag: "LookupFailed", attempted: "delete" });
        expect([yield* home.rows, yield* home.inTmux]).toEqual([before, ["a"]]);
      }
    }),
  );
});

describe("a snapshot that fails", () => {
  /** What is logged while `a` is deleted, its snapshot in this trouble. */
  const logged = (trouble: Effect.Effect<never, LookupFailed>) => {
    const said: Array<string> = [];
    const logger = Logger.make(({ cause, message }) => {
      said.push(`${String(message)}${Cause.isEmpty(cause) ? "" : Cause.pretty(cause)}`);
    });
    const deleted = Effect.gen(function* () {
      const home = yield* withTerminals;
      home.snapshots.trouble = trouble;
      yield* pass(home.sessions.delete("a"));
      return said;
    });
    return Effect.provide(deleted, Logger.replace(Logger.defaultLogger, logger));
  };

  for (const [what, trouble, words] of [
    ["with an error", fullDisk, /^no snapshot of session a: could not find out .*$/],
    [
      "at its bound",
      Effect.never,
      /^no snapshot of session a: the bound of a snapshot has passed$/,
    ],
    ["of a bug", Effect.dieMessage("a\nbug"), /^no snapshot of session a: .*a bug$/],
  ] as const) {
    it.scoped(`${what} is one line in the log, without a stack`, () =>
      Effect.gen(function* () {
        const said = yield* logged(trouble);
        expect(said).toEqual([expect.stringMatching(words)]);
        expect(said[0]).not.toMatch(/\n| at /);
      }),
    );
  }
});

describe("a snapshot that", () => {
  it.scoped("cannot be written is told, and the delete is true", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      home.snapshots.trouble = fullDisk;
      expect(yield* pass(home.sessions.delete("a"))).toMatchObject({ snapshot: "failed" });
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted"], []]);
    }),
  );

  it.scoped("dies of a bug is the same", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      home.snapshots.trouble = Effect.dieMessage("a bug");
      expect(yield* pass(home.sessions.delete("a"))).toMatchObject({ snapshot: "failed" });
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );

  for (const [what, fault] of [
    ["is refused by tmux", Fault.refuse("what?\n")],
    ["is garbled", Fault.shortened],
    ["is answered with nothing", Fault.silent],
  ] as const) {
    it.scoped(`${what} is the same`, () =>
      Effect.gen(function* () {
        const home = yield* withTerminals;
        yield* cutLook(home);
        const alone = ({ attempted }: TmuxRequest) => attempted === "snapshot";
        yield* home.tmux.inject({ fault, matches: alone });
        expect(yield* pass(home.sessions.delete("a"))).toMatchObject({ snapshot: "failed" });
        expect([yield* home.rows, texts(home)]).toEqual([["a/1 deleted"], []]);
      }),
    );
  }

  it.scoped("hangs is given up at its bound", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      home.snapshots.trouble = Effect.never;
      const began = yield* Clock.currentTimeMillis;
      const timed = Effect.zip(home.sessions.delete("a", { graceMs: 0 }), Clock.currentTimeMillis);
      const [deleted, ended] = yield* pass(timed);
      expect(deleted.snapshot).toBe("failed");
      expect(ended - began).toBe(1000);
    }),
  );

  it.scoped("was kept by a delete that then failed stays, and the next one takes its place", () =>
    Effect.gen(function* () {
      const home = yield* withTerminals;
      const matches = (request: TmuxRequest) => String(request.stdin).includes("kill-session");
      yield* home.tmux.inject({ fault: Fault.hang, matches, times: 99 });
      yield* Effect.flip(pass(home.sessions.delete("a")));
      expect(texts(home)).toEqual(["main: one", "t2: two"]);
      yield* home.tmux.clearFaults;
      yield* pass(home.sessions.delete("a"));
      expect(texts(home)).toEqual(["main: one", "t2: two"]);
    }),
  );
});
