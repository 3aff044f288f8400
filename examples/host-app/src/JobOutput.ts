/**
 * JobOutput: the output of a job as lines of JSON, each with what an element of it says.
 *
 * Data is in base64, since a program prints bytes. The last line is an `end`, or `failed` where it
 * could not be read on: a reply whose last line is neither was cut off. Whoever comes back asks
 * from `sequence` plus the bytes of the last data that he has, of the same `incarnation`.
 */
import type { OutputElement } from "@troupe/core";
import { Schema, Stream } from "effect";
import { type Failure, refusalOf } from "./Refusal.js";

/** What a caller may ask of it: `follow=false` ends it behind what there is now. */
export const OutputQuery = Schema.Struct({
  from: Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.nonNegative())),
  incarnation: Schema.optional(Schema.String),
  follow: Schema.optional(Schema.BooleanFromString),
});

const told = (element: OutputElement): object =>
  element.type === "data"
    ? { ...element, data: Buffer.from(element.data).toString("base64") }
    : element;

/** The lines, which are the whole of a reply. */
export const outputLines = (
  output: Stream.Stream<OutputElement, Failure>,
): Stream.Stream<Uint8Array> =>
  output.pipe(
    Stream.map(told),
    Stream.catchAll((failure) => {
      const { error, message } = refusalOf(failure);
      return Stream.make({ type: "failed", error, message });
    }),
    Stream.map((line) => `${JSON.stringify(line)}\n`),
    Stream.encodeText,
  );
