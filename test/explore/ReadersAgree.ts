/**
 * ReadersAgree: what readers say of one durable state, and what a plan says behind a reconcile.
 *
 * Asked by a program of its own when nothing runs. `list`, `get` and the plan of a reconcile must
 * tell the same state of every name; behind a reconcile a plan must have nothing left to do.
 */
import type { Sessions } from "@troupe/core";
import { Effect, Either } from "effect";

type Service = Sessions["Type"];

/** What does not agree, in words; one line each. */
export const readersDisagree = (sessions: Service): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const { sessions: listed } = yield* sessions.list({ all: true });
    // Where a server is out of reach a plan cannot tell of every name, and says so.
    const plan = Effect.catchTag(sessions.reconcilePlan, "LookupFailed", () => Effect.succeed([]));
    const planned = yield* plan;
    const lines: Array<string> = [];
    for (const { session, state } of listed) {
      const got = yield* sessions.get(session);
      const outcome = planned.find((item) => item.session === session)?.outcome;
      const before =
        outcome !== undefined && Either.isRight(outcome) ? outcome.right.before : state;
      if (got.state === state && before === state) continue;
      lines.push(`readers disagree: list ${state}, get ${got.state}, plan ${before}`);
    }
    return lines;
  }).pipe(Effect.orDie);

/** What a plan would still do, in words; one line each. */
export const leftToDo = (sessions: Service): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(Effect.orDie(sessions.reconcilePlan), (items) =>
    items.flatMap(({ outcome, session }) =>
      Either.isRight(outcome) && !outcome.right.changed
        ? []
        : [`readers disagree: a reconcile left something to do for ${session}`],
    ),
  );
