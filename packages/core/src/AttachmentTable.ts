/**
 * AttachmentTable: what each event makes of each state of a writer's attachments.
 *
 * The rows are what is executed and what the documentation shows, so the two cannot differ. For a
 * state and an event the first row whose guard holds counts; the last one of each pair has none, so
 * there is one for everything. Pure.
 */

import type { AttachmentRow } from "./AttachmentRow.js";
import type { AttachmentAction, AttachmentEvent, AttachmentState } from "./AttachmentState.js";
import { attachRows } from "./AttachRows.js";
import { endRows } from "./EndRows.js";
import { orphanRows } from "./OrphanRows.js";

/** Every row, in the order in which they are asked. */
export const attachmentTable: ReadonlyArray<AttachmentRow> = [
  ...attachRows,
  ...orphanRows,
  ...endRows,
];

/** The row that counts for this state and event. */
export const attachmentRow = (state: AttachmentState, event: AttachmentEvent): AttachmentRow => {
  const found = attachmentTable.find(
    (each) =>
      each.from.includes(state._tag) && each.event === event._tag && each.holds(state, event),
  );
  if (found === undefined) throw new Error(`no row for ${event._tag} in ${state._tag}`);
  return found;
};

/** The next state, and what is to be done. */
export const stepAttachment = (
  state: AttachmentState,
  event: AttachmentEvent,
): { readonly state: AttachmentState; readonly action: AttachmentAction } => {
  const { action, next } = attachmentRow(state, event);
  return { state: next(state, event), action };
};

/** The table as documentation shows it. */
export const attachmentTableText = (): string => {
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`;
  const rows = attachmentTable.map(({ action, does, event, from, to, when }) =>
    line([from.join(", "), event, when ?? "", to ?? "the same", action, does]),
  );
  const head = ["from", "event", "when", "to", "action", "that is"];
  return [line(head), line(head.map(() => "---")), ...rows].join("\n");
};
