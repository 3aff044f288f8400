/**
 * ReaderPlays: what is read of a session: what its terminals show and printed, what is waited for,
 * the log, and what is to be run to show it: each option of that, one after the other.
 *
 * Of what took the place of a session nothing is told as of that.
 */
import type { OutputElement, Sessions } from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { Effect, Exit, Fiber, Option, Scope, Stream } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { play, tagOf } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

/** Prints lines, the words that it is given, and stays. */
const lines = FakeTmux.program((run) => {
  for (const word of run.argv.slice(1)) run.write(`${word}\n`);
});

/** Prints a word later, and ends a while behind that. */
const later = FakeTmux.program((run) => {
  run.after(500, () => run.write("ready: 7\n"));
  run.after(1_500, () => run.exit(4));
});

const programs = { lines, later };

const captured = play(
  "what is captured of terminals",
  (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* stage.program("one");
      const long = "x".repeat(50);
      yield* sessions.create({ ...spec, command: ["lines", "one", "two", long], columns: 40 });
      yield* sessions.addTerminal({ ...spec, command: ["lines", "other"] });
      const text = (options: Parameters<Sessions["Type"]["capture"]>[1]) =>
        Effect.map(sessions.capture("a", options), (c) => c.text.trimEnd().split("\n"));
      const rows = [long.slice(0, 40), long.slice(40)];
      stage.is("as it is shown", yield* text({}), ["one", "two", ...rows]);
      stage.is("joined", yield* text({ join: true }), ["one", "two", long]);
      stage.is("the newest", yield* text({ lines: 1 }), rows.slice(1));
      stage.is("all", (yield* text({ lines: null })).length, 4);
      stage.is("the other", yield* text({ terminal: "t2" }), ["other"]);
      stage.is("none", yield* tagOf(sessions.capture("a", { terminal: "t3" })), "NotFound");
      const kept = (yield* sessions.capture("a")).keptAt;
      stage.is("shown now", kept, null);
      yield* sessions.deleteTerminal("a", "main", { graceMs: 0 });
      stage.is("the first that is there", yield* text({}), ["other"]);
      stage.is("of one that is gone", (yield* text({ terminal: "main" }))[0], "one");
      yield* sessions.delete("a", { graceMs: 0 });
      const old = yield* sessions.capture("a", { terminal: "t2" });
      stage.is("of what is deleted", [old.text.trim(), old.keptAt !== null], ["other", true]);
      yield* sessions.create({ ...spec, command: ["lines", "anew"] });
      stage.is("of what took its place", yield* text({}), ["anew"]);
      stage.is(
        "a terminal that it has not",
        yield* tagOf(sessions.capture("a", { terminal: "t2" })),
        "NotFound",
      );
    }),
  { tmux: { programs } },
);

const dataOf = (elements: ReadonlyArray<OutputElement>): string =>
  elements
    .map((e) => (e.type === "data" ? new TextDecoder().decode(e.data) : `[${e.type}]`))
    .join("");

const printed = play(
  "what is read of what was printed",
  (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* stage.program("one");
      const first = yield* sessions.create({ ...spec, command: ["lines", "one", "two"] });
      yield* sessions.addTerminal({ ...spec, command: ["lines", "other"] });
      const read = (options: Parameters<Sessions["Type"]["output"]>[1]) =>
        Effect.map(Stream.runCollect(sessions.output("a", { follow: false, ...options })), (all) =>
          dataOf([...all]),
        );
      stage.is("all", yield* read({}), "one\r\ntwo\r\n");
      stage.is("from within", yield* read({ from: 5 }), "two\r\n");
      stage.is("the other", yield* read({ terminal: "t2" }), "other\r\n");
      stage.is("none", yield* tagOf(read({ terminal: "t3" })), "NotFound");
      const follower = yield* Effect.fork(Stream.runCollect(sessions.output("a")));
      yield* Effect.sleep(100);
      yield* sessions.create({ ...spec, command: ["lines", "anew"], replace: true });
      stage.is("who followed", dataOf([...(yield* Fiber.join(follower))]), "one\r\ntwo\r\n[end]");
      stage.is("the newest", yield* read({}), "anew\r\n");
      const { incarnation } = first;
      stage.is("an older one", yield* read({ incarnation }), "one\r\ntwo\r\n[end]");
      stage.is(
        "one that is none",
        yield* tagOf(read({ incarnation: "nothing-of-ours" })),
        "NotFound",
      );
      yield* sessions.create({ ...spec, session: "b", log: false });
      const unlogged = Stream.runDrain(sessions.output("b", { follow: false }));
      stage.is("what is not recorded", yield* tagOf(unlogged), "NotFound");
      const other = Stream.runDrain(sessions.output("b", { incarnation, follow: false }));
      stage.is("of another name", yield* tagOf(other), "NotFound");
    }),
  { tmux: { programs } },
);

