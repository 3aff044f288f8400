/**
 * Mutant: a named edit of the source that takes one guard away, and what must notice.
 *
 * A mutant is text: nothing in the product knows of it. Each `from` stands in its file exactly
 * once. All that are named as its killers must fail on the edited copy, and hold on the source as
 * it is.
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

/** A text of one file, and what stands there instead. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** One guard that is taken away. */
export interface Mutant extends Edit {
  readonly name: string;
  /** What is gone without it, in a sentence. */
  readonly removes: string;
  /** What else has to go where two guards stand behind each other, each in a file of its own. */
  readonly and?: ReadonlyArray<Edit>;
  readonly killedBy: readonly [Killer, ...ReadonlyArray<Killer>];
}

/** All that it changes. */
export const editsOf = ({ and = [], file, from, to }: Mutant): ReadonlyArray<Edit> => [
  { file, from, to },
  ...and,
];

/** Killed by this world. */
export const world = (name: string): Killer => ({ world: name });

/** Killed by this test of test/core. */
export const test = (file: string, title: string): Killer => ({
  test: title,
  in: `test/core/${file}.test.ts`,
});
