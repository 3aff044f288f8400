/**
 * ClaimWait: waiting for the claim of a name that a living program holds.
 *
 * A waiter looks at the row, which writes nothing, and tries only where the claim looks free: so
 * that many who wait cost next to nothing and slow nobody down. The longer one holder keeps it, the
 * longer the pauses, and whether he lives is asked about once a second. It ends at the bound.
 */
import { Clock, Effect } from "effect";
import { type Claim, Registry } from "./Registry.js";
import type { ClaimRecord } from "./Session.js";
import { Busy, type RegistryFailure } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import { Settings } from "./Settings.js";

/** The golden ratio: multiples of it fall between each other for ever, whatever comes in turns. */
const RATIO = 1.618_033_988_749_895;

/**
 * How long a waiter pauses after so many looks. Uneven, so that it never keeps step with a holder
 * that comes and goes; and shorter the longer it has waited, down to a quarter of the spacing at
 * the end, so that of many waiters the oldest comes first more often than not.
 */
export const pauseOf = (looks: number, age: number, spacingMs: number): number =>
  Math.ceil(spacingMs * (0.5 + ((looks * RATIO) % 1)) * (1 - Math.min(age, 1) / 2));

/** The spacing grows to this part of the time for which one claim has stood there... */
const PATIENCE = 1 / 8;

/** ...and to no more than so many times what it is at first. */
const MOST = 8;

/** About how often whoever waits asks whether the holder lives. */
const LIFE_MS = 1_000;

/** How far apart the looks at a claim are that has been seen for so long. */
export const spacingOf = (seenForMs: number, spacingMs: number): number =>
  Math.min(Math.max(spacingMs, seenForMs * PATIENCE), spacingMs * MOST);

/** Whether a claim that was seen like this would be given to whoever asks. */
const isFree = ({ holder }: ClaimRecord): boolean =>
  holder === "none" || holder === "self" || holder === "dead";

/** The claim as a waiter last saw it, since when, and when its holder last lived for certain. */
interface Seen {
  readonly owner: string | null;
  /** Not known at first: a refusal does not tell it. */
  readonly epoch: number | null;
  readonly since: number;
  readonly asked: number;
}

/** What was seen before and what is seen now, as one. */
const seenAgain = (seen: Seen, { epoch, owner }: ClaimRecord, now: number, asked: boolean): Seen =>
  owner === seen.owner && epoch === (seen.epoch ?? epoch)
    ? { ...seen, epoch, asked: asked ? now : seen.asked }
    : // Whoever has only just taken it lived then.
      { owner, epoch, since: now, asked: now };

/** A claim that somebody else holds, and for how long it may be waited for. */
interface Contested {
  readonly session: SessionName;
  readonly attempted: string;
  readonly began: number;
  readonly end: number;
}

/**
 * Ends when a try is worth it, and with `Busy` when none is before the end. Nothing is taken here,
 * so a caller who leaves is let go at once.
 */
const untilFree = (
  { attempted, began, end, session }: Contested,
  refused: Busy,
): Effect.Effect<void, Busy | RegistryFailure, Registry> =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    const { claimSpacingMs } = yield* Settings;
    let now = yield* Clock.currentTimeMillis;
    let seen: Seen = { owner: refused.holder, epoch: null, since: now, asked: now };
    for (let looks = 1; ; looks++) {
      const spacing = spacingOf(now - seen.since, claimSpacingMs);
      const pause = pauseOf(looks, (now - began) / (end - began), spacing);
      yield* Effect.sleep(Math.min(pause, end - now));
      now = yield* Clock.currentTimeMillis;
      const asksLife = now - seen.asked >= LIFE_MS || now >= end;
      const claim = yield* registry.seeClaim(session, { asksLife });
      if (isFree(claim)) return;
      if (now >= end) {
        return yield* new Busy({ session, attempted, holder: claim.owner, reason: "claimed" });
      }
      seen = seenAgain(seen, claim, now, asksLife);
    }
  }).pipe(Effect.interruptible);

/** Whether a message waits for a living holder, gives up at once, or overtakes it. */
export type ClaimPolicy = "wait" | "try" | "force";

/** Takes the claim of the name, however often others come first, for at most `claimWaitMs`. */
export const awaitClaim = (
  session: SessionName,
  attempted: string,
): Effect.Effect<Claim, Busy | RegistryFailure, Registry> =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    const { claimWaitMs } = yield* Settings;
    const began = yield* Clock.currentTimeMillis;
    const contested = { session, attempted, began, end: began + claimWaitMs };
    for (;;) {
      const tried = yield* Effect.either(registry.claim(session, { attempted, force: false }));
      if (tried._tag === "Right") return tried.right;
      const isOver = (yield* Clock.currentTimeMillis) >= contested.end;
      if (!(tried.left instanceof Busy) || isOver) return yield* tried.left;
      yield* untilFree(contested, tried.left);
    }
  });

/** Only the wait for it can be interrupted: a claim that was taken is always held. */
export const claimBy = (session: SessionName, attempted: string, policy: ClaimPolicy) =>
  policy === "wait"
    ? awaitClaim(session, attempted)
    : Effect.flatMap(Registry, (registry) =>
        registry.claim(session, { attempted, force: policy === "force" }),
      );
