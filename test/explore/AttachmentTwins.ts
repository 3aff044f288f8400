/**
 * AttachmentTwins: the table of attachments and the decision about an orphan, and the plain program
 * of AttachmentTwinsModel, which hear the same.
 *
 * Each step asks both and says where they differ: in who is there or waits and by what, in the
 * deadlines, in why it is put off or ends, or in what is to be done.
 */
import {
  type AttachmentEvent,
  type AttachmentState,
  AwakeMillis,
  ClientId,
  decideOrphan,
  stepAttachment,
  TurnId,
  unattended,
  type Viewer,
} from "@troupe/core";
import { type Bounds, type Happens, PlainAttachments, type Sight } from "./AttachmentTwinsModel.js";

/** Both of them at one moment. */
export interface AttachmentTwins {
  readonly now: number;
  readonly state: AttachmentState;
  readonly plain: PlainAttachments;
}

/** Both of a writer that nobody has come to. */
export const newTwins = (bounds: Bounds): AttachmentTwins => ({
  now: 100,
  state: unattended,
  plain: new PlainAttachments(bounds),
});

const told = ({ client, closes, holds, since }: Viewer): string =>
  `${client} since ${since} by ${holds.join("+")}${closes ? " who closes" : ""}`;

/** A state of the table, in the words of the other. */
export const wordsOf = (s: AttachmentState): string => {
  switch (s._tag) {
    case "Unattended":
      return `${s.generation}: nobody came`;
    case "Attached":
      return `${s.generation}: there: ${s.viewers.map(told).join(", ")}`;
    case "Detached":
      return `${s.generation}: left ${s.since}, due ${s.due}, ${s.deferred}`;
    case "Interrupting": {
      const waiting = s.waiting.map(told).join(", ");
      return `${s.generation}: stops ${s.turn} by ${s.settlesBy}, waiting: ${waiting}`;
    }
    case "Reaping":
      return `ends: ${s.reason}${s.forced ? ", forced" : ""}`;
    case "Gone":
      return `gone: ${s.reason}`;
  }
};

const decisionOf = (state: AttachmentState, now: number, bounds: Bounds, sight: Sight) => {
  const { isAwaited, turn } = sight;
  const activity = turn === null || turn.activity === null ? null : AwakeMillis(turn.activity);
  return decideOrphan({
    ...{ state, now: AwakeMillis(now), isAwaited },
    bounds: {
      orphanGraceMs: bounds.graceMs,
      activityStaleMs: bounds.silentMs,
      interruptSettleMs: bounds.settleMs,
    },
    turn: turn === null ? null : { id: TurnId.make(turn.id), activity },
    background: sight.background,
    nativeClients: sight.tmux,
  });
};

/** What the table is told of it; `null` where that is nothing. */
const eventOf = (
  { now, plain, state }: AttachmentTwins,
  event: Happens,
  bounds: Bounds,
): AttachmentEvent | null => {
  const at = AwakeMillis(now);
  const { graceMs } = bounds;
  switch (event.what) {
    case "comes": {
      const { closes, hold, isLive, waits, who } = event;
      const viewer = { client: ClientId.make(who), since: at, holds: [hold], closes };
      return { _tag: "Attach", viewer, isLive, waits };
    }
    case "expected":
      return { _tag: "Expect", at, graceMs };
    case "leaves":
      return { _tag: "Leave", client: ClientId.make(event.who), hold: event.hold, at, graceMs };
    case "looked": {
      const decision = decisionOf(state, now, bounds, event.sight);
      return { _tag: "Due", generation: plain.detachments - event.late, decision };
    }
    case "settled":
      return { ...event, _tag: "Settled", turn: TurnId.make(event.turn), at, graceMs };
    case "ended":
      return { _tag: "End", reason: "explicit_close" };
    case "evicted":
      return { _tag: "Evict", reason: "idle_timeout", isIdle: event.isIdle };
    case "over":
      return { _tag: "Done" };
    case "time passes":
      return null;
  }
};

/** Both behind an event; or how they differ then. */
export const stepTwins = (
  twins: AttachmentTwins,
  event: Happens,
  bounds: Bounds,
): AttachmentTwins | string => {
  const asked = eventOf(twins, event, bounds);
  const { action, state } =
    asked === null ? { action: "nothing", state: twins.state } : stepAttachment(twins.state, asked);
  const plain = twins.plain.copy();
  const due = plain.hear(event, twins.now);
  const table = `${action}; ${wordsOf(state)}`;
  const model = `${due}; ${plain.words}`;
  if (table !== model) return `the table says "${table}", the plain program "${model}"`;
  const now = event.what === "time passes" ? twins.now + event.ms : twins.now;
  return { now, state, plain };
};
