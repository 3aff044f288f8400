/**
 * Proof: what must hold when the tour is over, each looked at and none assumed.
 *
 * Rows and tmux agree, the processes of the tour are gone, and so is its home. It changes
 * nothing; what did not hold is named in the failure.
 */
import { existsSync } from "node:fs";
import { ProcessTable, type SessionView } from "@troupe/core";
import { Effect } from "effect";
import { DemoFailed } from "../CommandFailure.js";

/** One thing that must hold. */
export interface Fact {
  readonly holds: boolean;
  readonly text: string;
}

/** Every row has ended, and tmux shows none of them. */
export const agreement = (views: ReadonlyArray<SessionView>): Fact => ({
  holds: views.every(({ seen, state }) => state === "deleted" && seen.state === "absent"),
  text: `tmux and the registry agree: ${views.map((v) => `${v.session} ${v.state}`).join(", ")}`,
});

/** None of these processes lives. */
export const noProcess = (pids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const processes = yield* ProcessTable;
    const living = yield* Effect.filter(pids, (pid) =>
      Effect.map(processes.look(pid), (entry) => entry !== null),
    );
    const fact: Fact = {
      holds: living.length === 0,
      text:
        living.length === 0
          ? `no process is left of ${pids.join(", ")}`
          : `these live on: ${living.join(", ")}`,
    };
    return fact;
  });

/** The home is gone. */
export const noFile = (home: string): Fact => ({
  holds: !existsSync(home),
  text: `no file is left in ${home}`,
});

/** The tour's last word: every fact, and a failure when one did not hold. */
export const verdict = (facts: ReadonlyArray<Fact>): DemoFailed | null => {
  const broken = facts.filter(({ holds }) => !holds).map(({ text }) => text);
  return broken.length === 0 ? null : new DemoFailed({ reason: broken.join("; ") });
};
