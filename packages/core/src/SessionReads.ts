/**
 * SessionReads: the part of `Sessions` that reads: what needs no actor.
 *
 * None of it takes a claim, writes, or makes a home.
 */
import { Context, Effect, type Scope, Stream } from "effect";
import { captureSession } from "./Capture.js";
import { joiningListings } from "./JoinedListing.js";
import { nativeClients } from "./NativeClients.js";
import { type ClosingOf, outputOf } from "./Output.js";
import type { OutputFiles } from "./OutputFiles.js";
import type { ProcessTable } from "./ProcessTable.js";
import { getSession, listSessions } from "./Readers.js";
import type { Registry } from "./Registry.js";
import type { ServerSocket } from "./ServerSocket.js";
import { parseSessionName } from "./SessionName.js";
import type { Sessions } from "./Sessions.js";
import { Snapshots } from "./Snapshots.js";
import { Tmux } from "./Tmux.js";
import { waitFor } from "./Wait.js";

/** What is read: rows, tmux, and files. */
export type ReadServices = Tmux | Registry | ProcessTable | ServerSocket | OutputFiles | Snapshots;

type Reads = Pick<
  Sessions["Type"],
  "get" | "list" | "snapshots" | "clients" | "capture" | "wait" | "output"
>;

/** The reads over these ports; `closing` tells of an end of this program's hold on a session. */
export const readsOf = (
  services: Context.Context<ReadServices>,
  closing: ClosingOf,
): Effect.Effect<Reads, never, Scope.Scope> =>
  Effect.map(joiningListings(Context.get(services, Tmux)), (tmux) =>
    over(services, Context.add(services, Tmux, tmux), closing),
  );

/** The reads; what is `shared` serves those that look again and again. */
const over = (
  services: Context.Context<ReadServices>,
  shared: Context.Context<ReadServices>,
  closing: ClosingOf,
): Reads => {
  const provide = Effect.provide(services);
  return {
    get: Effect.fnUntraced(function* (name) {
      return yield* provide(getSession(yield* parseSessionName(name, "get")));
    }),
    list: ({ all = false, early = false } = {}) => provide(listSessions(all, early)),
    snapshots: Effect.fnUntraced(function* (name) {
      const session = yield* parseSessionName(name, "list snapshots");
      const snapshots = yield* Snapshots;
      return yield* snapshots.list(session);
    }, provide),
    clients: Effect.fnUntraced(function* (name) {
      const session = yield* parseSessionName(name, "look for clients");
      // Listings are joined: writers that were left at once are looked at at once.
      return yield* Effect.provide(nativeClients(session), shared);
    }),
    capture: Effect.fnUntraced(function* (name, options) {
      const session = yield* parseSessionName(name, "capture");
      return yield* provide(captureSession(session, options ?? {}));
    }),
    wait: Effect.fnUntraced(function* (name, condition, options) {
      const session = yield* parseSessionName(name, "wait");
      const waited = waitFor(session, condition, options ?? {}, closing);
      return yield* Effect.provide(waited, shared);
    }),
    output: (name, options) =>
      Stream.unwrap(
        Effect.map(parseSessionName(name, "read output"), (session) =>
          outputOf(session, options ?? {}, closing),
        ),
      ).pipe(Stream.provideContext(shared)),
  };
};
