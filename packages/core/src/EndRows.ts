/**
 * EndRows: the part of the attachment table about the end of a writer.
 *
 * It is entered once. Whoever evicts looks whether it is idle in the step that does it. Pure.
 */
import { type AttachmentRow, row } from "./AttachmentRow.js";

/** The rows. */
export const endRows: ReadonlyArray<AttachmentRow> = [
  row({
    from: ["Unattended", "Attached", "Detached", "Interrupting"],
    event: "End",
    to: ["Reaping", (_, e) => ({ _tag: "Reaping", reason: e.reason, forced: false })],
    action: "nothing",
    does: "whoever asked for it ends it, for this reason",
  }),
  row({
    from: ["Reaping", "Gone"],
    event: "End",
    action: "nothing",
    does: "the first reason counts, and all hear the same",
  }),
  row({
    from: ["Unattended", "Detached"],
    event: "Evict",
    when: ["it is idle", (_, e) => e.isIdle],
    to: ["Reaping", (_, e) => ({ _tag: "Reaping", reason: e.reason, forced: false })],
    action: "reap",
    does: "the writer ends; the session stays",
  }),
  row({
    from: ["Unattended", "Attached", "Detached", "Interrupting", "Reaping", "Gone"],
    event: "Evict",
    action: "nothing",
    does: "it is in use, or over already",
  }),
  row({
    from: ["Reaping"],
    event: "Done",
    to: ["Gone", (s) => ({ _tag: "Gone", reason: s.reason })],
    action: "nothing",
    does: "whoever is attached is told that as the last thing",
  }),
  row({
    from: ["Unattended", "Attached", "Detached", "Interrupting", "Gone"],
    event: "Done",
    action: "nothing",
    does: "nothing ended",
  }),
];
