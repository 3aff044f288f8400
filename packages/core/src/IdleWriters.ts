/**
 * IdleWriters: the writers of a program as its release of idle ones sees them.
 *
 * Idle is one that nobody is at and that nothing runs in: no turn, none that waits, no work that is
 * said or asked, and no tmux client of anybody. What cannot be found out is not idle, and what is
 * found in use is used at that moment. One that ends is none of them any more.
 */
import { Effect } from "effect";
import type { IdleWriter } from "./IdleRelease.js";
import type { OpenWriter, Writers } from "./Writers.js";

/** Whether it is idle as far as this program knows, in one step. */
const isIdle = ({ attachments, background, seat }: OpenWriter): boolean => {
  const { _tag } = attachments.attendance.state;
  const isAlone = _tag === "Unattended" || _tag === "Detached";
  return isAlone && !seat.isInUse && seat.closing === null && !background.isHeld;
};

/** The writers of the program. */
export const idleWriters = ({ all }: Pick<Writers, "all">): ReadonlyArray<IdleWriter> =>
  [...all.values()].flatMap((open): ReadonlyArray<IdleWriter> => {
    const { attachments, background, nativeClients, used } = open;
    if (attachments.attendance.isEnding) return [];
    const { openedAt, usedAt } = attachments.attendance;
    const writer: IdleWriter = {
      openedAt,
      usedAt,
      isIdle: isIdle(open),
      actor: open.seat.writer.actor,
      evict: (reason, isDue) =>
        Effect.gen(function* () {
          const looks = yield* Effect.all([background.presence, nativeClients]);
          if (looks.some((presence) => presence !== "none")) {
            yield* used;
            return false;
          }
          // What came meanwhile is seen in the step itself.
          const action = attachments.attendance.step({
            _tag: "Evict",
            reason,
            isIdle: isIdle(open) && attachments.attendance.usedAt === usedAt && isDue(),
          });
          yield* attachments.perform(action);
          return action === "reap";
        }),
    };
    return [writer];
  });
