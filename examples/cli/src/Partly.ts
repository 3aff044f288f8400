/**
 * Partly: what a command of several things has to tell although it was cut off.
 *
 * What is under way ends before an interruption does, so that something came of it, which nobody
 * would hear of. When all has ended the command leaves its outcome here, and whoever ends the call
 * tells it beside the interruption. Mutable; of one call.
 */
import { Context, Effect } from "effect";
import { type CommandFailure, Interrupted } from "./CommandFailure.js";
import type { Outcome } from "./CommandSpec.js";

/** What cut the call off, and what there is to tell; each `null` while there is nothing. */
interface Told {
  stop: Interrupted["signal"] | "unread" | null;
  outcome: Outcome | null;
}

/** Of the call that is under way. */
export class Partly extends Context.Reference<Partly>()("troupe/Partly", {
  defaultValue: (): Told => ({ stop: null, outcome: null }),
}) {}

/** How a command tells what came of its things when it is cut off. */
export interface CutOff<A, B, R> {
  /** What came of one that was not heard of. The failure says that it was interrupted. */
  readonly partOf: (one: A, failure: CommandFailure) => Effect.Effect<B, never, R>;
  readonly tell: (parts: ReadonlyArray<B>) => Effect.Effect<Outcome>;
}

/** The same work; when it is cut off, what came of each of all is told, `known` or asked for. */
export const partly =
  <A, B, S>(all: ReadonlyArray<A>, known: ReadonlyMap<A, B>, cutOff: CutOff<A, B, S>) =>
  <C, E, R>(work: Effect.Effect<C, E, R>): Effect.Effect<C, E, R | S> =>
    Effect.onInterrupt(work, () =>
      Effect.gen(function* () {
        const told = yield* Partly;
        if (told.stop === null || told.stop === "unread") return;
        const failure = new Interrupted({ signal: told.stop });
        const parts = yield* Effect.forEach(all, (one) => {
          const part = known.get(one);
          return part === undefined ? cutOff.partOf(one, failure) : Effect.succeed(part);
        });
        told.outcome = yield* cutOff.tell(parts);
      }),
    );
