/**
 * SessionGroups: sessions that share their windows.
 *
 * After every change of the links of one, the others get the same windows at the same indexes and
 * keep their own current window where it still exists.
 */
import { type Session, type SessionGroup, WindowLink } from "./Session.js";

const copyLinks = (from: Session, to: Session): void => {
  if (from.links.length === 0) return;
  if (to.links.length > 0 && from.linkAt(to.current.index) === null) to.leaveCurrent();
  const old = to.links;
  const current = old.length > 0 ? to.current.index : from.current.index;
  const last = to.last.map(({ index }) => index);
  to.links = from.links.map(({ index, window }) => {
    const link = new WindowLink(to, index, window);
    window.links.push(link);
    window.notices++;
    return link;
  });
  for (const { window } of old) {
    window.links = window.links.filter((link) => !old.includes(link));
    if (!to.links.some((link) => link.window === window)) window.notices++;
  }
  to.current = to.linkAt(current) ?? (to.links[0] as WindowLink);
  to.last = last.flatMap((index) => to.linkAt(index) ?? []);
};

/** Carries the windows of a session to the others of its group. */
export const synchronizeFrom = (session: Session): void => {
  for (const other of session.group?.sessions ?? []) {
    if (other !== session) copyLinks(session, other);
  }
};

/** Gives a session that has just joined a group the windows of another one in it. */
export const synchronizeTo = (session: Session): void => {
  const other = session.group?.sessions.find((each) => each !== session);
  if (other !== undefined) copyLinks(other, session);
};

/** Adds a session to a group, unless it is in one. */
export const joinGroup = (group: SessionGroup, session: Session): void => {
  if (session.group !== null) return;
  session.group = group;
  group.sessions.push(session);
};

/** Takes a session out of its group. */
export const leaveGroup = (session: Session): void => {
  const { group } = session;
  session.group = null;
  if (group !== null) group.sessions = group.sessions.filter((each) => each !== session);
};
