/**
 * SessionName: the name that a person gives to a session, and the key of its actor.
 *
 * The grammar is narrower than tmux's on purpose: such a name passes unchanged through tmux 3.2a
 * to 3.7c, needs no quoting anywhere, and can be neither an id, a pattern, an option nor a client
 * (`client-123` resolves to an attached client). tmux would rewrite dots and colons to `_` and run
 * what stands in `#(…)`, so those are refused before tmux is called. It is not a path and not a
 * title: nothing is normalised, two names are the same only when their characters are.
 */
import { type Effect, Either, Schema } from "effect";
import { InvalidName } from "./SessionError.js";

const GRAMMAR = /^(?!client-[0-9]+$)[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** A checked session name; decode it once, at the edge, and pass the brand on. */
export const SessionName = Schema.String.pipe(
  Schema.pattern(GRAMMAR, {
    description:
      "1 to 64 of A-Z a-z 0-9 _ -, starting with a letter or digit, and not client-DIGITS",
  }),
  Schema.brand("SessionName"),
);
export type SessionName = typeof SessionName.Type;

/** Whether it is one, of anything. */
export const isSessionName = (name: unknown): name is SessionName =>
  typeof name === "string" && GRAMMAR.test(name);

const decode = Schema.decodeUnknownEither(SessionName);

/** Checks a name; fails with `InvalidName` before anything is done. */
export const parseSessionName = (
  name: string,
  attempted: string,
): Effect.Effect<SessionName, InvalidName> =>
  Either.mapLeft(decode(name), () => new InvalidName({ session: name, attempted }));
