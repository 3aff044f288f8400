/**
 * TerminalPlays: two terminals of one session, as rows and readers tell of them: of each what
 * became of it, and of the session what follows from both.
 *
 * Nothing happens to them at once; what is told of the first is never taken for all.
 */
import { Effect } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { type PlayedProgram, play, type Stage, tagOf } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

/** A session with a second terminal; the panes of both. */
const madeOf = ({ sessions }: PlayedProgram) =>
  Effect.gen(function* () {
    const { terminals } = yield* sessions.create(spec);
    const { terminal } = yield* sessions.addTerminal(spec);
    return [...terminals, terminal].map(({ paneId, panePid }) => ({
      pane: paneId ?? "",
      pid: panePid ?? 0,
    }));
  });

/** The state of the session, and of each terminal with how its program ended. */
const toldOf = ({ sessions }: PlayedProgram) =>
  Effect.map(sessions.get("a"), ({ seen, state, terminals }) => ({
    rows: [state, ...terminals.map((t) => `${t.terminal} ${t.state} ${t.exit?.code ?? ""}`.trim())],
    seen: seen.terminals.map((t) => `${t.terminal} ${t.exit?.code ?? "runs"}`),
  }));

const oneByOne = play("two terminals, whose programs end one after the other", (stage) =>
  Effect.gen(function* () {
    const one = yield* stage.program("one");
    const [main, second] = yield* madeOf(one);
    yield* stage.tmux.exitProgram(main?.pane ?? "", 3);
    yield* one.sessions.reconcile("a");
    const first = yield* toldOf(one);
    stage.is("when the first has ended", first.rows, ["running", "main exited 3", "t2 running"]);
    stage.is("and seen", first.seen, ["main 3", "t2 runs"]);
    stage.is("a restore", yield* tagOf(one.sessions.restore("a")), "AlreadyExists");
    yield* one.sessions.gc({ exitedMs: 0 });
    stage.is("behind a gc of what exited", (yield* one.sessions.get("a")).state, "running");
    yield* stage.tmux.exitProgram(second?.pane ?? "", 4, { unreaped: true });
    yield* one.sessions.reconcile("a");
    const both = yield* toldOf(one);
    stage.is("when both have", both.rows, ["exited", "main exited 3", "t2 exited 4"]);
    stage.is("and they are seen", both.seen, ["main 3", "t2 4"]);
  }),
);

const atOnce = play("two terminals, whose programs end at once", (stage) =>
  Effect.gen(function* () {
    const one = yield* stage.program("one");
    const panes = yield* madeOf(one);
    for (const [at, { pane }] of panes.entries()) yield* stage.tmux.exitProgram(pane, at + 3);
    yield* one.sessions.reconcile("a");
    const { rows } = yield* toldOf(one);
    stage.is("when both have ended", rows, ["exited", "main exited 3", "t2 exited 4"]);
  }),
);

/** What `TMUX` says in a session of this number. */
const inside = ({ tmux }: Stage, session: number) =>
  Effect.map(
    tmux.client(["display-message", "-p", `#{socket_path},#{pid},${session}`]),
    ({ stdout }) => stdout.trim(),
  );

const attached = play("a session that is attached to from its second terminal", (stage) =>
  Effect.gen(function* () {
    const one = yield* stage.program("one");
    const [, second] = yield* madeOf(one);
    const { sessions } = one;
    yield* sessions.create({ ...spec, session: "b" });
    const tmux = yield* inside(stage, 1);
    const byPane = sessions.attachCommand("a", { from: { tmux, pane: second?.pane ?? "" } });
    stage.is("its pane", yield* tagOf(byPane), "SelfAttach");
    const byTerminal = sessions.attachCommand("a", { from: { processSession: second?.pid ?? 0 } });
    stage.is("its terminal", yield* tagOf(byTerminal), "SelfAttach");
  }),
);

/** The worlds. */
export const terminalPlays: ReadonlyArray<NamedWorld> = [oneByOne, atOnce, attached];
