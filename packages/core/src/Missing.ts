/**
 * Missing: the failure of a session that is not there although its name is known.
 *
 * What is known of it is told, because that is what helps: one that is lost can be made anew, and
 * one that was deleted is no name that was mistyped. Pure; whoever asks has looked.
 */
import { isFinal } from "./Lifecycle.js";
import type { SessionRecord } from "./Session.js";
import { NotFound } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";

/** What was asked for. */
interface Asked {
  readonly session: SessionName;
  readonly attempted: string;
}

/** What a session is that is not there: a row that says it runs is behind. */
export const absentState = ({ state }: SessionRecord): string =>
  isFinal(state) || state === "creating" || state === "deleting" ? state : "lost";

/** The failure; without a row the name was never used. */
export const missing = ({ attempted, session }: Asked, record: SessionRecord | null): NotFound =>
  new NotFound({ session, attempted, state: record === null ? null : absentState(record) });
