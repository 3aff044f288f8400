/**
 * TmuxHooksContract: what any `Tmux` must do in a server whose hooks rename what was just made, as
 * the cases of `TmuxContract`.
 *
 * A hook is set by a client beside, as a user does. What is made has its marks all the same, under
 * whatever name it has then, and nothing else is touched.
 */
import { type Created, type Target, TerminalId, Tmux } from "@troupe/core";
import { TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";
import { same } from "./RegistryContractCheck.js";
import { further, requestOf } from "./TmuxContract.js";

/** One thing that must hold; `TmuxTransport` is for the user beside. */
export interface TmuxHooksCase {
  readonly name: string;
  /** Fails, or dies, where it does not hold. */
  readonly holds: Effect.Effect<void, unknown, Tmux | TmuxTransport>;
}

const user = (...argv: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { run } = yield* TmuxTransport;
    const how = { stdin: null, startsServer: false, path: null, deadlineMs: 3_000 };
    const reply = yield* run({ ...how, argv, session: null, attempted: "use tmux" });
    yield* same(argv.join(" "), [reply.exitCode, reply.stderr], [0, ""]);
    return reply.stdout;
  });

/** Names, marks and terminals of every session. */
const listed = Effect.gen(function* () {
  const tmux = yield* Tmux;
  const listing = yield* tmux.list("contract");
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  return sessions.map((s) => [
    s.name,
    s.mark?.incarnation ?? null,
    ...s.terminals.map((t) => t.terminal),
  ]);
});

/** The session of ours in a server of its own that has this hook from the start on, or later. */
const createdIn = (hook: ReadonlyArray<string> | null) =>
  Effect.gen(function* () {
    const tmux = yield* Tmux;
    const { server, version } = yield* tmux.boot("contract");
    yield* user("new-session", "-d", "-s", "beside", "sleep 600");
    if (hook !== null) yield* user("set-hook", "-g", ...hook);
    const request = requestOf(server, ["sleep", "600"]);
    // Before 3.3 tmux does not tell which id the next session has: there it goes by its name.
    const made = hook === null || !/^3\.2/.test(version) ? yield* tmux.create(request) : null;
    if (made === null) return null;
    if (made._tag !== "Created") return yield* Effect.dieMessage(`create: ${made._tag}`);
    return { tmux, target: targetOf(server, made), name: made.session.name };
  });

const targetOf = (server: Target["server"], { session }: Created): Target => {
  const { epoch, mark, session: name } = requestOf(server, []);
  const { sessionId } = session;
  return { session: name, epoch, server, sessionId, incarnation: mark.incarnation };
};

/** The cases. */
export const tmuxHooksContract: ReadonlyArray<TmuxHooksCase> = [
  {
    name: "a session that a hook renames is made, and no value stays in its environment",
    holds: Effect.gen(function* () {
      const made = yield* createdIn(["after-new-session", "rename-session renamed"]);
      if (made === null) return;
      yield* same("name", made.name, "contract");
      yield* same("listed", yield* listed, [
        ["beside", null, null],
        ["renamed", "contract-0001", "main"],
      ]);
      const shown = yield* user("show-environment", "-t", `${made.target.sessionId}:`);
      yield* same("values", shown.includes("contract-secret"), false);
    }),
  },
  {
    name: "a window that a hook renames is added, and has its name in the end",
    holds: Effect.gen(function* () {
      const made = yield* createdIn(null);
      if (made === null) return;
      const { target, tmux } = made;
      yield* user("set-hook", "-g", "after-new-window", "rename-window main");
      for (const terminal of ["t2", "t3"].map((name) => TerminalId.make(name))) {
        const added = yield* tmux.addTerminal({ ...further(target, ["sleep", "600"]), terminal });
        yield* same("added", added._tag, "Added");
      }
      yield* same("listed", yield* listed, [
        ["beside", null, null],
        ["contract", "contract-0001", "main", "t2", "t3"],
      ]);
      const windows = ["list-windows", "-t", `${target.sessionId}:`, "-F", "#{window_name}"];
      const names = yield* user(...windows);
      yield* same("names", names, "main\nt2\nt3\n");
    }),
  },
];
