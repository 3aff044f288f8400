/**
 * OutputCollected: what readers of output were given, put together for a test to compare.
 *
 * Sequences are checked on the way: an element that does not go on where the one before ended is
 * a fault of the stream, and dies here.
 */
import type { OutputElement, OutputEnd, OutputGap, OutputOptions, Sessions } from "@troupe/core";
import { Effect, Fiber, type Scope, Stream } from "effect";
import { waitFor } from "../support/Waiting.js";

/** What one reader was given. */
export class OutputCollected {
  readonly parts: Array<Buffer> = [];
  readonly gaps: Array<OutputGap> = [];
  end: OutputEnd | null = null;

  constructor(public next = 0) {}

  get text(): string {
    return Buffer.concat(this.parts).toString("utf8");
  }

  add(element: OutputElement): void {
    if (element.sequence !== this.next) {
      throw new Error(`${element.type} at ${element.sequence}, not at ${this.next}`);
    }
    if (this.end !== null) throw new Error("an element behind the end");
    if (element.type === "end") this.end = element;
    if (element.type === "gap") {
      this.gaps.push(element);
      this.next = element.to ?? this.next;
    }
    if (element.type === "data") {
      this.parts.push(Buffer.from(element.data));
      this.next += element.data.length;
    }
  }
}

/** Reads to the end. */
export const readToEnd = (
  sessions: Sessions["Type"],
  session: string,
  options: OutputOptions = {},
) => {
  const collected = new OutputCollected(options.from ?? 0);
  const each = (element: OutputElement) => Effect.sync(() => collected.add(element));
  return Effect.as(Stream.runForEach(sessions.output(session, options), each), collected);
};

/** A reader under way, which the scope ends. */
export const startReading = (
  sessions: Sessions["Type"],
  session: string,
  options: OutputOptions = {},
): Effect.Effect<
  { readonly collected: OutputCollected; readonly fiber: Fiber.RuntimeFiber<void, unknown> },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const collected = new OutputCollected(options.from ?? 0);
    const each = (element: OutputElement) => Effect.sync(() => collected.add(element));
    const run = Stream.runForEach(sessions.output(session, options), each);
    const fiber = yield* Effect.forkScoped(run);
    return { collected, fiber };
  });

/** Waits until the reader was given the text. */
export const given = (collected: OutputCollected, text: string): Effect.Effect<unknown> =>
  Effect.promise(() => waitFor(`output with ${text}`, () => collected.text.includes(text)));

/** Waits for the end of a reader under way. */
export const ended = (fiber: Fiber.RuntimeFiber<void, unknown>): Effect.Effect<void, unknown> =>
  Fiber.join(fiber);
