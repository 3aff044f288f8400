/**
 * PaneKeys: the names of formats about a pane, its program and its screen.
 *
 * A window of the fake has one pane, so nothing is beside it; there is no mode but copy mode, and
 * no mouse.
 * Without a pane each is blank.
 */
import { escapeArguments } from "./Arguments.js";
import type { FormatContext } from "./FormatContext.js";
import type { FormatKey, FormatValue } from "./FormatKeys.js";
import type { Pane } from "./Pane.js";
import { signalNumber } from "./ProcessTree.js";
import { paneCommandName } from "./WindowName.js";

const about =
  (say: (pane: Pane, context: FormatContext) => FormatValue): FormatKey =>
  (context) =>
    context.pane === null ? null : say(context.pane, context);

const bit = (value: boolean): string => (value ? "1" : "0");
const always = (text: string): FormatKey => about(() => text);

/** The leader of the foreground, or what was to be run when nothing runs. */
export const currentCommand = (pane: Pane, { server }: FormatContext): string => {
  const group = pane.open ? pane.tty?.foreground : undefined;
  const leader = group === undefined ? null : server.machine.tree.find(group);
  const running = leader?.state === "running" ? leader.program : null;
  return paneCommandName(pane, running, server.rules.dollar);
};

const currentPath = (pane: Pane, { server }: FormatContext): string | null => {
  if (!pane.open) return null;
  const { cwd, missingDirectories } = server.machine.settings;
  return missingDirectories.has(pane.cwd) ? cwd : pane.cwd;
};

const tabs = (pane: Pane): string => {
  const stops = Math.max(0, Math.ceil(pane.screen.grid.columns / 8) - 1);
  return Array.from({ length: stops }, (_, at) => (at + 1) * 8).join(",");
};

/** By name. */
export const paneKeys: Readonly<Record<string, FormatKey>> = {
  alternate_on: always("0"),
  cursor_character: about(({ screen }) => screen.grid.row(screen.row).cells[screen.column] ?? " "),
  cursor_x: about(({ screen }) => String(screen.column)),
  cursor_y: about(({ screen }) => String(screen.row)),
  history_bytes: about(({ screen }) => String(screen.grid.bytes())),
  history_limit: about(({ screen }) => String(screen.grid.historyLimit)),
  history_size: about(({ screen }) => String(screen.grid.historySize)),
  insert_flag: always("0"),
  mouse_all_flag: always("0"),
  mouse_any_flag: always("0"),
  mouse_button_flag: always("0"),
  mouse_sgr_flag: always("0"),
  mouse_standard_flag: always("0"),
  mouse_utf8_flag: always("0"),
  origin_flag: always("0"),
  pane_active: about((pane) => bit(pane.window.active === pane)),
  pane_at_bottom: always("1"),
  pane_at_left: always("1"),
  pane_at_right: always("1"),
  pane_at_top: always("1"),
  pane_bottom: about(({ screen }) => String(screen.grid.rows - 1)),
  pane_current_command: about(currentCommand),
  pane_current_path: about(currentPath),
  pane_dead: about(({ open }) => bit(!open)),
  pane_dead_signal: about(({ end }) =>
    end?._tag === "Signalled" ? String(signalNumber(end.signal)) : null,
  ),
  pane_dead_status: about(({ end }) => (end?._tag === "Exited" ? String(end.code) : null)),
  pane_dead_time: about(({ deadSince }) => (deadSince === null ? null : { seconds: deadSince })),
  pane_format: ({ about: kind }) => bit(kind === "pane"),
  pane_height: about(({ screen }) => String(screen.grid.rows)),
  pane_id: about(({ id }) => id),
  pane_in_mode: about(({ inCopyMode }) => bit(inCopyMode)),
  pane_index: about((pane) =>
    String(pane.window.panes.indexOf(pane) + pane.window.options.number("pane-base-index")),
  ),
  pane_input_off: always("0"),
  pane_last: always("0"),
  pane_left: always("0"),
  pane_marked: always("0"),
  pane_marked_set: always("0"),
  pane_mode: about(({ inCopyMode }) => (inCopyMode ? "copy-mode" : null)),
  pane_path: always(""),
  pane_pid: about(({ process }) => String(process?.pid ?? 0)),
  pane_pipe: about(({ pipe }) => bit(pipe !== null)),
  pane_right: about(({ screen }) => String(screen.grid.columns - 1)),
  pane_search_string: always(""),
  pane_start_command: about(({ argv }, { server }) => escapeArguments(argv, server.rules.dollar)),
  pane_start_path: about(({ cwd }) => cwd),
  pane_synchronized: about(({ options }) => bit(options.isOn("synchronize-panes"))),
  pane_tabs: about(tabs),
  pane_title: about(({ screen }, { server }) => screen.title ?? server.machine.settings.host),
  pane_top: always("0"),
  pane_tty: about(({ ttyNumber }) => `/dev/pts/${ttyNumber}`),
  pane_width: about(({ screen }) => String(screen.grid.columns)),
  wrap_flag: always("1"),
};
