/**
 * Attach: the flow from a name to the argv that shows its session on the caller's terminal.
 *
 * It looks, decides by where the caller is, and starts nothing: outside tmux a new client, inside
 * our own server the client that is there, inside another server a nested one if that was asked
 * for, and in the session itself nothing. It never makes a session, takes no claim and writes no
 * row. A session whose programs have ended is shown as tmux keeps it.
 */
import { Effect, Option } from "effect";
import type { AttachRequest } from "./AttachClient.js";
import { Nested, SelfAttach } from "./AttachError.js";
import { keyOf } from "./Keys.js";
import { isFinal } from "./Lifecycle.js";
import { Registry } from "./Registry.js";
import type { ProgramExit, SessionRecord } from "./Session.js";
import { ForeignSession, NotFound, TmuxRefused } from "./SessionError.js";
import type { AttachFailure } from "./SessionFailures.js";
import { parseSessionName, type SessionName } from "./SessionName.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { type Listing, type SeenSession, Tmux } from "./Tmux.js";

const attempted = "attach";

const PREFIX = "C-a";

/** Where the caller is, as its environment and its terminal tell. Empty texts count as none. */
export interface AttachFrom {
  /** `TMUX`: the socket, the server's pid and a session of it. */
  readonly tmux?: string | undefined;
  /** `TMUX_PANE`. */
  readonly pane?: string | undefined;
  /** The mark of a session (`MARK_VARIABLE`), which its programs find in their environment. */
  readonly incarnation?: string | undefined;
  /** The process session of the caller, by its leader's pid: a pane's program leads its own. */
  readonly processSession?: number | undefined;
}

/** How a session is to be shown. */
export interface AttachOptions {
  /** Outside of everything, unless given. */
  readonly from?: AttachFrom | undefined;
  readonly readOnly?: boolean | undefined;
  /** Also inside another tmux server. Changes nothing where the caller is in none. */
  readonly nest?: boolean | undefined;
  /** The prefix of a nested one; `C-a` unless given. */
  readonly prefix?: string | undefined;
  /** A text of tmux's `bind-key` and `unbind-key` commands, for the server, until it ends. */
  readonly keys?: string | undefined;
}

/**
 * What shows the session. `attach` is a client that lives on the terminal of whoever runs it, and
 * ends when it is detached or the session ends; `switch` ends at once. `exit` is how the first
 * program ended, `null` while it runs. With `TMUX` in its environment a new client refuses to run.
 */
export interface AttachCommand {
  readonly how: "attach" | "switch";
  readonly argv: ReadonlyArray<string>;
  readonly record: SessionRecord;
  readonly exit: ProgramExit | null;
}

/** The method of `Sessions`. */
export type AttachTo = (
  session: string,
  options?: AttachOptions,
) => Effect.Effect<AttachCommand, AttachFailure>;

/** The session as tmux has it, of a row that is to be shown. */
const shown = Effect.fnUntraced(function* (session: SessionName, listing: Listing) {
  const registry = yield* Registry;
  const { home } = yield* Settings;
  const record = Option.getOrNull(yield* registry.get(session));
  if (record === null) {
    const sessions = listing._tag === "Server" ? listing.sessions : [];
    const named = sessions.find(({ name }) => name === session);
    if (named === undefined || named.mark?.home === home) {
      return yield* new NotFound({ session, attempted });
    }
    return yield* new ForeignSession({ session, attempted, sessionId: named.sessionId });
  }
  const { state } = record;
  if (isFinal(state)) return yield* new NotFound({ session, attempted, state });
  const observed = yield* observe(record, listing, attempted);
  if (listing._tag === "Server" && observed._tag === "Present" && state !== "deleting") {
    return { record, seen: observed.session, listing };
  }
  const gone = state === "creating" || state === "deleting" ? state : "lost";
  return yield* new NotFound({ session, attempted, state: gone });
});

