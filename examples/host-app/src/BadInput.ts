/**
 * BadInput: what a caller said and nothing can be made of.
 *
 * It names the field and what belongs there, and never repeats what was given: that may be a
 * secret that stands in the wrong place.
 */
import { ParseResult, Schema } from "effect";

/** What is wrong with one field; the field is empty where it is about the input whole. */
export const Problem = Schema.Struct({ field: Schema.String, problem: Schema.String });
export type Problem = typeof Problem.Type;

/** The input was refused, and nothing was done. */
export class BadInput extends Schema.TaggedError<BadInput>()("BadInput", {
  problems: Schema.Array(Problem),
}) {
  override get message(): string {
    return this.problems.map(({ field, problem }) => `${field} ${problem}`.trim()).join("; ");
  }
}

/** What belongs into each field, by its name. */
export type Wanted = Readonly<Record<string, string>>;

/** A field is told once; of an object what is wrong inside, where that is known. */
const withoutRepeats = (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> =>
  problems.filter(({ field }, at) =>
    problems.every(
      (other, index) =>
        index === at ||
        !(other.field.startsWith(`${field}.`) || (other.field === field && index < at)),
    ),
  );

/** The problems of input that a schema refused, in the words of `wanted`. */
export const badInput = (error: ParseResult.ParseError, wanted: Wanted): BadInput => {
  const problemOf = ({ _tag, path }: ParseResult.ArrayFormatterIssue): Problem => {
    const [root = "", ...rest] = path.map(String);
    const field = [root, ...rest].join(".");
    const wants = wanted[root];
    if (wants === undefined) return { field, problem: root === "" ? "no object" : "is not known" };
    if (rest.length > 0) return { field, problem: `does not fit: ${root} ${wants}` };
    return { field, problem: _tag === "Missing" ? `is missing: it ${wants}` : wants };
  };
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error);
  return new BadInput({ problems: withoutRepeats(issues.map(problemOf)) });
};
