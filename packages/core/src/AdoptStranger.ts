/**
 * AdoptStranger: taking a session under management that troupe did not make, because it was asked.
 *
 * The session is marked first, and then taken up as any session with our mark that no row knows.
 * The mark is the intent: a program that dies behind it leaves what the next reconcile takes up. A
 * row of intent would be undone by a reconcile, which would kill what a user made. An adopt that
 * fails takes its own mark off again, where it is known that no row was written. One that carries a
 * mark of another home, or half of one, is refused.
 */
import { Effect, Option } from "effect";
import { adoptSession, missingNow, namedIn, provenMissing } from "./Adopt.js";
import { FIRST } from "./Create.js";
import { loginShell } from "./Creation.js";
import { unlessOvertaken } from "./HigherFence.js";
import type { Holding } from "./Holding.js";
import { Host } from "./Host.js";
import { TerminalId } from "./Identity.js";
import { Ids } from "./Ids.js";
import { isFinal } from "./Lifecycle.js";
import { listProven } from "./ListenAgain.js";
import { noOtherServer } from "./OtherServer.js";
import { Registry } from "./Registry.js";
import type { SessionSpec } from "./Session.js";
import { AlreadyExists, ForeignSession } from "./SessionError.js";
import type { Stranger } from "./SessionMarks.js";
import { Settings } from "./Settings.js";
import { type Listing, type SeenSession, Tmux } from "./Tmux.js";

const attempted = "adopt";

type Server = Extract<Listing, { readonly _tag: "Server" }>;

/** What was started, as an argv. tmux tells it quoted; a word alone was handed to a shell. */
const commandOf = (host: Host["Type"], told: string): ReadonlyArray<string> => {
  if (told === "") return loginShell(host);
  const [, word] = /^"((?:[^"\\]|\\.)*)"$/.exec(told) ?? [];
  return ["/bin/sh", "-c", word === undefined ? told : word.replace(/\\(.)/g, "$1")];
};

const specOf = (host: Host["Type"], { columns, command, cwd, rows }: Stranger): SessionSpec => ({
  command: commandOf(host, command),
  cwd: cwd.startsWith("/") ? cwd : "/",
  envNames: [],
  inheritEnv: false,
  log: false,
  columns,
  rows,
});

/** Marks the session, or fails; a list with an unknown outcome is looked up behind the fence. */
const markSession = Effect.fnUntraced(function* (
  holding: Holding,
  seen: SeenSession,
  { server }: Server,
  generation: number,
) {
  const tmux = yield* Tmux;
  const { home } = yield* Settings;
  const { session } = holding;
  const told = yield* tmux.stranger(seen, server);
  if (told === null) return yield* missingNow(holding, yield* holding.look(attempted));
  const ids = yield* Ids;
  const incarnation = yield* ids.incarnation;
  const own = seen.terminals.filter(({ stranger }) => !stranger);
  const request = {
    server,
    sessionId: seen.sessionId,
    mark: { incarnation, home, generation },
    spec: specOf(yield* Host, told),
    // A pane of another session of ours, or in a window that is elsewhere too, stays that.
    panes: own.map(({ paneId }, at) => ({
      paneId,
      terminal: at === 0 ? FIRST : TerminalId.make(`t${at + 1}`),
    })),
  };
  const marked = yield* unlessOvertaken(holding, { server, attempted }, () =>
    tmux
      .adopt({ ...holding.fence(), ...request })
      .pipe(
        Effect.catchTag("LookupFailed", (failure) =>
          Effect.succeed({ _tag: "Unknown" as const, failure }),
        ),
      ),
  );
  if (marked._tag === "Unknown") yield* holding.outcomeUnknown;
  const listing = yield* holding.look(attempted);
  const now = namedIn(listing, session);
  if (now?.mark?.incarnation === incarnation) return listing;
  if (marked._tag === "Unknown") return yield* marked.failure;
  if (now === undefined) return yield* missingNow(holding, listing);
  return yield* new ForeignSession({ session, attempted, sessionId: now.sessionId });
});

/**
 * Takes the mark off again behind an adopt that failed. Where a row knows it, or that cannot be
 * read, or tmux does not answer, it stays, and the next reconcile takes the session up.
 */
const disown = Effect.fnUntraced(function* (holding: Holding, marked: Listing) {
  const seen = namedIn(marked, holding.session);
  if (marked._tag === "NoServer" || seen === undefined || seen.mark === null) return;
  const registry = yield* Registry;
  const tmux = yield* Tmux;
  const { incarnation } = seen.mark;
  if (Option.isSome(yield* registry.find(incarnation))) return;
  const { server } = marked;
  const panes = seen.terminals
    .filter((t) => !t.stranger && t.terminal !== null)
    .map((t) => t.paneId);
  yield* tmux.disown({ ...holding.fence(), server, sessionId: seen.sessionId, incarnation, panes });
});

/** Takes up what was marked just now, or leaves it as it was. */
const takeUp = (holding: Holding, marked: Listing) =>
  adoptSession(holding, marked).pipe(
    Effect.tapErrorCause(() =>
      disown(holding, marked).pipe(
        // It may still come: whoever looks next does that behind a fence.
        Effect.tapErrorTag("LookupFailed", () => holding.leaveUnknown),
        Effect.catchAll((failure) => Effect.logWarning("a mark of an adopt stays", failure)),
      ),
    ),
  );

/** Takes the session of this name under management; its record as it is then. */
export const adoptStranger = Effect.fn("Sessions.adopt.flow")(function* (holding: Holding) {
  const { session } = holding;
  const { home } = yield* Settings;
  const known = Option.getOrNull(yield* holding.newest);
  if (known !== null && !isFinal(known.state)) {
    return yield* new AlreadyExists({ session, attempted, state: known.state });
  }
  const listing = yield* holding.look(attempted);
  const seen = namedIn(listing, session);
  if (seen === undefined || listing._tag === "NoServer") {
    return yield* provenMissing(holding, listing, attempted);
  }
  const { mark, sessionId } = seen;
  if (mark !== null && mark.home !== home) {
    return yield* new ForeignSession({ session, attempted, sessionId });
  }
  yield* noOtherServer(session, attempted, listing.server);
  const generation = (known?.generation ?? 0) + 1;
  if (mark !== null) return yield* adoptSession(holding, listing);
  return yield* takeUp(holding, yield* markSession(holding, seen, listing, generation));
});

/** Whether tmux has a session of this name at all; one that it has not needs no claim. */
export const isInTmux = Effect.fnUntraced(function* (session: string) {
  const listing = yield* listProven(attempted);
  return namedIn(listing, session) !== undefined;
});
