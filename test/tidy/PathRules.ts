/**
 * PathRules: a path names what it holds.
 *
 * The words that name nothing in particular are refused wherever they stand in the name of a
 * folder or a file: what is shared by two users gets a noun of its own.
 */
import { eachSource, type Rule } from "./Rule.js";

const empty = /^(utils?|utilities|helpers?|common|shared|libs?|misc)$/;

/** The words of a path: `a/FooUtil.ts` has `a`, `foo`, `util` and `ts`. */
const wordsOf = (path: string): ReadonlyArray<string> =>
  path
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const names: Rule = {
  sentence: "no path has a word that names nothing: util, helper, common, shared, lib, misc",
  check: eachSource(({ path }) =>
    wordsOf(path)
      .filter((word) => empty.test(word))
      .map((word) => ({ path, line: 1, message: word })),
  ),
  sample: { "packages/core/src/StringUtils.ts": "", "test/support/common/a.ts": "" },
};

/** Every rule about paths. */
export const pathRules: ReadonlyArray<Rule> = [names];
