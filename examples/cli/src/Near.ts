/**
 * Near: what somebody may have meant who wrote a word that is none.
 *
 * It is looked for only where a call has failed, and what cannot be looked up is no suggestion: the
 * failure stays what it is. Names are read and nothing is made. Words that are told are those that
 * there are, never the one that was written, which may be a secret.
 */
import { keyNames, keyOf, NotFound as NotThere, Sessions } from "@troupe/core";
import { Duration, Effect } from "effect";
import { NotFound, notFound, Usage } from "./CommandFailure.js";

const mostTold = 3;

/** How long the names of a home may take to be read. */
const patience = Duration.seconds(1);

const bare = (word: string): string => word.replace(/^-+/, "").toLowerCase();

/** How many letters may be wrong in so many. */
const boundOf = (length: number): number => Math.ceil(length / 4);

const lettersOf = (word: string): string => [...word].sort().join("");

/** How far the word is from what there is; `null` when it is too far. */
const distanceOf = (
  word: string,
  known: string,
  distance: (a: string, b: string) => number,
): number | null => {
  const [a, b] = [bare(word), bare(known)];
  // What was begun, and the second of two words, is near whatever else there is.
  if (a.length >= 2 && (b.startsWith(a) || b.split(" ").includes(a))) return 0.5;
  // Letters that are swapped are one mistake, and the measure counts two.
  const far = a !== b && lettersOf(a) === lettersOf(b) ? 1 : distance(a, b);
  return far <= boundOf(a.length) && far < Math.min(a.length, b.length) ? far : null;
};

/** The words that are near, the nearest first; of those as near as each other, in their order. */
export const near = (
  word: string,
  known: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    Effect.promise(() => import("fastest-levenshtein")),
    ({ distance }) => {
      const found = [...new Set(known)].flatMap((one) => {
        const far = distanceOf(word, one, distance);
        return far === null ? [] : [{ one, far }];
      });
      const nearest = Math.min(...found.map(({ far }) => far));
      return found
        .filter(({ far }) => far <= nearest + 0.5)
        .sort((a, b) => a.far - b.far)
        .slice(0, mostTold)
        .map(({ one }) => one);
    },
  );

/** A wrong call in which a word is written that is none of those known. */
export interface Mistyped {
  readonly command: string | null;
  readonly reason: string;
  readonly word: string;
  readonly known: ReadonlyArray<string>;
}

/** The failure of the call, with what may have been meant. */
export const mistyped = ({ command, known, reason, word }: Mistyped): Effect.Effect<Usage> =>
  Effect.map(near(word, known), (found) => new Usage({ command, reason, near: found }));

/** The keys that may have been meant, with the modifiers that were written. */
export const nearKeys = (word: string): Effect.Effect<ReadonlyArray<string>> => {
  const [, modifiers = "", name = ""] = /^((?:[CMS]-)*)(.*)$/i.exec(word) ?? [];
  return Effect.map(near(name, keyNames), (found) =>
    found.map((key) => modifiers.toUpperCase() + key).filter((key) => keyOf(key) !== null),
  );
};

/** The names of the home, those that are listed first. */
const names = Effect.gen(function* () {
  const { sessions } = yield* Effect.flatMap(Sessions, (all) => all.list({ all: true }));
  const isOver = ({ state }: (typeof sessions)[number]) => ["deleted", "failed"].includes(state);
  return [...sessions.filter((one) => !isOver(one)), ...sessions.filter(isOver)].map(
    ({ session }) => session,
  );
});

const isNotThere = <E>(failure: E): failure is E & NotThere => failure instanceof NotThere;

/** The name that was looked up and is none; `null` where that is not what was missing. */
const strangeName = ({ session, state, terminal, what }: NotThere): string | null =>
  state === null && terminal === null && what === "session" ? session : null;

type Names<E, R> = Effect.Effect<ReadonlyArray<string>, E, R>;

/** The same work; of a name that is not there, those that are like it are told. */
export const withNear =
  <E2, R2>(known: Names<E2, R2>) =>
  <A, E, R>(
    work: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, Exclude<E, E & NotThere> | NotFound, R | R2> =>
    Effect.catchIf(work, isNotThere<E>, (failure) =>
      Effect.gen(function* () {
        // Told already by what was asked for other names.
        if (failure instanceof NotFound) return yield* failure;
        const name = strangeName(failure);
        if (name === null) return yield* notFound(failure, []);
        const read = Effect.timeout(known, patience).pipe(Effect.orElseSucceed(() => []));
        // A name that is known is no mistake, whatever is not there of it.
        const others = (yield* read).filter((one) => one !== name);
        return yield* notFound(failure, yield* near(name, others));
      }),
    );

/** The same, with the names of the home. */
export const withNearNames = withNear(names);
