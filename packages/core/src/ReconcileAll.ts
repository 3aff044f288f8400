/**
 * ReconcileAll: a plan, then a message for each name of it that has something to be done.
 *
 * The plan only chooses names: each message takes the claim, reads its row and looks again before
 * it acts. It goes on past a name that fails, and leaves alone what a living program holds. With
 * nothing to do it costs the one listing and the one query of the plan.
 */
import { Effect, Either, Schema } from "effect";
import { lettingGo } from "./LettingGo.js";
import { askOrHeal } from "./ListenAgain.js";
import { noServerOfSocket } from "./OtherServer.js";
import { type Planned, planEvery } from "./Plan.js";
import type { ProcessTable } from "./ProcessTable.js";
import { Registry } from "./Registry.js";
import type { ServerSocket } from "./ServerSocket.js";
import type { SessionActor } from "./SessionActor.js";
import type { Busy } from "./SessionError.js";
import { SessionName } from "./SessionName.js";
import type { ReconcileItem } from "./Sessions.js";
import type { ReconcileResult } from "./SessionView.js";
import { Tmux } from "./Tmux.js";

const isSessionName = Schema.is(SessionName);

/** What a living program is adopting has no row yet; it is left alone like what has one. */
const leftAlone =
  (planned: ReconcileResult) =>
  (busy: Busy): Effect.Effect<ReconcileResult, Busy> =>
    busy.reason === "claimed"
      ? Effect.succeed({
          ...planned,
          after: planned.before,
          changed: false,
          why: `held by ${busy.holder}`,
        })
      : busy;

/** Does one name's part; what came of it. */
const perform =
  (actor: SessionActor) =>
  ({ due, outcome, session }: Planned): Effect.Effect<ReconcileItem> => {
    if (!due || Either.isLeft(outcome) || !isSessionName(session)) {
      return Effect.succeed({ session, outcome });
    }
    return actor.reconcile(session).pipe(
      Effect.catchTag("Busy", leftAlone(outcome.right)),
      Effect.either,
      Effect.map((done) => ({ session, outcome: done })),
    );
  };

/** Reconciles every name of this home; what this program holds of what has ended goes with it. */
export const reconcileEvery = (actor: SessionActor) =>
  Effect.flatMap(lettingGo(planEvery({ heals: true })), (plan) =>
    Effect.forEach(plan, perform(actor)),
  );

/** The same behind a damaged registry, which is kept aside; where that is. */
export const rebuildEvery = (actor: SessionActor) =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    const tmux = yield* Tmux;
    // Asked first: without tmux there is nothing to make a new one from.
    const { listing } = yield* askOrHeal("rebuild", tmux.list("rebuild"));
    // A damaged registry cannot tell which servers there are; the processes can, whoever answers.
    const answering = listing._tag === "Server" ? listing.server : null;
    yield* noServerOfSocket(null, "rebuild", answering);
    const kept = yield* registry.setAside;
    return { kept, items: yield* reconcileEvery(actor) };
  });

/** What would be done, as a report in which nothing was. */
export const reconcilePlan = Effect.map(
  planEvery({ heals: false }),
  (plan): ReadonlyArray<ReconcileItem> =>
    plan.map(({ outcome, session }) => ({ session, outcome })),
);

/** What `reconcileEvery` needs beside the actors. */
export type ReconcileServices = Registry | Tmux | ProcessTable | ServerSocket;
