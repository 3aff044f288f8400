/**
 * GcReport: what gc is told, and what it tells: of each thing what became of it, and why.
 *
 * Whatever was not removed is in `kept` with the reason; what was kept because something failed is
 * in `failed`, too. Values only.
 */
import type { Effect } from "effect";
import type { LookupFailed, RegistryFailure } from "./SessionError.js";
import type { NameFailure } from "./SessionFailures.js";
import type { ReconcileResult } from "./SessionView.js";

/** How long what has ended is kept when nothing was said: 7 days. */
export const KEPT_MS = 7 * 86_400_000;

/** How many things are dealt with, of those that are known to be due so far. */
export interface GcProgress {
  readonly done: number;
  readonly total: number;
}

/** What is old enough. Ages are counted from the last change of the row. */
export interface GcOptions {
  /** How long ago a session must have ended to be forgotten: 7 days unless given, 0 is each. */
  readonly olderThanMs?: number | undefined;
  /**
   * How long ago it must have been recorded that the programs of a session ended for it to be
   * deleted; none is deleted unless this is given.
   */
  readonly exitedMs?: number | undefined;
  /** Tells what would be done, and does nothing. */
  readonly dryRun?: boolean | undefined;
  /** Told behind each thing that is dealt with. The gc waits for it. Never in a dry run. */
  readonly onProgress?: ((progress: GcProgress) => Effect.Effect<void>) | undefined;
}

/** One thing and why it went or stayed; `session` and `generation` where it is of one. */
export interface GcItem {
  readonly what: string;
  readonly session: string | null;
  readonly generation: number | null;
  readonly why: string;
}

/** One thing that something failed with. */
export interface GcFailed {
  readonly what: string;
  readonly session: string | null;
  readonly failure: NameFailure;
}

/** What one step came to. */
export interface GcDone {
  readonly deleted: ReadonlyArray<GcItem>;
  readonly forgotten: ReadonlyArray<GcItem>;
  readonly kept: ReadonlyArray<GcItem>;
  readonly failed: ReadonlyArray<GcFailed>;
}

/** All of it. `repaired` is what a reconcile changed first; `unknown`: it may have been ended. */
export interface GcReport extends GcDone {
  readonly dryRun: boolean;
  readonly repaired: ReadonlyArray<ReconcileResult>;
  readonly server: "stopped" | "kept" | "none" | "unknown";
}

/**
 * Forgets what ended long ago, with its snapshots, output and events; deletes sessions whose
 * programs ended long ago when told to; ends a server that is empty. Interrupted repairs come
 * first. It fails where tmux or the registry could not be asked, and then nothing was touched; what
 * fails for one name is in `failed`, and the others go on.
 */
export type Collect = (
  options?: GcOptions,
) => Effect.Effect<GcReport, LookupFailed | RegistryFailure>;

const nothing: GcDone = { deleted: [], forgotten: [], kept: [], failed: [] };

/** A step that came to these and nothing else. */
export const done = (parts: Partial<GcDone>): GcDone => ({ ...nothing, ...parts });

/** All steps as one. */
export const joined = (steps: ReadonlyArray<GcDone>): GcDone => ({
  deleted: steps.flatMap(({ deleted }) => deleted),
  forgotten: steps.flatMap(({ forgotten }) => forgotten),
  kept: steps.flatMap(({ kept }) => kept),
  failed: steps.flatMap(({ failed }) => failed),
});

/** What stays because something failed, which is told, too. */
export const keptBy = (item: Omit<GcItem, "why">, failure: NameFailure): GcDone =>
  done({
    kept: [{ ...item, why: failure.message }],
    failed: [{ what: item.what, session: item.session, failure }],
  });
