/**
 * AttachHome: a home on which clients come to writers and go, and what they were told.
 *
 * Time is the test's and passes only where it says so. A client is a name, and a list of what was
 * delivered to it; `later` lets time pass in awake seconds.
 */
import type {
  AttachElement,
  Attachment,
  AttachmentOptions,
  AttachRefused,
  SessionClient,
  SessionHandle,
  SessionReclaimed,
} from "@troupe/core";
import { Effect, Exit, Scope, Stream, TestClock } from "effect";
import {
  settle,
  type TurnHome,
  type TurnHomeOptions,
  type TurnHost,
  turnHome,
} from "./TurnHome.js";

/** Where one test plays. */
export interface AttachHome extends TurnHome {
  readonly one: TurnHost;
  readonly handle: SessionHandle;
  /** What was announced, as `reason actor`. */
  readonly announced: ReadonlyArray<SessionReclaimed>;
}

/** A home with a session `a`, a program that hosts it, and its writer. */
export const attachHome = (
  options: TurnHomeOptions = {},
): Effect.Effect<AttachHome, never, Scope.Scope> =>
  Effect.gen(function* () {
    const home = yield* turnHome(options);
    const one = yield* home.hosting("one");
    const announced: Array<SessionReclaimed> = [];
    yield* Effect.forkScoped(
      Stream.runForEach(one.handles.reclaimed, (each) =>
        Effect.sync(() => void announced.push(each)),
      ),
    );
    yield* settle;
    const handle = yield* Effect.orDie(one.handles.get("a"));
    return { ...home, one, handle, announced };
  });

/** A client, and what it was told. */
export interface Told extends SessionClient {
  readonly told: Array<AttachElement>;
}

/** A client that takes everything. */
export const listener = (id: string): Told => {
  const told: Array<AttachElement> = [];
  return { id, told, deliver: (element) => Effect.sync(() => void told.push(element)) };
};

/** A client that came, and its leaving. */
export interface Came {
  readonly attachment: Attachment;
  readonly leave: Effect.Effect<void>;
}

/** Attaches a client in a scope of its own. */
export const come = (
  handle: SessionHandle,
  client: SessionClient | string,
  options?: AttachmentOptions,
): Effect.Effect<Came, AttachRefused> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make();
    const who = typeof client === "string" ? { id: client } : client;
    const attachment = yield* Scope.extend(handle.attach(who, options), scope);
    return { attachment, leave: Scope.close(scope, Exit.void) };
  });

/** Lets so many seconds pass. */
export const later = (seconds: number): Effect.Effect<void> =>
  TestClock.adjust(`${Math.round(seconds * 1000)} millis`);

/** The state of the writer, in a word, and of how many detachments it knows. */
export const stateOf = (handle: SessionHandle): Effect.Effect<string> =>
  Effect.map(handle.attachment, (state) => {
    if (state._tag === "Reaping" || state._tag === "Gone") return `${state._tag} ${state.reason}`;
    const ids = state._tag === "Attached" ? state.viewers.map(({ client }) => client) : [];
    return [`${state._tag} ${state.generation}`, ...ids].join(" ");
  });
