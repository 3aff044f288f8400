/**
 * WindowKeys: the names of formats about a window and its place in a session.
 *
 * What is about the place is blank without one. Alerts, marks and zoom do not exist in the fake. A
 * name that `automatic-rename` would change is outside of the model.
 */
import type { FormatContext } from "./FormatContext.js";
import type { FormatKey, FormatValue } from "./FormatKeys.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import { currentCommand } from "./PaneKeys.js";
import type { WindowLink } from "./Session.js";
import type { Window } from "./Window.js";
import { defaultRenameFormat } from "./WindowOptions.js";

const about =
  (say: (window: Window, context: FormatContext) => FormatValue): FormatKey =>
  (context) =>
    context.window === null ? null : say(context.window, context);

const linked =
  (say: (link: WindowLink) => FormatValue): FormatKey =>
  ({ link }) =>
    link === null ? null : say(link);

const bit = (value: boolean): string => (value ? "1" : "0");

const flags = (link: WindowLink): string => {
  const current = link === link.session.current ? "*" : "";
  return current + (link === link.session.last[0] ? "-" : "");
};

// tmux renames when half a second has passed, or later, or never if nothing was printed.
const nameOf = (window: Window, context: FormatContext): string => {
  const { active, name, options } = window;
  if (active === null || !options.isOn("automatic-rename")) return name;
  const suits = active.open && currentCommand(active, context) === name;
  if (suits && options.text("automatic-rename-format") === defaultRenameFormat) return name;
  return outsideTheModel(`the name of the window ${name} under automatic-rename`);
};

const isShown = (link: WindowLink): boolean => link === link.session.current;
const names = (links: ReadonlyArray<WindowLink>): string | null =>
  links.map(({ session }) => session.name).join(",") || null;

// tmux counts what holds the window, which is its links and the news of it.
const holders = ({ links, notices }: Window): number => links.length + notices;

const isLinkedElsewhere = ({ session, window }: WindowLink): boolean =>
  holders(window) !== (session.group?.sessions.length ?? 1);

/** By name. */
export const windowKeys: Readonly<Record<string, FormatKey>> = {
  window_active: linked((link) => bit(isShown(link))),
  window_active_clients: ({ link, server }) =>
    link === null
      ? null
      : String(server.clients.filter((each) => each.session.current.window === link.window).length),
  window_active_clients_list: ({ link, server }) =>
    server.clients
      .filter((each) => each.session.current.window === link?.window)
      .map(({ name }) => name)
      .join(",") || null,
  window_active_sessions: linked(({ window }) => String(window.links.filter(isShown).length)),
  window_active_sessions_list: linked(({ window }) => names(window.links.filter(isShown))),
  window_activity: about(({ activity }) => ({ seconds: activity })),
  window_activity_flag: linked(() => "0"),
  window_bell_flag: linked(() => "0"),
  window_end_flag: linked((link) => bit(link === link.session.links.at(-1))),
  window_flags: linked(flags),
  window_format: ({ about: kind }) => bit(kind === "window"),
  window_height: about(({ rows }) => String(rows)),
  window_id: about(({ id }) => id),
  window_index: linked(({ index }) => String(index)),
  window_last_flag: linked((link) => bit(link === link.session.last[0])),
  window_layout: about((window) => window.layout()),
  window_linked: linked((link) => bit(isLinkedElsewhere(link))),
  window_linked_sessions: linked(({ window }) => String(holders(window))),
  window_linked_sessions_list: linked(({ window }) => names(window.links)),
  window_marked_flag: linked(() => "0"),
  window_name: about(nameOf),
  window_panes: about(({ panes }) => String(panes.length)),
  window_raw_flags: linked(flags),
  window_silence_flag: linked(() => "0"),
  window_stack_index: linked((link) => String(link.session.last.indexOf(link) + 1)),
  window_start_flag: linked((link) => bit(link === link.session.links[0])),
  window_visible_layout: about((window) => window.layout()),
  window_width: about(({ columns }) => String(columns)),
  window_zoomed_flag: about(() => "0"),
};
