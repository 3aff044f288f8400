/**
 * Mutant: a named edit of the source that takes one guard away, and what must notice.
 *
 * A mutant is text: nothing in the product knows of it. `from` stands in the file exactly once. All
 * that are named as its killers must fail on the edited copy, and hold on the source as it is.
 */

/** A named world, or a test where no world can show it: what a database refuses, what a text is. */
export type Killer =
  | { readonly world: string }
  | {
      readonly test: string;
      /** The file that is run. */
      readonly in: string;
      /** Where the test is written, when that is another file, as the cases of a contract are. */
      readonly writtenIn?: string;
      /** The project of vitest, when it meets a real tmux. */
      readonly project?: "real";
    };

/** One edit. */
export interface Mutant {
  readonly name: string;
  /** What is gone without it, in a sentence. */
  readonly removes: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly killedBy: readonly [Killer, ...ReadonlyArray<Killer>];
}

/** Killed by this world. */
export const world = (name: string): Killer => ({ world: name });
