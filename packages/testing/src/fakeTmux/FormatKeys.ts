/**
 * FormatKeys: every name that a format of tmux knows, with what it says about a context.
 *
 * `null` is blank. A key that tmux has and the fake does not know the answer to is outside of the
 * model; one that tmux does not have is not here.
 */
import { clientKeys } from "./ClientKeys.js";
import type { FormatContext } from "./FormatContext.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import { paneKeys } from "./PaneKeys.js";
import { serverKeys } from "./ServerKeys.js";
import { sessionKeys } from "./SessionKeys.js";
import { windowKeys } from "./WindowKeys.js";

/** Text, or a time that is shown as its seconds. */
export type FormatValue = string | { readonly seconds: number } | null;

/** What a key says. */
export type FormatKey = (context: FormatContext) => FormatValue;

const unknownKeys = `
  alternate_saved_x alternate_saved_y buffer_mode_format client_mode_format cursor_flag
  history_all_bytes keypad_cursor_flag keypad_flag mouse_line mouse_pane mouse_word mouse_x mouse_y
  pane_bg pane_fg scroll_region_lower scroll_region_upper tree_mode_format window_cell_height
  window_cell_width
`;

// There is no mouse.
const unknownKey =
  (name: string): FormatKey =>
  () =>
    name.startsWith("mouse") ? null : outsideTheModel(`the format ${name}`);

/** By name. */
export const formatKeys: ReadonlyMap<string, FormatKey> = new Map([
  ...unknownKeys
    .trim()
    .split(/\s+/)
    .map((name) => [name, unknownKey(name)] as const),
  ...Object.entries(serverKeys),
  ...Object.entries(clientKeys),
  ...Object.entries(sessionKeys),
  ...Object.entries(windowKeys),
  ...Object.entries(paneKeys),
]);
