/**
 * MakePlays: what a session is made as: each option of a create and of a further terminal.
 *
 * And everything that is refused before anything is done, of every verb, by its name: no row is
 * written then, and tmux is asked nothing.
 */
import { Host } from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { Effect, Layer, Redacted } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { play, type Stage, tagOf } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

/** Fails a while after its start. */
const failing = FakeTmux.program((run) => run.after(300, () => run.exit(3)));

/** Where it was started, and in which size. */
const seenOf = ({ tmux }: Stage, session: string) => {
  const format = "#{pane_current_path} #{window_width}x#{window_height}";
  const asked = tmux.client(["list-panes", "-t", `=${session}:`, "-F", format]);
  return Effect.map(asked, ({ stdout }) => stdout.trim());
};

const made = play(
  "what a session is made as",
  (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* stage.program("one");
      yield* sessions.create({ ...spec, cwd: "/srv", columns: 90, rows: 30 });
      stage.is("size and directory", yield* seenOf(stage, "a"), "/srv 90x30");
      yield* sessions.create({ session: "b", log: false });
      stage.is("what is not said", yield* seenOf(stage, "b"), "/home/tester 200x50");
      const recorded = (yield* stage.tmux.pipes).map(({ command }) => command.includes("mkdir"));
      stage.is("recorded or not", recorded, [true, false]);
      const b = yield* sessions.get("b");
      stage.is("a login shell", b.spec.command, ["/bin/shell", "-l"]);
      stage.is("no limit", b.limitAt, null);
      const idle = sessions.create({ ...spec, session: "c", log: false, idleTtlMs: 1 });
      stage.is("idle and not recorded", (yield* Effect.exit(idle))._tag, "Failure");
      stage.is("and not made", yield* tagOf(sessions.get("c")), "NotFound");
      const limited = yield* sessions.create({
        ...spec,
        session: "c",
        ttlMs: 5_000,
        idleTtlMs: 9_000,
      });
      stage.is("a limit", limited.limitAt, limited.createdAt + 5_000);
      const slow = { ...spec, session: "d", command: ["failing"] };
      const windowed = sessions.create({ ...slow, startWindowMs: 1_000 });
      stage.is("within its window", yield* tagOf(windowed), "StartFailed");
      const short = yield* sessions.create({ ...slow, startWindowMs: 200 });
      stage.is("behind its window", short.state, "running");
      const added = sessions.addTerminal({ ...slow, session: "a", startWindowMs: 1_000 });
      stage.is("a terminal within its window", yield* tagOf(added), "StartFailed");
      const none = yield* sessions.addTerminal({ session: "a", startWindowMs: 0 });
      stage.is("a terminal without one", none.terminal.state, "running");
      stage.is("a login shell, too", none.terminal.command, ["/bin/shell", "-l"]);
      const at = yield* stage.tmux.client([
        "list-panes",
        "-s",
        "-t",
        "=a",
        "-F",
        "#{pane_current_path}",
      ]);
      stage.is("where the session is", at.stdout, "/srv\n/srv\n");
    }),
  {
    tmux: { programs: { failing, shell: FakeTmux.program(() => undefined) } },
    host: { environment: { PATH: "/bin", SHELL: "/bin/shell" } },
  },
);

/** What can be wrong of a create. */
interface Options {
  readonly session: string;
  readonly command: ReadonlyArray<string>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | Redacted.Redacted<string>>>;
  readonly columns: number;
  readonly startWindowMs: number;
  readonly ttlMs: number;
}

