/**
 * Hooked: making a session or a window where the server has hooks that run inside the list.
 *
 * A hook runs right behind its command, before the next one of the list, and may rename what was
 * just made. So a list that finds what it made by its name is sent only where no such hook is set;
 * else it is refused with what the id, or the index, of the next one would be, and is sent again
 * for exactly that. Only the first command of a hook can be seen in a format (tmux 3.3a), which is
 * the one that `set-hook` sets.
 */
import { Effect } from "effect";
import { print, when } from "./TmuxCommand.js";
import { isClean, linesOf } from "./TmuxFailure.js";
import type { TmuxReply } from "./TmuxTransport.js";

const HOOKED = "HOOKED";

/** True in a format when none of these hooks is set. */
const unhooked = (hooks: ReadonlyArray<string>): string =>
  `#{==:${hooks.map((hook) => `#{${hook}[0]}`).join("")},}`;

/** What the next thing made would be called, and the hooks that may rename it. */
export interface Next {
  /** A format: the id of the next session, the index of the last window. */
  readonly format: string;
  readonly hooks: ReadonlyArray<string>;
}

/**
 * The list, where it finds what it made. `expected` is what an answer said of the next one; `null`
 * is for a list that goes by a name, and so does one of which nothing could be said.
 */
export const whereFound = (
  { format, hooks }: Next,
  expected: string | null,
  make: string,
  target: string | null,
): string => {
  const isFound = expected === null ? unhooked(hooks) : `#{==:${format},${expected}}`;
  const text = `${HOOKED} ${format}`;
  // Without a target it would be told of whichever session was used last.
  const tell = target === null ? print(text) : `display-message -p -t ${target} "${text}"`;
  return when(isFound, make, tell, target);
};

/** What the answer of a hooked server says of the next one; `null` when it is another answer. */
const nextOf = (lines: ReadonlyArray<string>): string | null => {
  const [, next] = (lines.length === 1 && /^HOOKED (.*)$/.exec(lines[0] ?? "")) || [];
  return next ?? null;
};

/** How often something else may be made between the answer and the list that goes by it. */
const TRIES = 8;

/**
 * Sends the list, and where there are hooks again, for what the answer says of the next one: until
 * that was right. An answer of another kind is the last one.
 */
export const sendFound = <E>(
  send: (expected: string | null) => Effect.Effect<TmuxReply, E>,
): Effect.Effect<TmuxReply, E> => {
  const again = (expected: string | null, left: number): Effect.Effect<TmuxReply, E> =>
    Effect.flatMap(send(expected), (reply) => {
      const next = isClean(reply) ? nextOf(linesOf(reply)) : null;
      return next === null || left === 0 ? Effect.succeed(reply) : again(next, left - 1);
    });
  return again(null, TRIES);
};
