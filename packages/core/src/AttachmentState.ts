/**
 * AttachmentState: who is at a writer, or how long nobody has been, as one value.
 *
 * What belongs to being left alone, its deadline, its interrupt and their numbers, is in the state
 * that it belongs to, so none of it outlives that. `generation` counts the detachments of a writer:
 * whatever was begun in one is nothing to the next. Pure.
 */
import type { AwakeMillis } from "./AwakeClock.js";
import type { EndReason } from "./EndReason.js";
import type { TurnId } from "./Lease.js";
import type { OrphanDecision } from "./OrphanDecision.js";
import type { ClientId, Viewer } from "./SessionClient.js";

/** Why a writer that nobody is at is left alone a while longer. */
export type DeferReason =
  | "background-work"
  | "background-work-unknown"
  | "native-tmux-client"
  | "native-tmux-client-unknown"
  | "turn-active";

/** The states. */
export type AttachmentState =
  /** Nobody has come yet, so nobody left: it is no orphan. */
  | { readonly _tag: "Unattended"; readonly generation: number }
  /** The one who came last stands last. */
  | {
      readonly _tag: "Attached";
      readonly generation: number;
      readonly viewers: ReadonlyArray<Viewer>;
    }
  /** `due` is when it is looked at; `null` where it may stay so for ever. */
  | {
      readonly _tag: "Detached";
      readonly generation: number;
      readonly since: AwakeMillis;
      readonly due: AwakeMillis | null;
      readonly deferred: DeferReason | null;
    }
  /** A turn of it was asked to stop. `waiting`: who came back meanwhile, and waits for that. */
  | {
      readonly _tag: "Interrupting";
      readonly generation: number;
      readonly turn: TurnId;
      readonly settlesBy: AwakeMillis;
      readonly waiting: ReadonlyArray<Viewer>;
    }
  | { readonly _tag: "Reaping"; readonly reason: EndReason; readonly forced: boolean }
  | { readonly _tag: "Gone"; readonly reason: EndReason };

/** What comes to it. Whatever is to be known of the world is in it, seen in the same step. */
export type AttachmentEvent =
  /** `isLive`: its peer is there. `waits`: for an interrupt that settles. */
  | {
      readonly _tag: "Attach";
      readonly viewer: Viewer;
      readonly isLive: boolean;
      readonly waits: boolean;
    }
  /** A client is waited for that was never there. */
  | { readonly _tag: "Expect"; readonly at: AwakeMillis; readonly graceMs: number }
  /** `hold`: this attachment of it; `null`: all. `graceMs`: 0 for ever. */
  | {
      readonly _tag: "Leave";
      readonly client: ClientId;
      readonly hold: number | null;
      readonly at: AwakeMillis;
      readonly graceMs: number;
    }
  /** The deadline of a detachment, and what is decided of it. */
  | {
      readonly _tag: "Due";
      readonly generation: number;
      readonly decision: OrphanDecision;
    }
  /** A turn can write no more. `isNext`: another has begun behind it, or was accepted. */
  | {
      readonly _tag: "Settled";
      readonly turn: TurnId;
      readonly isNext: boolean;
      readonly at: AwakeMillis;
      readonly graceMs: number;
    }
  | { readonly _tag: "End"; readonly reason: EndReason }
  /** An end that is only done where nothing speaks against it, which is looked at in this step. */
  | { readonly _tag: "Evict"; readonly reason: EndReason; readonly isIdle: boolean }
  | { readonly _tag: "Done" };

/** What is to be done behind the step, by whoever took it. */
export type AttachmentAction =
  | "nothing"
  | "bind"
  | "wait"
  | "refuse: client gone"
  | "refuse: settling"
  | "refuse: closing"
  | "refuse: stale"
  | "arm"
  | "interrupt"
  | "reap";

/** A writer that nobody has come to. */
export const unattended: AttachmentState = { _tag: "Unattended", generation: 0 };

const dueAt = (at: AwakeMillis, graceMs: number): AwakeMillis | null =>
  graceMs > 0 ? ((at + graceMs) as AwakeMillis) : null;

/** A writer that its last client has left at this moment. */
export const detachedAt = (
  generation: number,
  at: AwakeMillis,
  graceMs: number,
): Extract<AttachmentState, { readonly _tag: "Detached" }> => ({
  _tag: "Detached",
  generation,
  since: at,
  due: dueAt(at, graceMs),
  deferred: null,
});
