/**
 * WindowPlays: terminals that users close, move and open beside ours, and terminals that are no
 * more: which of them a call means, and what it leaves alone.
 *
 * What somebody else has in a session stays while its program runs, whichever call comes.
 */
import { FakeTmux } from "@troupe/testing";
import { Effect } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { play, type Stage, tagOf } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

const running = ({ tmux }: Stage, program: string) =>
  Effect.map(
    tmux.processes,
    (all) => all.filter((p) => p.state === "running" && p.program.startsWith(program)).length,
  );

const userWindow = ({ tmux }: Stage, session: string) =>
  tmux.client(["new-window", "-d", "-t", `=${session}:`, "--", "cat"]);

const last = play(
  "the last terminal, a peer that a user closed, and a window of a user's",
  (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* stage.program("one");
      yield* sessions.create(spec);
      yield* userWindow(stage, "a");
      const refused = yield* Effect.either(sessions.deleteTerminal("a", "main", { graceMs: 0 }));
      const why =
        refused._tag === "Left" && refused.left._tag === "Busy" ? refused.left.reason : null;
      stage.is("beside a window of a user's", why, "windows");
      stage.is("that", [yield* running(stage, "cat"), yield* running(stage, "sleep")], [1, 1]);
      const { terminal } = yield* sessions.addTerminal(spec);
      const one = yield* sessions.deleteTerminal("a", "main", { graceMs: 0 });
      stage.is("beside a peer", one.sessionDeleted, false);
      yield* stage.tmux.client(["kill-window", "-t", terminal.windowId ?? ""]);
      stage.is("the peer was closed", (yield* sessions.get("a")).state, "running");
      const gone = yield* sessions.deleteTerminal("a", "t2", { graceMs: 0 }).pipe(Effect.either);
      stage.is(
        "the last, which is gone",
        gone._tag === "Left" ? gone.left._tag : gone.right.sessionDeleted,
        "Busy",
      );
      stage.is("the user's still", yield* running(stage, "cat"), 1);
      yield* sessions.delete("a", { graceMs: 0 });
      yield* sessions.create(spec);
      const peer = yield* sessions.addTerminal(spec);
      yield* stage.tmux.client(["kill-window", "-t", peer.terminal.windowId ?? ""]);
      const whole = yield* sessions.deleteTerminal("a", "main", { graceMs: 0 });
      stage.is("its peer was closed", whole.sessionDeleted, true);
      stage.is("nothing is lost", (yield* sessions.get("a")).state, "deleted");
    }),
);

const got: Array<string> = [];

/** Notes what it gets, and from which terminal. */
const reader = FakeTmux.program((run) => {
  run.raw();
  run.onInput((text) => void got.push(`${run.env.get("TROUPE_TERMINAL")} ${text}`));
});

const meant = play(
  "the terminal that is meant, and one that is no more",
  (stage) =>
    Effect.gen(function* () {
      got.length = 0;
      const { sessions } = yield* stage.program("one");
      const read = { ...spec, command: ["reader"] };
      yield* sessions.create(read);
      const [two, three] = [yield* sessions.addTerminal(read), yield* sessions.addTerminal(read)];
      stage.is("their names", [two.terminal.terminal, three.terminal.terminal], ["t2", "t3"]);
      yield* sessions.send("a", "x", { terminal: "t2" });
      yield* sessions.send("a", "y");
      yield* sessions.send("a", { text: "z", keys: ["Up"], enter: true }, { terminal: "t3" });
      stage.is("who got it", got.slice(0, 3), ["t2 x", "main y", "t3 z"]);
      yield* sessions.deleteTerminal("a", "t3", { graceMs: 0 });
      yield* sessions.deleteTerminal("a", "main", { graceMs: 0 });
      got.length = 0;
      stage.is(
        "one that is gone",
        yield* tagOf(sessions.send("a", "x", { terminal: "t3" })),
        "NotFound",
      );
      stage.is(
        "one that never was",
        yield* tagOf(sessions.send("a", "x", { terminal: "t9" })),
        "NotFound",
      );
      const first = yield* sessions.send("a", "x");
      stage.is("the first that is there", [first.terminal, got], ["t2", ["t2 x"]]);
      const next = yield* sessions.addTerminal(read);
      stage.is("no name comes twice", next.terminal.terminal, "t4");
      yield* stage.tmux.client(["kill-window", "-t", next.terminal.windowId ?? ""]);
      stage.is(
        "one that a user closed",
        yield* tagOf(sessions.send("a", "x", { terminal: "t4" })),
        "NotFound",
      );
      const again = yield* sessions.deleteTerminal("a", "t4");
      stage.is("its delete", [again.sessionDeleted, again.killed], [false, []]);
      const after = yield* sessions.addTerminal(read);
      stage.is("nor that one's", after.terminal.terminal, "t5");
      yield* sessions.reconcile("a");
      const rows = (yield* sessions.get("a")).terminals
        .map((t) => `${t.terminal} ${t.state}`)
        .sort();
      const gone = ["main gone", "t2 running", "t3 gone", "t4 gone", "t5 running"];
      stage.is("their rows", rows, gone);
    }),
  { tmux: { programs: { reader } } },
);

/** Links the window of `b` into `a`, where it is then alone. */
const guest = ({ tmux }: Stage) =>
  Effect.zipRight(
    tmux.client(["link-window", "-d", "-s", "=b:main", "-t", "=a:5"]),
    tmux.client(["kill-session", "-t", "=b"]),
  );

const guests = play("a guest, and every call that would end it", (stage) =>
  Effect.gen(function* () {
    const { sessions } = yield* stage.program("one");
    const b = yield* sessions.create({ ...spec, session: "b" });
    yield* sessions.create({ ...spec, command: ["cat"], ttlMs: 60_000 });
    yield* guest(stage);
    const calls: ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown>]> = [
      ["delete", sessions.delete("a", { graceMs: 0 })],
      ["by force", sessions.delete("a", { graceMs: 0, force: true })],
      ["in its place", sessions.create({ ...spec, replace: true })],
    ];
    for (const [what, call] of calls) stage.is(what, yield* tagOf(call), "Busy");
    yield* Effect.sleep(61_000);
    yield* sessions.reconcileAll;
    stage.is("its time is over", (yield* sessions.get("a")).state, "running");
    const [pane] = (yield* sessions.get("a")).terminals;
    yield* stage.tmux.exitProgram(pane?.paneId ?? "", 0);
    yield* sessions.reconcile("a");
    stage.is("a restore", yield* tagOf(sessions.restore("a")), "Busy");
    yield* sessions.gc({ olderThanMs: 0, exitedMs: 0 });
    const rows = [...stage.store.records.values()].map((r) => `${r.session} ${r.state}`);
    stage.is("the guest lives", yield* running(stage, "sleep"), 1);
    yield* stage.tmux.exitProgram(b.terminals[0]?.paneId ?? "", 0);
    yield* sessions.delete("a", { graceMs: 0 });
    const state = (yield* sessions.get("a")).state;
    stage.is("when it has ended", [rows.length, state], [2, "deleted"]);
  }),
);

/** The worlds. */
export const windowPlays: ReadonlyArray<NamedWorld> = [last, meant, guests];
