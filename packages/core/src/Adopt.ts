/**
 * Adopt: taking up a session that carries the mark of this home and that no row knows.
 *
 * That is what is left when a registry was lost. The session says itself what it was made as; the
 * claim takes an epoch that its fence lets pass; intent and outcome are one transaction, because
 * tmux is not changed. A session without our mark is never taken here: `AdoptStranger` marks one.
 */
import { Effect, Either, Option, Schema } from "effect";
import { FIRST } from "./Create.js";
import type { Holding } from "./Holding.js";
import { programLives, terminalOf } from "./Lifecycle.js";
import { noOtherServer } from "./OtherServer.js";
import { type Change, Registry } from "./Registry.js";
import { recordServer } from "./ServerInUse.js";
import { SessionSpec } from "./Session.js";
import { LookupFailed, NotFound } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { type Listing, type SeenSession, Tmux } from "./Tmux.js";

const attempted = "adopt";

const decodeSpec = Schema.decodeUnknownEither(Schema.parseJson(SessionSpec));

/** The sessions of this home in the listing whose incarnation no row has. */
export const orphans = Effect.fnUntraced(function* (listing: Listing) {
  const registry = yield* Registry;
  const { home } = yield* Settings;
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  return yield* Effect.filter(sessions, ({ mark }) =>
    mark === null || mark.home !== home
      ? Effect.succeed(false)
      : Effect.map(registry.find(mark.incarnation), Option.isNone),
  );
});

const changesOf = (seen: SeenSession, { command }: SessionSpec): ReadonlyArray<Change> => {
  const to = programLives(seen) ? "running" : "exited";
  const terminals = seen.terminals.flatMap((t) =>
    terminalOf(t, t.terminal === FIRST ? command : null),
  );
  return [
    ...terminals.map((record): Change => ({ _tag: "Terminal", record })),
    { _tag: "Move", to, cause: "adopted", sessionId: seen.sessionId },
  ];
};

/** The session of exactly this name. */
export const namedIn = (listing: Listing, session: string): SeenSession | undefined =>
  listing._tag === "Server" ? listing.sessions.find(({ name }) => name === session) : undefined;

/** `NotFound`, where no server out of reach may have the session that the listing has not. */
export const provenMissing = Effect.fnUntraced(function* (
  { session }: Pick<Holding, "session">,
  listing: Listing,
  asked: string,
) {
  yield* noOtherServer(session, asked, listing._tag === "Server" ? listing.server : null);
  return yield* new NotFound({ session, attempted: asked });
});

/** The same of one that was there and then was not: a server may have listened again since. */
export const missingNow = Effect.fnUntraced(function* (holding: Holding, listing: Listing) {
  const { session } = holding;
  if (namedIn(listing, session) === undefined) {
    return yield* provenMissing(holding, listing, attempted);
  }
  const what = { session, attempted, source: "tmux", reason: "server-exited" } as const;
  return yield* new LookupFailed({ ...what, detail: "it was not there, and is again" });
});

/** Takes up the session of this name; `NotFound` when tmux has none that is ours. */
export const adoptSession = Effect.fnUntraced(function* (holding: Holding, listing: Listing) {
  const { session } = holding;
  const seen = (yield* orphans(listing)).find(({ name }) => name === session);
  if (seen === undefined || seen.mark === null || listing._tag === "NoServer") {
    return yield* provenMissing(holding, listing, "reconcile");
  }
  const tmux = yield* Tmux;
  const { server } = listing;
  // Beside another server of ours this one is not used: what that has may have this name, too.
  yield* noOtherServer(session, attempted, server);
  const said = yield* tmux.introduce(seen, server);
  if (said === null) return yield* missingNow(holding, yield* holding.look(attempted));
  const spec = decodeSpec(said.spec);
  if (Either.isLeft(spec)) {
    const detail = "its mark does not say what it was made as";
    const source = "tmux" as const;
    return yield* new LookupFailed({ session, attempted, source, reason: "garbled", detail });
  }
  yield* holding.atLeast(said.fence);
  const known = yield* recordServer(session, listing);
  const begin: Change = { _tag: "Begin", spec: spec.right, server, requestId: null };
  const { incarnation } = seen.mark;
  // Under the claim, with no row of the name: one that is active would be a bug.
  return yield* holding
    .begin(incarnation, [known, begin, ...changesOf(seen, spec.right)])
    .pipe(Effect.catchTag("AlreadyExists", Effect.die));
});
