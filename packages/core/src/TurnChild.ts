/**
 * TurnChild: the processes that run a turn for its program, until they are gone.
 *
 * Each is known by its whole identity: another that has its pid is not it, and one that was named
 * behind it is another child. What cannot be looked at may live. It only looks.
 */
import { Effect } from "effect";
import { type ProcessId, sameProcess } from "./Identity.js";
import type { ProcessTable } from "./ProcessTable.js";
import type { RunningTurn } from "./TurnSeat.js";

/** How often they are looked at, at first and when it takes long. */
const [LOOK_MS, LONG_MS] = [50, 1_000];

/** How many looks come at first. */
const FIRST_LOOKS = 100;

/** What it is looked with. */
interface Looking {
  readonly processes: ProcessTable["Type"];
}

/** Those that are not positively gone, in their order. */
export const stillThere = (
  { processes }: Looking,
  children: ReadonlyArray<ProcessId>,
): Effect.Effect<ReadonlyArray<ProcessId>> =>
  Effect.filter(children, (child) =>
    processes.look(child.pid).pipe(
      Effect.map((found) => found !== null && sameProcess(found.id, child)),
      Effect.orElseSucceed(() => true),
    ),
  );

/** Ends when the turn has no child, or all are positively gone; it is over in that very step. */
export const childrenGone = (looking: Looking, turn: RunningTurn): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let looks = 0; ; looks++) {
      const { children } = turn;
      const left = yield* stillThere(looking, children);
      // Another may have been named during the look.
      if (left.length === 0 && turn.children === children) {
        turn.isOver = true;
        return;
      }
      yield* Effect.sleep(looks < FIRST_LOOKS ? LOOK_MS : LONG_MS);
    }
  });
