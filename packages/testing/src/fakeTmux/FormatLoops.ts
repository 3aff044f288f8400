/**
 * FormatLoops: `#{S:…}`, `#{W:…}` and `#{P:…}`: a format for each session, window or pane.
 *
 * For windows and panes a second part behind a comma is for the current one. Before 3.6 that holds
 * for sessions not.
 */
import { formatContext } from "./FormatContext.js";
import type { FormatExpander } from "./FormatExpander.js";
import { chooseParts } from "./FormatText.js";

/** For each session in the order of names. */
export const loopSessions = (expander: FormatExpander, text: string): string => {
  const { client, extras, server } = expander.context;
  return server.sessions
    .map((session) =>
      expander.about(formatContext(server, { client, session }, extras)).expand(text),
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
        .about(formatContext(server, { client, session, link }, extras))
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
        .about(formatContext(server, { client, session, link, pane }, extras))
        .expand(pane === window.active ? current : all),
    )
    .join("");
};
