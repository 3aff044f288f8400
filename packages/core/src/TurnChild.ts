/**
 * TurnChild: the process that runs a turn for its program, until that is gone.
 *
 * It is known by its whole identity: another that has its pid is not it. What cannot be looked at
 * may live. It only looks.
 */
import { Effect } from "effect";
import { sameProcess } from "./Identity.js";
import type { ProcessTable } from "./ProcessTable.js";
import type { RunningTurn } from "./TurnSeat.js";

/** How often it is looked at, at first and when it takes long. */
const [LOOK_MS, LONG_MS] = [50, 1_000];

/** How many looks come at first. */
const FIRST_LOOKS = 100;

/** Ends when the turn has no child, or that is positively gone. */
export const childGone = (
  { processes }: { readonly processes: ProcessTable["Type"] },
  turn: RunningTurn,
): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let looks = 0; ; looks++) {
      const { child } = turn;
      if (child === null) return;
      const isGone = yield* processes.look(child.pid).pipe(
        Effect.map((found) => found === null || !sameProcess(found.id, child)),
        Effect.orElseSucceed(() => false),
      );
      if (isGone) return;
      yield* Effect.sleep(looks < FIRST_LOOKS ? LOOK_MS : LONG_MS);
    }
  });
