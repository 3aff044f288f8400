/**
 * FailingPort: a port of which calls may fail, as a choice of the explorer.
 *
 * `unavailable` did nothing; `lost` did what was asked and nobody heard of it, as a disk that
 * fails at the very end; `bug` is a defect. The answer of a call that does not fail is unchanged,
 * and so is every member that is no effect and gives none.
 */
import { Explore } from "@troupe/testing";
import { Effect } from "effect";

const outcomes = ["answers", "unavailable", "lost", "bug"] as const;

/** What the port is called, how it fails, and which of its calls do: all, unless it is said. */
export interface FailingOptions {
  readonly name: string;
  readonly failure: (method: string) => unknown;
  readonly which?: ReadonlyArray<string>;
  /** Whether any may fail at this moment; always, unless it is given. */
  readonly mayFail?: () => boolean;
  /** Told of each call that fails, in whichever way. */
  readonly onFailure?: (method: string) => void;
}

/** The same port, with failures. */
export const failingPort = <P extends object>(
  port: P,
  { failure, mayFail = () => true, name, onFailure, which }: FailingOptions,
): P => {
  const outcomeOf = (method: string) =>
    Effect.suspend(() =>
      mayFail()
        ? Explore.choose(`${name}.${method}`, outcomes)
        : Effect.succeed<(typeof outcomes)[number]>("answers"),
    );
  const failing = (method: string, call: unknown): unknown =>
    Effect.isEffect(call) && which?.includes(method) !== false
      ? Effect.flatMap(outcomeOf(method), (outcome) => {
          if (outcome !== "answers") onFailure?.(method);
          switch (outcome) {
            case "answers":
              return call;
            case "unavailable":
              return Effect.fail(failure(method));
            case "lost":
              return Effect.zipRight(call, Effect.fail(failure(method)));
            case "bug":
              return Effect.dieMessage(`explored bug in ${method}`);
          }
        })
      : call;
  const members = Object.entries(port).map(([method, member]) => [
    method,
    typeof member === "function"
      ? (...args: ReadonlyArray<unknown>) => failing(method, Reflect.apply(member, port, args))
      : failing(method, member),
  ]);
  // Every member keeps its type: an effect with the same answer, and a failure that it may have.
  return Object.fromEntries(members) as P;
};
