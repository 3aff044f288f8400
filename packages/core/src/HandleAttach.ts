/**
 * HandleAttach: clients as the host's side has them: attached by name as a stream, and gone from
 * every writer at once.
 *
 * A stream is a client as long as it is pulled; its end, however it ends, is the client's, and the
 * end of the client, when he is said to be gone, is the stream's. Whoever says which writer or
 * incarnation he means gets that one or a refusal, never another in its place.
 */
import { Effect, Option, Stream } from "effect";
import type { AttachmentOptions } from "./Arrival.js";
import type { AttachElement } from "./AttachElement.js";
import type { AttachRefused } from "./AttachRefusal.js";
import { type ElementsFailure, placed } from "./AttachStream.js";
import type { HandleOptions } from "./OpenHandle.js";
import { ClientId } from "./SessionClient.js";
import { Closing, type InvalidName, NotFound, type RegistryFailure } from "./SessionError.js";
import type { SessionHandle } from "./SessionHandle.js";
import type { SessionName } from "./SessionName.js";
import type { Writers } from "./Writers.js";

/** Who attaches to a name, and how. */
export interface AttachToOptions
  extends AttachmentOptions,
    Omit<HandleOptions, "anew" | "lease" | "expectsClient" | "background"> {
  /** Who comes, by a name of his own that he comes back with; somebody new, unless given. */
  readonly client?: string | undefined;
  /**
   * Whether something of the writer runs that nobody says `busy` for, also behind this client; a
   * failure counts as that. One question for each client: who comes again brings his newest.
   */
  readonly background?: HandleOptions["background"];
  /** What is meant: else, `NotFound{stale}`. */
  readonly expect?:
    | { readonly actor?: string | undefined; readonly incarnation?: string | undefined }
    | undefined;
}

/** What a stream of an attached client can fail with. */
export type AttachToFailure = InvalidName | AttachRefused | RegistryFailure | ElementsFailure;

/** How often a writer that ended just then is asked for again. */
const TRIES = 3;

type Get<E> = (options: HandleOptions) => Effect.Effect<SessionHandle, E>;

/** The writer that is meant; where it is another that is there, nothing is made and none ends. */
const meant = <E>(
  { current, registry }: Writers,
  get: Get<E>,
  session: SessionName,
  options: AttachToOptions,
): Effect.Effect<SessionHandle, E | NotFound | RegistryFailure> =>
  Effect.gen(function* () {
    const stale = new NotFound({ session, attempted: "attach", stale: true });
    const { actor, incarnation } = options.expect ?? {};
    if (actor === undefined && incarnation === undefined) return yield* get(options);
    const newest = Option.getOrNull(yield* registry.get(session))?.incarnation;
    if (incarnation !== undefined && newest !== incarnation) return yield* stale;
    if (actor !== undefined) {
      const there = current.get(session);
      const isMeant = there?.actor === actor && there.incarnation === newest;
      if (!isMeant || (yield* there.state) !== "open") return yield* stale;
    }
    const handle = yield* get(options);
    if (actor !== undefined && handle.actor !== actor) return yield* stale;
    return incarnation === undefined || handle.incarnation === incarnation ? handle : yield* stale;
  });

/** The elements of a client that is attached as long as they are pulled. */
export const attachTo = <E>(
  writers: Writers,
  get: Get<E>,
  session: SessionName,
  options: AttachToOptions,
): Stream.Stream<AttachElement, E | AttachRefused | RegistryFailure | ElementsFailure> => {
  const { background, ...asked } = options;
  const once = (id: string) =>
    Effect.gen(function* () {
      const handle = yield* meant(writers, get, session, asked);
      const { delivered } = yield* handle.attach({ id }, options);
      writers.all.get(handle)?.background.ask(background, id);
      const elements = handle.elements(yield* placed(writers.registry, options));
      // Whoever is said to be gone is told so, and nothing else; the end of the writer is told.
      return Stream.interruptWhen(elements, Effect.zipRight(delivered, Effect.never));
    });
  const come = Effect.gen(function* () {
    const id = options.client ?? `stream-${yield* writers.ids.incarnation}`;
    let tries = options.expect === undefined ? TRIES : 1;
    // One that ends just then is another's the next time that it is asked for.
    const isOver = (failure: E | AttachRefused | RegistryFailure) => {
      tries -= 1;
      const isEnding = failure instanceof Closing;
      return tries > 0 && (isEnding || (failure instanceof NotFound && failure.stale));
    };
    return yield* Effect.retry(once(id), { while: isOver });
  });
  return Stream.unwrapScoped(come);
};

/** What became of the writers that a client was at. */
export interface ClientLeft {
  /** Ended at once, as the client had asked. */
  readonly ended: number;
  /** Left to their grace. */
  readonly parked: number;
}

/**
 * Takes the client out of every writer, and then does what is due of that. One that has ended tells
 * it nothing any more, either. Nobody has an empty name, and he is nowhere.
 */
export const clientGone = (writers: Writers, client: string): Effect.Effect<ClientLeft> =>
  Effect.flatMap(writers.awake.now, (at) =>
    Effect.suspend(() => {
      if (client === "") return Effect.succeed({ ended: 0, parked: 0 });
      const id = ClientId.make(client);
      const all = [...writers.all.values()];
      const left = all.map(({ attachments }) => attachments.leaving(id, null, at));
      for (const tellings of [...writers.tellings]) tellings.leave(id, null);
      const count = (what: string) => left.filter(({ action }) => action === what).length;
      const told = { ended: count("reap"), parked: count("arm") };
      const behind = left.map((leaving) => leaving.behind);
      return Effect.as(Effect.all(behind, { discard: true }), told);
    }),
  ).pipe(Effect.uninterruptible);
