/**
 * TmuxContract: what any `Tmux` must do, on whatever transport: named effects, run on the fake and
 * on a real tmux.
 *
 * Each begins on a machine on which no server of ours runs. It dies with what did not hold; no test
 * framework is inside. Time passes as the clock of whoever runs it says.
 */
import {
  type Added,
  type AddTerminal,
  type CreateSession,
  IncarnationId,
  type Listing,
  type SeenSession,
  type ServerId,
  SessionName,
  type Target,
  TerminalId,
  type TerminalTarget,
  Tmux,
} from "@troupe/core";
import { Effect, Redacted } from "effect";
import { same } from "./RegistryContractCheck.js";

/** One thing that must hold. */
export interface TmuxCase {
  readonly name: string;
  /** Fails, or dies, where it does not hold. */
  readonly holds: Effect.Effect<void, unknown, Tmux>;
}

const session = SessionName.make("contract");
const mark = { incarnation: IncarnationId.make("contract-0001"), home: "contract", generation: 1 };
const terminal = TerminalId.make("main");

/** What makes the session of ours on this server. */
export const requestOf = (server: ServerId, command: ReadonlyArray<string>): CreateSession => ({
  session,
  epoch: 3,
  server,
  mark,
  terminal,
  spec: {
    command,
    cwd: "/",
    envNames: ["TOKEN"],
    inheritEnv: false,
    log: true,
    columns: 80,
    rows: 24,
  },
  recording: null,
  base: new Map([["PATH", "/usr/bin:/bin"]]),
  environment: new Map([["TOKEN", Redacted.make("contract-secret")]]),
});

const sessionsOf = (listing: Listing): ReadonlyArray<SeenSession> =>
  listing._tag === "Server" ? listing.sessions : [];

/** A session of ours on a fresh server. */
export const created = (command: ReadonlyArray<string> = ["sleep", "600"]) =>
  Effect.gen(function* () {
    const tmux = yield* Tmux;
    const { server } = yield* tmux.boot("contract");
    const made = yield* tmux.create(requestOf(server, command));
    if (made._tag !== "Created") return yield* Effect.dieMessage(`create: ${made._tag}`);
    const { sessionId } = made.session;
    const target: Target = { session, epoch: 3, server, sessionId, incarnation: mark.incarnation };
    return { tmux, server, made: made.session, target };
  });

const second = TerminalId.make("t2");

/** What adds a further terminal to it. */
export const further = (target: Target, command: ReadonlyArray<string>): AddTerminal => ({
  ...target,
  terminal: second,
  command,
  cwd: "/",
  recording: null,
  base: new Map([["PATH", "/usr/bin:/bin"]]),
  environment: new Map([["ONE", Redacted.make("00")]]),
});

const paneOf = (target: Target, { terminal: { paneId, windowId } }: Added): TerminalTarget => ({
  ...target,
  terminal: second,
  paneId,
  windowId,
});

/** Kills, and counts the panes that the look behind it saw. */
const panesAfter = (target: TerminalTarget) =>
  Effect.gen(function* () {
    const tmux = yield* Tmux;
    const killed = yield* tmux.killTerminal(target);
    if (killed._tag !== "Looked") return yield* Effect.dieMessage(`kill: ${killed._tag}`);
    return sessionsOf(killed.listing).flatMap((seen) => seen.terminals).length;
  });

/** Asks until the answer is so, at most a few hundred times; the last answer. */
export const eventually = <A, E, R>(
  ask: Effect.Effect<A, E, R>,
  isSo: (answer: A) => boolean,
): Effect.Effect<A, E, R> => Effect.repeat(ask, { until: isSo, times: 250 });

/** A case. */
export const named = (name: string, holds: TmuxCase["holds"]): TmuxCase => ({ name, holds });

