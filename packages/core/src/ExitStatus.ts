/**
 * ExitStatus: how a program ended, asked for until the server knows.
 *
 * tmux calls a pane dead when its program closed the terminal, which may be before the server has
 * reaped it; then neither code nor signal is told (measured on 3.3a: 5 of 45 runs). It may even
 * have missed the end: while its utempter helper runs, SIGCHLD is lost. Another one mends that.
 * What is not known at the bound stays unknown, and is looked at again by whoever looks next.
 */
import { Effect } from "effect";
import type { ServerId } from "./Identity.js";
import { lookUntil } from "./LookUntil.js";
import { ProcessTable } from "./ProcessTable.js";
import type { ProgramExit } from "./Session.js";
import { Settings } from "./Settings.js";
import type { Listing, SeenSession } from "./Tmux.js";

/** Whether it is known how a program ended, if it did. */
export const isKnown = (exit: ProgramExit | null): boolean =>
  exit === null || exit.code !== null || exit.signal !== null;

/** Has the server reap what ended; the next look tells of it. */
export const reap = Effect.fnUntraced(function* (server: ServerId) {
  const processes = yield* ProcessTable;
  const entry = yield* processes.look(server.pid);
  if (entry !== null) yield* processes.signal(entry.id, "CHLD");
});

/** The server reaps; where it cannot be told to, how a program ended stays unknown. */
export const tryReap = (server: ServerId) =>
  Effect.catchTag(reap(server), "LookupFailed", () => Effect.void);

/** Whether it is told of every pane of ours that ended how it did. */
export const exitsKnown = (session: SeenSession): boolean =>
  session.terminals.every((t) => t.terminal === null || isKnown(t.exit));

/** The session as it is when the server has reaped what ended, or at the bound of a kill. */
export const untilReaped = <E, R>(
  server: ServerId,
  first: SeenSession,
  look: Effect.Effect<SeenSession, E, R>,
) =>
  Effect.gen(function* () {
    const { killBoundMs, lookSpacingMs } = yield* Settings;
    let session = first;
    const again = Effect.gen(function* () {
      if (exitsKnown(session)) return true;
      yield* reap(server);
      session = yield* look;
      return false;
    });
    yield* lookUntil({ boundMs: killBoundMs, spacingMs: lookSpacingMs }, again);
    return session;
  });

/**
 * A listing for one who reads; when it does not tell how a program in one of these sessions ended,
 * the one behind it, for which the server was asked to reap: once, so that no reader waits.
 */
export const onceReaped = <E, R>(
  listing: Listing,
  isAsked: (session: SeenSession) => boolean,
  list: Effect.Effect<Listing, E, R>,
) => {
  if (listing._tag !== "Server") return Effect.succeed(listing);
  const isTold = listing.sessions.every((s) => !isAsked(s) || exitsKnown(s));
  return isTold ? Effect.succeed(listing) : Effect.zipRight(tryReap(listing.server), list);
};
