/**
 * AttachmentRow: one row of the attachment table: a guard, a next state, an action, and the words
 * that the documentation has for them.
 *
 * A row is about its own states and its own event, which the types say where it is written. Pure.
 */
import type { AttachmentAction, AttachmentEvent, AttachmentState } from "./AttachmentState.js";

type Tag<A extends { readonly _tag: string }> = A["_tag"];
type StateOf<T> = Extract<AttachmentState, { readonly _tag: T }>;
type EventOf<T> = Extract<AttachmentEvent, { readonly _tag: T }>;

/** One row, as it is written down. */
interface RowParts<F extends Tag<AttachmentState>, E extends Tag<AttachmentEvent>> {
  readonly from: ReadonlyArray<F>;
  readonly event: E;
  /** The guard in words, and as a test; none is always. */
  readonly when?: readonly [string, (state: StateOf<F>, event: EventOf<E>) => boolean];
  /** The next state in a word, and as it is; none is the same state. */
  readonly to?: readonly [
    Tag<AttachmentState>,
    (state: StateOf<F>, event: EventOf<E>) => AttachmentState,
  ];
  readonly action: AttachmentAction;
  /** What it means, in words. */
  readonly does: string;
}

/** One row of the table. */
export interface AttachmentRow {
  readonly from: ReadonlyArray<Tag<AttachmentState>>;
  readonly event: Tag<AttachmentEvent>;
  readonly when: string | null;
  /** `null`: it stays as it is. */
  readonly to: Tag<AttachmentState> | null;
  readonly action: AttachmentAction;
  readonly does: string;
  /** Whether the row is for this state and event, both of its own kind. */
  readonly holds: (state: AttachmentState, event: AttachmentEvent) => boolean;
  /** The state behind the event. */
  readonly next: (state: AttachmentState, event: AttachmentEvent) => AttachmentState;
}

/** Makes a row; `holds` and `next` are only asked about its own states and its own event. */
export const row = <F extends Tag<AttachmentState>, E extends Tag<AttachmentEvent>>(
  parts: RowParts<F, E>,
): AttachmentRow => {
  const { action, does, event, from, to, when } = parts;
  return {
    from,
    event,
    when: when?.[0] ?? null,
    to: to?.[0] ?? null,
    action,
    does,
    holds: (s, e) => when?.[1](s as StateOf<F>, e as EventOf<E>) ?? true,
    next: (s, e) => to?.[1](s as StateOf<F>, e as EventOf<E>) ?? s,
  };
};
