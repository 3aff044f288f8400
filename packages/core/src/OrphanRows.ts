/**
 * OrphanRows: the part of the attachment table about a writer that nobody is at.
 *
 * A deadline and an interrupt are of one detachment: what is late for another is dropped. Pure.
 */

import { type AttachmentRow, row } from "./AttachmentRow.js";
import { type AttachmentState, detachedAt } from "./AttachmentState.js";
import type { OrphanDecision } from "./OrphanDecision.js";

const decided = <T extends OrphanDecision["_tag"]>(decision: OrphanDecision, tag: T) =>
  decision._tag === tag ? (decision as Extract<OrphanDecision, { readonly _tag: T }>) : null;

const reaping = (forced: boolean): AttachmentState => ({
  _tag: "Reaping",
  reason: "orphan_reap",
  forced,
});

const isOther = [
  "it is another detachment's",
  (s: { readonly generation: number }, e: { readonly generation: number }) =>
    e.generation !== s.generation,
] as const;

const due: ReadonlyArray<AttachmentRow> = [
  row({
    from: ["Detached", "Interrupting"],
    event: "Due",
    when: isOther,
    action: "nothing",
    does: "a deadline that is over",
  }),
  row({
    from: ["Detached"],
    event: "Due",
    when: ["too early, or deferred", (_, e) => decided(e.decision, "RecheckAt") !== null],
    to: [
      "Detached",
      (s, e) => {
        const { at, why } = decided(e.decision, "RecheckAt") ?? { at: s.due, why: null };
        return { ...s, due: at, deferred: why };
      },
    ],
    action: "nothing",
    does: "looked at again then",
  }),
  row({
    from: ["Detached"],
    event: "Due",
    when: ["its turn went silent", (_, e) => decided(e.decision, "InterruptOnce") !== null],
    to: [
      "Interrupting",
      (s, e) => {
        const interrupt = decided(e.decision, "InterruptOnce");
        if (interrupt === null) return s;
        const { settlesBy, turn } = interrupt;
        return { _tag: "Interrupting", generation: s.generation, turn, settlesBy, waiting: [] };
      },
    ],
    action: "interrupt",
    does: "the only interrupt of this detachment",
  }),
  row({
    from: ["Interrupting"],
    event: "Due",
    when: ["too early", (_, e) => decided(e.decision, "RecheckAt") !== null],
    action: "nothing",
    does: "its turn may still settle; nothing defers it any more",
  }),
  row({
    from: ["Detached", "Interrupting"],
    event: "Due",
    when: ["nothing speaks for it", (_, e) => decided(e.decision, "Reap") !== null],
    to: ["Reaping", (_, e) => reaping(decided(e.decision, "Reap")?.forced ?? false)],
    action: "reap",
    does: "the writer ends; forced, and told as an error, when its turn did not settle",
  }),
  row({
    from: ["Detached", "Interrupting"],
    event: "Due",
    action: "nothing",
    does: "it may stay so for ever",
  }),
  row({
    from: ["Unattended", "Attached", "Reaping", "Gone"],
    event: "Due",
    action: "nothing",
    does: "nobody is away any more",
  }),
];

const settled: ReadonlyArray<AttachmentRow> = [
  row({
    from: ["Interrupting"],
    event: "Settled",
    when: ["it is another turn", (s, e) => e.turn !== s.turn],
    action: "nothing",
    does: "the interrupted one has not settled",
  }),
  row({
    from: ["Interrupting"],
    event: "Settled",
    when: ["somebody waits", (s) => s.waiting.length > 0],
    to: ["Attached", (s) => ({ _tag: "Attached", generation: s.generation, viewers: s.waiting })],
    action: "bind",
    does: "who came back has it, and the interrupt is forgotten",
  }),
  row({
    from: ["Interrupting"],
    event: "Settled",
    when: ["another turn was accepted", (_, e) => e.isNext],
    to: ["Detached", (s, e) => detachedAt(s.generation + 1, e.at, e.graceMs)],
    action: "arm",
    does: "somebody works in it: a detachment anew",
  }),
  row({
    from: ["Interrupting"],
    event: "Settled",
    to: ["Reaping", () => reaping(false)],
    action: "reap",
    does: "the writer ends as soon as its turn has",
  }),
  row({
    from: ["Unattended", "Attached", "Detached", "Reaping", "Gone"],
    event: "Settled",
    action: "nothing",
    does: "the next deadline decides, where there is one",
  }),
];

/** The rows. */
export const orphanRows: ReadonlyArray<AttachmentRow> = [...due, ...settled];