/** Everything that is refused before anything is done, and by what name. */
const refusals: ReadonlyArray<readonly [string, Partial<Options>, string]> = [
  ["a name with a colon", { session: "a:b" }, "InvalidName"],
  ["no name", { session: "" }, "InvalidName"],
  ["a directory that is none", { cwd: "/missing" }, "InvalidCwd"],
  ["a directory from somewhere", { cwd: "srv" }, "InvalidCwd"],
  ["a program that is none", { command: ["/missing"] }, "StartFailed"],
  ["no word", { command: [] }, "StartFailed"],
  ["a word with a NUL", { command: ["sh", "\0"] }, "StartFailed"],
  ["too many words", { command: Array.from({ length: 3_000 }, () => "x") }, "StartFailed"],
  ["no name of a variable", { env: { "1A": "x" } }, "InvalidEnv"],
  ["a variable of tmux", { env: { TMUX: "x" } }, "InvalidEnv"],
  ["a variable of ours", { env: { TROUPE_INCARNATION: "x" } }, "InvalidEnv"],
  ["a value with a NUL", { env: { A: Redacted.make("\0") } }, "InvalidEnv"],
  ["a value that is too large", { env: { A: "x".repeat(200_000) } }, "InvalidEnv"],
  ["no columns", { columns: -1 }, "died"],
  ["half a window", { startWindowMs: Number.NaN }, "died"],
  ["a limit before now", { ttlMs: -1 }, "died"],
];

const refused = play(
  "what is refused before anything is done",
  (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* stage.program("one");
      for (const [what, options, expected] of refusals) {
        const exit = yield* Effect.exit(tagOf(sessions.create({ ...spec, ...options })));
        stage.is(what, exit._tag === "Success" ? exit.value : "died", expected);
      }
      const rows = [stage.store.records.size, stage.store.claims.size];
      stage.is("what was written", rows, [0, 0]);
      stage.is("what was asked of tmux", (yield* stage.tmux.requests).length, 0);
      yield* sessions.create(spec);
      const asked = (yield* stage.tmux.requests).length;
      const more: ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown>, string]> = [
        ["a name that nobody used", sessions.delete("b"), "NotFound"],
        ["a terminal of it", sessions.deleteTerminal("b", "main"), "NotFound"],
        ["input for it", sessions.send("b", "x"), "NotFound"],
        ["values for it", sessions.setEnv("b", {}), "NotFound"],
        ["a value that is none", sessions.setEnv("a", { "=": "x" }), "InvalidEnv"],
        ["a NUL", sessions.send("a", "\0"), "TmuxRefused"],
        ["no key", sessions.send("a", { keys: ["Nothing"] }), "TmuxRefused"],
        ["half a character", sessions.send("a", "\ud800"), "TmuxRefused"],
        ["two conditions", sessions.wait("a", { text: "a\nb" }), "InvalidCondition"],
        ["no time", sessions.wait("a", { idleMs: 0 }), "InvalidCondition"],
        ["no pattern", sessions.wait("a", { regex: "(" }), "InvalidCondition"],
      ];
      for (const [what, call, expected] of more) stage.is(what, yield* tagOf(call), expected);
      // A name without a row is looked for in a server that lives, once for each who asks.
      stage.is("what was asked then", (yield* stage.tmux.requests).length - asked, 0);
    }),
  {
    host: { missingDirectories: ["/missing"], missingPrograms: ["/missing"] },
  },
);

/** A machine whose programs are told no PATH, and where one of them is. */
const pathless = Layer.succeed(Host, {
  environment: new Map(),
  undecodable: new Set<string>(),
  cwd: Effect.succeed("/"),
  directory: () => Effect.succeed("ok"),
  program: (path) => Effect.succeed(path === "/usr/bin/sleep" ? "ok" : "missing"),
});

const looked = play(
  "a program that is looked for where there is no PATH",
  (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* stage.program("one");
      const told = (call: Effect.Effect<unknown, unknown>) => tagOf(Effect.asVoid(call));
      const other = { ...spec, command: ["other"] };
      stage.is("one that is nowhere", yield* told(sessions.create(other)), "StartFailed");
      stage.is("made", yield* told(sessions.create(spec)), "ok");
      stage.is("added", yield* told(sessions.addTerminal(spec)), "ok");
      stage.is("added, nowhere", yield* told(sessions.addTerminal(other)), "StartFailed");
      yield* stage.tmux.crash;
      stage.is("restored", yield* told(sessions.restore("a")), "ok");
      const elsewhere = { ...spec, session: "b", env: { PATH: "/elsewhere" } };
      stage.is("with a PATH", yield* told(sessions.create(elsewhere)), "StartFailed");
    }),
  { hostLayer: pathless },
);

/** The worlds. */
export const makePlays: ReadonlyArray<NamedWorld> = [made, refused, looked];