const waited = play(
  "what is waited for, and how long",
  (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* stage.program("one");
      yield* sessions.create({ ...spec, command: ["later"] });
      yield* sessions.addTerminal({ ...spec, command: ["lines", "other"] });
      const now = Effect.clockWith((clock) => clock.currentTimeMillis);
      const took = (...asked: [Parameters<Sessions["Type"]["wait"]>[1], object?]) =>
        Effect.gen(function* () {
          const from = yield* now;
          const outcome = yield* Effect.either(sessions.wait("a", ...asked));
          const ms = (yield* now) - from;
          return outcome._tag === "Left"
            ? { tag: (outcome.left as Error).name, ms }
            : { tag: `${outcome.right.line} ${outcome.right.exit?.code}`, ms };
        });
      const short = yield* took({ text: "ready" }, { timeoutMs: 50 });
      stage.is("too short", [short.tag, short.ms], ["WaitTimeout", 50]);
      stage.is(
        "looked once",
        (yield* took({ text: "ready" }, { timeoutMs: 0 })).tag,
        "WaitTimeout",
      );
      const there = yield* took({ text: "oth" }, { terminal: "t2" });
      stage.is("there already", [there.tag, there.ms], ["other undefined", 0]);
      stage.is("a pattern", (yield* took({ regex: "ready: [0-9]+" })).tag, "ready: 7 undefined");
      const quiet = yield* took({ idleMs: 400 }, { terminal: "t2" });
      stage.is("quiet", [quiet.tag, quiet.ms >= 400 && quiet.ms < 800], ["null undefined", true]);
      stage.is("its end", (yield* took({ exit: true })).tag, "null 4");
      stage.is("what never comes", (yield* took({ text: "never" })).tag, "WaitTimeout");
      stage.is("of none", (yield* took({ text: "x" }, { terminal: "t9" })).tag, "NotFound");
      const over = yield* Effect.fork(took({ text: "never" }, { terminal: "t2" }));
      yield* Effect.sleep(100);
      yield* sessions.delete("a", { graceMs: 0 });
      const end = yield* Fiber.join(over);
      stage.is("of what is deleted", ["NotFound", "Closing"].includes(end.tag), true);
    }),
  { tmux: { programs } },
);

const logged = play(
  "what is told of the log, from where and of whom",
  (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* stage.program("one");
      yield* sessions.create(spec);
      yield* sessions.create({ ...spec, session: "b" });
      const read = (options: Parameters<Sessions["Type"]["events"]>[0]) =>
        Effect.map(Stream.runCollect(sessions.events({ follow: false, ...options })), (all) => [
          ...all,
        ]);
      const all = yield* read({});
      const numbers = all.map((e) => (e.type === "gap" ? -1 : e.sequence));
      stage.is(
        "all",
        numbers,
        Array.from({ length: all.length }, (_, at) => at + 1),
      );
      const two = yield* read({ since: 2 });
      stage.is("behind two", two.length, all.length - 2);
      const b = yield* read({ session: "b" });
      stage.is(
        "of one",
        b.length > 0 && b.every((e) => e.type === "event" && e.session === "b"),
        true,
      );
      stage.is("of nobody", (yield* read({ session: "c" })).length, 0);
      const follower = yield* Effect.fork(
        Stream.runCollect(Stream.take(sessions.events({ since: all.length, session: "a" }), 1)),
      );
      yield* Effect.sleep(50);
      yield* sessions.delete("b", { graceMs: 0 });
      yield* sessions.delete("a", { graceMs: 0 });
      const [next] = [...(yield* Fiber.join(follower))];
      stage.is("who follows", next?.type === "event" ? next.session : next?.type, "a");
      for (let left = 8; left > 0; left--) {
        yield* sessions.create(spec);
        yield* sessions.delete("a", { graceMs: 0 });
      }
      const [untold] = yield* read({ session: "c" });
      stage.is("what is not kept, to who asks of one name", untold?.type, "gap");
      const [gap, behind] = yield* read({});
      stage.is("what is not kept", gap?.type, "gap");
      const from = behind?.type === "event" ? behind.sequence : null;
      stage.is("the first that is", gap?.type === "gap" ? gap.first : null, from);
    }),
  { settings: { eventsKept: 20 } },
);