type Shown = Effect.Effect.Success<ReturnType<typeof shown>>;

/** Where the caller is; `session` is `null` where our server does not know the pane any more. */
type Situation =
  | { readonly _tag: "Outside" }
  | { readonly _tag: "Inside"; readonly session: SeenSession | null }
  | { readonly _tag: "Elsewhere"; readonly socket: string };

const situationOf = Effect.fnUntraced(function* (from: AttachFrom, { listing }: Shown) {
  const { attach } = yield* Tmux;
  const outside: Situation = { _tag: "Outside" };
  if (!from.tmux) return outside;
  const [, socket = from.tmux, pid, number] = /^(.*),([0-9]+),([0-9]+)$/.exec(from.tmux) ?? [];
  const elsewhere: Situation = { _tag: "Elsewhere", socket };
  if (Number(pid) !== listing.server.pid || !(yield* attach.isOurSocket(socket))) return elsewhere;
  const hasPane = (s: SeenSession) => s.terminals.some(({ paneId }) => paneId === from.pane);
  const session =
    listing.sessions.find(hasPane) ??
    listing.sessions.find(({ sessionId }) => sessionId === `$${number}`) ??
    null;
  const inside: Situation = { _tag: "Inside", session };
  return inside;
});

/** By what it is known that the caller is in the session; `null` when it is not. */
const isSelf = (
  from: AttachFrom,
  situation: Situation,
  { record, seen }: Shown,
): SelfAttach["why"] | null => {
  if (situation._tag === "Inside" && situation.session?.sessionId === seen.sessionId) return "pane";
  if (from.incarnation === record.incarnation) return "environment";
  const leads = seen.terminals.some(({ panePid }) => panePid === from.processSession);
  return leads ? "terminal" : null;
};

/** The client that shows what the caller sees, used last of all that do. */
const ownClient = Effect.fnUntraced(function* (
  session: SessionName,
  situation: Extract<Situation, { readonly _tag: "Inside" }>,
  { listing }: Shown,
) {
  const { attach } = yield* Tmux;
  const { session: here } = situation;
  const [client] = here === null ? [] : yield* attach.clients(here, listing.server);
  if (client !== undefined) return client;
  const detail = "no client shows the session that this is called from";
  return yield* new TmuxRefused({ session, attempted, detail });
});

/** Looks, and says what is to be run. */
export const attachCommand = Effect.fnUntraced(function* (name: string, options: AttachOptions) {
  const session = yield* parseSessionName(name, attempted);
  const tmux = yield* Tmux;
  const prefix = keyOf(options.prefix ?? PREFIX);
  if (prefix === null) {
    const detail = `${options.prefix} is no key`;
    return yield* new TmuxRefused({ session, attempted, detail });
  }
  const listing = yield* tmux.list(attempted);
  const found = yield* shown(session, listing);
  const { record, seen } = found;
  const from = options.from ?? {};
  const situation = yield* situationOf(from, found);
  const why = isSelf(from, situation, found);
  if (why !== null) return yield* new SelfAttach({ session, attempted, why });
  if (situation._tag === "Elsewhere" && options.nest !== true) {
    return yield* new Nested({ session, attempted, socket: situation.socket });
  }
  const client = situation._tag === "Inside" ? yield* ownClient(session, situation, found) : null;
  const { server } = found.listing;
  if (options.keys !== undefined) yield* tmux.attach.bindKeys(session, server, options.keys);
  const request: AttachRequest = {
    server,
    sessionId: seen.sessionId,
    incarnation: record.incarnation,
    client,
    readOnly: options.readOnly ?? false,
    nested: situation._tag === "Elsewhere" ? { prefix } : null,
  };
  const command: AttachCommand = {
    how: client === null ? "attach" : "switch",
    argv: tmux.attach.argv(request),
    record,
    exit: seen.terminals.find(({ terminal }) => terminal !== null)?.exit ?? null,
  };
  return command;
});
