/**
 * AttachRows: the part of the attachment table about clients that come and go.
 *
 * To come is to add oneself and steals nothing; who is refused has changed nothing. To go is to be
 * taken out, and only the last one's going changes more. Pure.
 */

import { type AttachmentRow, row } from "./AttachmentRow.js";
import { type AttachmentEvent, type AttachmentState, detachedAt } from "./AttachmentState.js";
import type { ClientId, Viewer } from "./SessionClient.js";

const isIn = (viewers: ReadonlyArray<Viewer>, client: ClientId): boolean =>
  viewers.some((viewer) => viewer.client === client);

const without = (viewers: ReadonlyArray<Viewer>, client: ClientId): ReadonlyArray<Viewer> =>
  viewers.filter((viewer) => viewer.client !== client);

/** What an attachment that closes is of. */
type Leaving = Pick<Extract<AttachmentEvent, { readonly _tag: "Leave" }>, "client" | "hold">;

/** Whether this attachment is open; any of the client, when none is named. */
const isHeld = (viewers: ReadonlyArray<Viewer>, { client, hold }: Leaving): boolean =>
  viewers.some((each) => each.client === client && (hold === null || each.holds.includes(hold)));

/** Whether the client stays by another attachment. */
const stays = (viewers: ReadonlyArray<Viewer>, { client, hold }: Leaving): boolean =>
  hold !== null &&
  viewers.some((each) => each.client === client && each.holds.some((other) => other !== hold));

const joined = (viewers: ReadonlyArray<Viewer>, viewer: Viewer): ReadonlyArray<Viewer> =>
  viewers.map((each) =>
    each.client === viewer.client
      ? {
          ...each,
          holds: [...each.holds, ...viewer.holds],
          closes: each.closes || viewer.closes,
        }
      : each,
  );

const released = (viewers: ReadonlyArray<Viewer>, { client, hold }: Leaving) =>
  viewers.map((each) =>
    each.client === client ? { ...each, holds: each.holds.filter((h) => h !== hold) } : each,
  );

const attached = (generation: number, viewers: ReadonlyArray<Viewer>): AttachmentState => ({
  _tag: "Attached",
  generation,
  viewers,
});

const isDead = [
  "its peer is gone",
  (_: unknown, e: { readonly isLive: boolean }) => !e.isLive,
] as const;

const comes: ReadonlyArray<AttachmentRow> = [
  row({
    from: ["Unattended", "Attached", "Detached", "Interrupting"],
    event: "Attach",
    when: isDead,
    action: "refuse: client gone",
    does: "a late return is none; a deadline stays",
  }),
  row({
    from: ["Attached"],
    event: "Attach",
    when: ["it is attached already", (s, e) => isIn(s.viewers, e.viewer.client)],
    to: ["Attached", (s, e) => attached(s.generation, joined(s.viewers, e.viewer))],
    action: "bind",
    does: "one attachment more of the same client, and nothing else",
  }),
  row({
    from: ["Attached"],
    event: "Attach",
    to: ["Attached", (s, e) => attached(s.generation, [...s.viewers, e.viewer])],
    action: "bind",
    does: "it joins, and nobody else notices",
  }),
  row({
    from: ["Unattended", "Detached"],
    event: "Attach",
    to: ["Attached", (s, e) => attached(s.generation, [e.viewer])],
    action: "bind",
    does: "a pending deadline is gone before it can do anything",
  }),
  row({
    from: ["Interrupting"],
    event: "Attach",
    when: ["it waits", (_, e) => e.waits],
    to: [
      "Interrupting",
      (s, e) => ({
        ...s,
        waiting: isIn(s.waiting, e.viewer.client)
          ? joined(s.waiting, e.viewer)
          : [...s.waiting, e.viewer],
      }),
    ],
    action: "wait",
    does: "answered when the turn is settled",
  }),
  row({
    from: ["Interrupting"],
    event: "Attach",
    action: "refuse: settling",
    does: "told until when; the deadline stays",
  }),
  row({
    from: ["Reaping"],
    event: "Attach",
    action: "refuse: closing",
    does: "it ends; whoever wants the session asks for another writer",
  }),
  row({
    from: ["Unattended"],
    event: "Expect",
    to: ["Detached", (s, e) => detachedAt(s.generation + 1, e.at, e.graceMs)],
    action: "arm",
    does: "made for who may come back: it has the grace",
  }),
  row({
    from: ["Attached", "Detached", "Interrupting", "Reaping", "Gone"],
    event: "Expect",
    action: "nothing",
    does: "somebody was there already",
  }),
  row({ from: ["Gone"], event: "Attach", action: "refuse: stale", does: "this writer is over" }),
];

const goes: ReadonlyArray<AttachmentRow> = [
  row({
    from: ["Attached"],
    event: "Leave",
    when: ["it is not attached by this", (s, e) => !isHeld(s.viewers, e)],
    action: "nothing",
    does: "to leave twice is to leave once",
  }),
  row({
    from: ["Attached"],
    event: "Leave",
    when: ["it has another attachment", (s, e) => stays(s.viewers, e)],
    to: ["Attached", (s, e) => attached(s.generation, released(s.viewers, e))],
    action: "nothing",
    does: "it stays by the other one",
  }),
  row({
    from: ["Attached"],
    event: "Leave",
    when: ["others are attached", (s, e) => without(s.viewers, e.client).length > 0],
    to: ["Attached", (s, e) => attached(s.generation, without(s.viewers, e.client))],
    action: "nothing",
    does: "the turn, the others and all deadlines are untouched",
  }),
  row({
    from: ["Attached"],
    event: "Leave",
    when: ["it asked to close behind it", (s) => s.viewers.some(({ closes }) => closes)],
    to: ["Reaping", () => ({ _tag: "Reaping", reason: "client_disconnect", forced: false })],
    action: "reap",
    does: "the writer ends at once, without grace",
  }),
  row({
    from: ["Attached"],
    event: "Leave",
    to: ["Detached", (s, e) => detachedAt(s.generation + 1, e.at, e.graceMs)],
    action: "arm",
    does: "the next detachment, with a grace and a budget of its own",
  }),
  row({
    from: ["Interrupting"],
    event: "Leave",
    when: ["it does not wait by this", (s, e) => !isHeld(s.waiting, e)],
    action: "nothing",
    does: "to leave twice is to leave once",
  }),
  row({
    from: ["Interrupting"],
    event: "Leave",
    when: ["it has another attachment", (s, e) => stays(s.waiting, e)],
    to: ["Interrupting", (s, e) => ({ ...s, waiting: released(s.waiting, e) })],
    action: "nothing",
    does: "it waits by the other one",
  }),
  row({
    from: ["Interrupting"],
    event: "Leave",
    to: ["Interrupting", (s, e) => ({ ...s, waiting: without(s.waiting, e.client) })],
    action: "nothing",
    does: "it waits no more",
  }),
  row({
    from: ["Unattended", "Detached", "Reaping", "Gone"],
    event: "Leave",
    action: "nothing",
    does: "to leave twice is to leave once",
  }),
];

/** The rows. */
export const attachRows: ReadonlyArray<AttachmentRow> = [...comes, ...goes];
