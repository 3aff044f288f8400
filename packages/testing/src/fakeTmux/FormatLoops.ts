/**
 * FormatLoops: `#{S:…}`, `#{W:…}` and `#{P:…}`: a format for each session, window or pane.
 *
 * For windows and panes a second part behind a comma is for the current one. Before 3.6 that holds
 * for sessions not.
 */
import { formatContext } from "./FormatContext.js";
import type { FormatExpander } from "./FormatExpander.js";
import { chooseParts } from "./FormatText.js";

// In a loop there is no line of a listing.
const withoutLine = (extras: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...extras].filter(([name]) => name !== "line"));

/** For each session in the order of names. */
export const loopSessions = (expander: FormatExpander, text: string): string => {
  const { client, extras, server } = expander.context;
  return server.sessions
    .map((session) =>
      expander.about(formatContext(server, { client, session }, withoutLine(extras))).expand(text),
    )
    .join("");
};

/** For each window of the session. */
export const loopWindows = (expander: FormatExpander, text: string): string | null => {
  const { client, extras, server, session } = expander.context;
  if (session === null) return null;
  const [all, current] = chooseParts(text) ?? [text, text];
  return session.links
    .map((link) =>
      expander
        .about(formatContext(server, { client, session, link }, withoutLine(extras)))
        .expand(link === session.current ? current : all),
    )
    .join("");
};

/** For each pane of the window. */
export const loopPanes = (expander: FormatExpander, text: string): string | null => {
  const { client, extras, link, server, session, window } = expander.context;
  if (window === null) return null;
  const [all, current] = chooseParts(text) ?? [text, text];
  return window.panes
    .map((pane) =>
      expander
        .about(formatContext(server, { client, session, link, pane }, withoutLine(extras)))
        .expand(pane === window.active ? current : all),
    )
    .join("");
};
