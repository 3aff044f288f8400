/**
 * SessionKeys: the names of formats about a session and its group.
 *
 * Without a session each is blank, and so is what a session without a group would say of its group.
 * Alerts never come: the fake has no bells and watches no activity.
 */
import type { FormatContext } from "./FormatContext.js";
import type { FormatKey, FormatValue } from "./FormatKeys.js";
import type { Session, SessionGroup } from "./Session.js";

const about =
  (say: (session: Session, context: FormatContext) => FormatValue): FormatKey =>
  (context) =>
    context.session === null ? null : say(context.session, context);

const grouped = (say: (group: SessionGroup, context: FormatContext) => string | null): FormatKey =>
  about((session, context) => (session.group === null ? null : say(session.group, context)));

const bit = (value: boolean): string => (value ? "1" : "0");
const clientNames = ({ server }: FormatContext, sessions: ReadonlyArray<Session>): string | null =>
  server.clients
    .filter(({ session }) => sessions.includes(session))
    .map(({ name }) => name)
    .join(",") || null;
const attachedTo = ({ sessions }: SessionGroup): number =>
  sessions.reduce((sum, { attached }) => sum + attached, 0);

/** By name. */
export const sessionKeys: Readonly<Record<string, FormatKey>> = {
  active_window_index: about(({ current }) => String(current.index)),
  last_window_index: about(({ links }) => String(links.at(-1)?.index ?? 0)),
  session_activity: about(({ activity }) => ({ seconds: activity })),
  session_alerts: about(() => ""),
  session_attached: about(({ attached }) => String(attached)),
  session_attached_list: about((session, context) => clientNames(context, [session])),
  session_created: about(({ created }) => ({ seconds: created })),
  session_format: ({ about: kind }) => bit(kind === "session"),
  session_group: grouped(({ name }) => name),
  session_group_attached: grouped((group) => String(attachedTo(group))),
  session_group_attached_list: grouped((group, context) => clientNames(context, group.sessions)),
  session_group_list: grouped(({ sessions }) => sessions.map(({ name }) => name).join(",")),
  session_group_many_attached: grouped((group) => bit(attachedTo(group) > 1)),
  session_group_size: grouped(({ sessions }) => String(sessions.length)),
  session_grouped: about(({ group }) => bit(group !== null)),
  session_id: about(({ id }) => id),
  session_last_attached: about(({ lastAttached }) =>
    lastAttached === null ? null : { seconds: lastAttached },
  ),
  session_many_attached: about(({ attached }) => bit(attached > 1)),
  session_marked: about(() => "0"),
  session_name: about(({ name }) => name),
  session_path: about(({ cwd }) => cwd),
  session_stack: about(({ current, last }) =>
    [current, ...last].map(({ index }) => String(index)).join(","),
  ),
  session_windows: about(({ links }) => String(links.length)),
};
