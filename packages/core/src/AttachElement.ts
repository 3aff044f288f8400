/**
 * AttachElement: what whoever is attached to a session is told, one after the other.
 *
 * Lifecycle events in the order of the log and output in the order of its bytes; how the two lie
 * beside each other is nobody's promise. What could not be kept for a slow one is a gap in its
 * place, of the log or of the output, with its numbers. Last comes why the writer has ended.
 */
import type { EndReason } from "./EndReason.js";
import type { LogEntry } from "./EventLog.js";
import type { OutputElement } from "./SessionOutput.js";

/** One element. */
export type AttachElement =
  | { readonly type: "log"; readonly entry: LogEntry }
  | { readonly type: "output"; readonly output: OutputElement }
  /** The last one: the writer is over, and the session lives on unless it was deleted. */
  | { readonly type: "ended"; readonly reason: EndReason };
