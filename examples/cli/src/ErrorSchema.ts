/**
 * ErrorSchema: the schema of a failure as JSON tells it: for each code, what its details are.
 *
 * It is made of the failures' own schemas and of the table of codes, so that neither can say
 * something that the other does not. Made when it is first asked for: few calls fail.
 */
import { Schema, SchemaAST } from "effect";
import { CommandFailure } from "./CommandFailure.js";
import { usualRows } from "./ExitCode.js";

/** How a failure is told in JSON. */
export interface ErrorResult {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly retryable: boolean;
  readonly details: { readonly [field: string]: unknown };
}

/** The fields of a failure but its tag, which `code` stands for. All of them are told. */
const detailsOf = (fields: Schema.Struct.Fields): Schema.Schema<ErrorResult["details"]> =>
  Schema.make(SchemaAST.omit(SchemaAST.typeAST(Schema.Struct(fields).ast), ["_tag"]));

const makeErrorSchema = (): Schema.Schema<ErrorResult> =>
  Schema.Union(
    ...CommandFailure.members.map((failure) =>
      Schema.Struct({
        code: Schema.Literal(usualRows[failure._tag].code),
        message: Schema.String,
        hint: Schema.NullOr(Schema.String),
        retryable: Schema.Boolean,
        details: detailsOf(failure.fields),
      }),
    ),
  );

let made: Schema.Schema<ErrorResult> | null = null;

/** Any failure. */
export const ErrorResult: Schema.Schema<ErrorResult> = Schema.suspend(() => {
  made ??= makeErrorSchema();
  return made;
}).annotations({ identifier: "Error" });
