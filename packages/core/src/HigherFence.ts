/**
 * HigherFence: a change in tmux that was refused because a fence stands above our epoch.
 *
 * Mostly somebody overtook us, and raised it. But a fence outlives a registry that was lost, and
 * two homes on one server have the fences of their names in common: then nobody did, and the name
 * must not stay unusable. So the registry is asked, by taking an epoch that passes: where the claim
 * was overtaken that is `Busy`, else the change is asked for again, once. What passes at first asks
 * nothing more.
 */
import { Effect } from "effect";
import type { Holding } from "./Holding.js";
import type { ServerId } from "./Identity.js";
import { Busy, type LookupFailed, type RegistryFailure } from "./SessionError.js";
import { type Refusal, Tmux } from "./Tmux.js";

type Stale = Extract<Refusal, { readonly _tag: "Stale" }>;

/** Where a change is asked for, and as what. */
export interface Asking {
  readonly server: ServerId;
  readonly attempted: string;
}

const isDone = <A extends object>(reply: A | Stale): reply is Exclude<A, Stale> =>
  !("_tag" in reply && reply._tag === "Stale");

/**
 * Asks for the change, which is to be made of the epoch in force each time; `Busy{overtaken}` when
 * it may not be done. What is `Stale` did nothing, so it is never done twice.
 */
export const unlessOvertaken = <A extends object, E, R>(
  holding: Holding,
  { attempted, server }: Asking,
  change: () => Effect.Effect<A | Stale, E, R>,
): Effect.Effect<Exclude<A, Stale>, E | Busy | LookupFailed | RegistryFailure, R | Tmux> =>
  Effect.gen(function* () {
    const { session } = holding;
    const overtaken = new Busy({ session, attempted, holder: null, reason: "overtaken" });
    const reply = yield* Effect.suspend(change);
    if (isDone(reply)) return reply;
    const tmux = yield* Tmux;
    const height = yield* tmux.fenceOf(session, server);
    if (height === null || height <= holding.fence().epoch) return yield* overtaken;
    yield* holding
      .atLeast(height)
      .pipe(
        Effect.catchTag("Busy", ({ holder, reason }) =>
          Effect.fail(new Busy({ session, attempted, holder, reason })),
        ),
      );
    const again = yield* Effect.suspend(change);
    return isDone(again) ? again : yield* overtaken;
  });