const shown = play("what is run to show a session", (stage) =>
  Effect.gen(function* () {
    const { sessions } = yield* stage.program("one");
    const a = yield* sessions.create(spec);
    yield* sessions.create({ ...spec, session: "b" });
    const argv = (options: Parameters<Sessions["Type"]["attachCommand"]>[1]) =>
      Effect.map(sessions.attachCommand("a", options), (command) => command.argv.join(" "));
    const plain = yield* sessions.attachCommand("a");
    stage.is("how", [plain.how, plain.exit, plain.record.session], ["attach", null, "a"]);
    const watching = yield* argv({ readOnly: true });
    stage.is(
      "read only",
      [watching.includes(" -r"), (yield* argv({})).includes(" -r")],
      [true, false],
    );
    const elsewhere = { tmux: "/somebody/else,1,0", pane: "%0" };
    const nested = tagOf(sessions.attachCommand("a", { from: elsewhere }));
    stage.is("inside another tmux", yield* nested, "Nested");
    stage.is("where that is meant", (yield* argv({ from: elsewhere, nest: true })) !== "", true);
    const inside = tagOf(sessions.attachCommand("a", { from: { incarnation: a.incarnation } }));
    stage.is("from inside of it", yield* inside, "SelfAttach");
    const { panePid } = a.terminals[0] ?? {};
    const leading = sessions.attachCommand("a", { from: { processSession: panePid ?? 0 } });
    stage.is("from its terminal", yield* tagOf(leading), "SelfAttach");
    stage.is(
      "no key",
      yield* tagOf(sessions.attachCommand("a", { prefix: "nothing" })),
      "TmuxRefused",
    );
    stage.is("nobody looks", yield* sessions.clients("a"), []);
    yield* stage.tmux.attach("a", "viewer");
    stage.is("somebody looks", (yield* sessions.clients("a")).length, 1);
    stage.is("not at the other", yield* sessions.clients("b"), []);
    yield* sessions.delete("a", { graceMs: 0 });
    stage.is("of what is deleted", yield* tagOf(sessions.attachCommand("a")), "NotFound");
    const listed = (options: Parameters<Sessions["Type"]["list"]>[0]) =>
      Effect.map(sessions.list(options), (list) =>
        list.sessions.map((s) => `${s.session} ${s.state} ${s.seen.state}`),
      );
    stage.is("what is there", yield* listed({}), ["b running present"]);
    stage.is("all", yield* listed({ all: true }), ["a deleted absent", "b running present"]);
    stage.is("early", yield* listed({ early: true }), ["b running present"]);
    yield* stage.tmux.crash;
    stage.is("when its server died", yield* listed({ early: true }), ["b running absent"]);
    stage.is("one", (yield* sessions.get("b")).seen.state, "absent");
  }),
);

/** What it comes to within a second; `null` where it lasts longer. */
const within = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A | null, E> =>
  Effect.map(Effect.timeoutOption(Effect.disconnect(effect), 1_000), Option.getOrNull);

const followed = play("who follows the log of a program that ends", (stage) =>
  Effect.gen(function* () {
    const own = yield* Scope.make();
    const { sessions } = yield* Scope.extend(stage.program("one"), own);
    yield* sessions.create(spec);
    const follow = tagOf(Stream.runDrain(sessions.events({ since: 0 })));
    const following = yield* Effect.fork(follow);
    stage.is("while it lives", yield* within(Fiber.join(following)), null);
    yield* Scope.close(own, Exit.void);
    stage.is("when it ends", yield* within(Fiber.join(following)), "Closing");
    stage.is("behind that", yield* within(follow), "Closing");
  }),
);

/** The worlds. */
export const readerPlays: ReadonlyArray<NamedWorld> = [
  ...[captured, printed, waited, logged],
  ...[followed, shown],
];
