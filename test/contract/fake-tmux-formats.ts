/**
 * Formats for scripts: every construct that the fake knows, nested, right and wrong.
 *
 * Left out are those that differ by nature (terminals, times of day), and one in which the real
 * tmux reads behind the end of its text.
 */
import type { Choices } from "./fake-tmux-choices.js";
import { formatNames, passingNames } from "./fake-tmux-words.js";

const plain = ["x", "1", "0", "5", "alpha", "", " ", "#,", "##", "##[", "$0"];
const comparisons = ["==", "!=", "<", ">", "<=", ">=", "||", "&&"];
const arithmetic = ["+", "-", "*", "/", "m", "==", "<", "<=", ">", ">=", "!="];
const modifiers = "b d q n w l E =5 =-3 p9 p-9 =/4/.. a t q/e T".split(" ");
const broken = "#S #I:#W #P#D #F #h #x #{ #{? #{==:a} #{unknown } #{e|?:1,2} #{=x:#S} #(".split(
  " ",
);

const makeNested = (choices: Choices, depth: number): string => {
  const name = () => choices.pick(formatNames);
  const inner = () => (depth === 0 ? `#{${name()}}` : makeNested(choices, depth - 1));
  const text = () => choices.pick(plain);
  const number = () => choices.pick(["1", "2", "x", "#{window_index}"]);
  const kinds: ReadonlyArray<() => string> = [
    () => `#{${name()}}`,
    () => `#{${name()}} #{${name()}}`,
    text,
    () => `${text()}${inner()}`,
    () => `#{?#{${name()}},${inner()},${text()}}`,
    () => `#{?${name()},a,b}`,
    () => `#{${choices.pick(comparisons)}:${inner()},${text()}}`,
    () => `#{m:${choices.pick(["a*", "*", "[ab]*", "?", "[!x]*"])},${inner()}}`,
    () => `#{e|${choices.pick(arithmetic)}:${text()},${number()}}`,
    () => `#{e|+|f|${choices.pick(["", "1", "3"])}:1.5,${text()}}`,
    () => `#{${choices.pick(modifiers)}:${choices.pick([name(), inner(), text()])}}`,
    () => `#{${choices.pick(["S", "W", "P"])}:${inner()}}`,
    () => `#{N/${choices.pick(["s", "w"])}:${text()}}`,
    () => choices.pick(broken),
  ];
  return choices.pick(kinds)();
};

/** A format, nested at most so deep. */
export const makeFormat = (choices: Choices, depth: number): string =>
  choices.chance(0.1) ? `#{${choices.pick(passingNames)}}` : makeNested(choices, depth);

/** One without a client: of a client that only makes a session each side has its own answer. */
export const makeClientlessFormat = (choices: Choices): string => {
  for (;;) {
    const format = makeFormat(choices, 2);
    if (!/client|window_(bigger|offset)/.test(format)) return format;
  }
};