/** The cases. */
export const tmuxContract: ReadonlyArray<TmuxCase> = [
  named(
    "before a boot nobody answers, and a boot twice gives the same server",
    Effect.gen(function* () {
      const tmux = yield* Tmux;
      yield* same("before", (yield* tmux.list("contract"))._tag, "NoServer");
      const { server } = yield* tmux.boot("contract");
      yield* same("again", (yield* tmux.boot("contract")).server, server);
      yield* same("empty", sessionsOf(yield* tmux.list("contract")), []);
    }),
  ),
  named(
    "a created session is listed with its mark, its pane and a program that lives",
    Effect.gen(function* () {
      const { made, tmux } = yield* created();
      yield* same("listed", sessionsOf(yield* tmux.list("contract")), [made]);
      yield* same("mark", made.mark, mark);
      yield* same(
        "exits",
        made.terminals.map((t) => [t.terminal, t.exit]),
        [[terminal, null]],
      );
    }),
  ),
  named(
    "a name that is taken is NameTaken, and what has it stays",
    Effect.gen(function* () {
      const { made, server, tmux } = yield* created();
      const again = yield* tmux.create(requestOf(server, ["sleep", "600"]));
      yield* same("again", again._tag, "NameTaken");
      yield* same("listed", sessionsOf(yield* tmux.list("contract")), [made]);
    }),
  ),
  named(
    "a kill is bound to the server, the id and the mark, and a second one finds it gone",
    Effect.gen(function* () {
      const { target, tmux } = yield* created();
      const other = { ...target, incarnation: IncarnationId.make("contract-0002") };
      yield* same("other mark", (yield* tmux.kill(other))._tag, "Gone");
      const elsewhere = { ...target, server: { ...target.server, startTime: 1 } };
      yield* same("other server", (yield* tmux.kill(elsewhere))._tag, "Elsewhere");
      yield* same("stays", sessionsOf(yield* tmux.list("contract")).length, 1);
      yield* same("kill", (yield* tmux.kill(target))._tag, "Gone");
      yield* same("again", (yield* tmux.kill(target))._tag, "Gone");
      yield* same("listed", sessionsOf(yield* tmux.list("contract")), []);
    }),
  ),
  named(
    "a raised fence refuses what was asked for under an older epoch, and is never lowered",
    Effect.gen(function* () {
      const { server, target, tmux } = yield* created();
      yield* same("unraised", yield* tmux.fenceOf(session, server), 0);
      yield* tmux.fence({ session, epoch: 4 }, "contract");
      yield* tmux.fence({ session, epoch: 2 }, "contract");
      yield* same("raised", yield* tmux.fenceOf(session, server), 4);
      yield* same("other", yield* tmux.fenceOf(session, { ...server, startTime: 1 }), null);
      yield* same("kill", (yield* tmux.kill(target))._tag, "Stale");
      const create = yield* tmux.create({ ...requestOf(server, ["sleep", "600"]), epoch: 3 });
      yield* same("create", create._tag, "Stale");
      const newer = { ...target, epoch: 4 };
      yield* same("newer", (yield* tmux.kill(newer))._tag, "Gone");
    }),
  ),
  named(
    "a further terminal is listed with its mark beside the first, and has its values alone",
    Effect.gen(function* () {
      const { made, target, tmux } = yield* created();
      const added = yield* tmux.addTerminal(further(target, ["sh", "-c", "exec sleep 6$ONE"]));
      if (added._tag !== "Added") return yield* Effect.dieMessage(`add: ${added._tag}`);
      yield* same("mark", [added.terminal.terminal, added.terminal.exit], [second, null]);
      const [listed] = sessionsOf(yield* tmux.list("contract"));
      yield* same("listed", listed?.terminals, [...made.terminals, added.terminal]);
    }),
  ),
  named(
    "a terminal is added and killed only in its session, server and epoch",
    Effect.gen(function* () {
      const { made, target, tmux } = yield* created();
      const command = ["sleep", "600"];
      const elsewhere = { ...target, server: { ...target.server, startTime: 1 } };
      const other = { ...target, incarnation: IncarnationId.make("contract-0002") };
      const absent = { ...target, sessionId: "$99" };
      for (const wrong of [elsewhere, other, absent]) {
        const reply = yield* tmux.addTerminal(further(wrong, command));
        yield* same("add", reply._tag, "Elsewhere");
      }
      yield* same("still", sessionsOf(yield* tmux.list("contract")), [made]);
      const added = yield* tmux.addTerminal(further(target, command));
      if (added._tag !== "Added") return yield* Effect.dieMessage(`add: ${added._tag}`);
      yield* same(
        "other server",
        (yield* tmux.killTerminal(paneOf(elsewhere, added)))._tag,
        "Elsewhere",
      );
      yield* same("other mark", yield* panesAfter(paneOf(other, added)), 2);
      const peer = { ...paneOf(target, added), paneId: made.terminals[0]?.paneId ?? "" };
      yield* same("a peer's pane", yield* panesAfter(peer), 2);
      yield* tmux.fence({ session, epoch: 4 }, "contract");
      yield* same("stale add", (yield* tmux.addTerminal(further(target, command)))._tag, "Stale");
      yield* same("stale", (yield* tmux.killTerminal(paneOf(target, added)))._tag, "Stale");
      yield* same("kill", yield* panesAfter(paneOf({ ...target, epoch: 4 }, added)), 1);
      yield* same("again", yield* panesAfter(paneOf({ ...target, epoch: 4 }, added)), 1);
      yield* same("peer", sessionsOf(yield* tmux.list("contract")), [made]);
    }),
  ),
  named(
    "a server with a session is kept, and an empty one stops",
    Effect.gen(function* () {
      const { server, target, tmux } = yield* created();
      yield* same("kept", yield* tmux.stop(server), "kept");
      yield* tmux.kill(target);
      yield* same("other", yield* tmux.stop({ ...server, startTime: 1 }), "elsewhere");
      yield* same("stopping", yield* tmux.stop(server), "stopping");
    }),
  ),
];
