/**
 * WindowOptions: the options of windows and panes, and the names of hooks.
 *
 * In the order of tmux 3.3a's own table, which is the order of `show-options` and the order in
 * which a prefix of a name is looked up.
 */
import { choice, flag, type KnownOption, number, opaque, text } from "./OptionKind.js";
import { intMaximum } from "./Strtonum.js";

/** What a window is called under `automatic-rename`, unless somebody says otherwise. */
export const defaultRenameFormat =
  "#{?pane_in_mode,[tmux],#{pane_current_command}}#{?pane_dead,[dead],}";

/** Options of windows and panes. */
export const windowOptions: ReadonlyArray<KnownOption> = [
  opaque("cursor-colour", "pane", "none"),
  choice("cursor-style", "pane", "default", [
    "default",
    "blinking-block",
    "block",
    "blinking-underline",
    "underline",
    "blinking-bar",
    "bar",
  ]),
  flag("aggressive-resize", "window", false),
  flag("allow-passthrough", "pane", false),
  flag("allow-rename", "pane", false),
  flag("alternate-screen", "pane", true),
  flag("automatic-rename", "window", true),
  text("automatic-rename-format", "window", defaultRenameFormat),
  opaque("clock-mode-colour", "window", "blue"),
  choice("clock-mode-style", "window", "24", ["12", "24"]),
  opaque("copy-mode-match-style", "window", "bg=cyan,fg=black"),
  opaque("copy-mode-current-match-style", "window", "bg=magenta,fg=black"),
  opaque("copy-mode-mark-style", "window", "bg=red,fg=black"),
  text("fill-character", "window", ""),
  text("main-pane-height", "window", "24"),
  text("main-pane-width", "window", "80"),
  choice("mode-keys", "window", "emacs", ["emacs", "vi"]),
  opaque("mode-style", "window", "bg=yellow,fg=black"),
  flag("monitor-activity", "window", false),
  flag("monitor-bell", "window", true),
  number("monitor-silence", "window", 0, 0, intMaximum),
  text("other-pane-height", "window", "0"),
  text("other-pane-width", "window", "0"),
  opaque(
    "pane-active-border-style",
    "window",
    "#{?pane_in_mode,fg=yellow,#{?synchronize-panes,fg=red,fg=green}}",
  ),
  number("pane-base-index", "window", 0, 0, 65535),
  text(
    "pane-border-format",
    "pane",
    '#{?pane_active,#[reverse],}#{pane_index}#[default] "#{pane_title}"',
  ),
  choice("pane-border-indicators", "window", "colour", ["off", "colour", "arrows", "both"]),
  choice("pane-border-lines", "window", "single", [
    "single",
    "double",
    "heavy",
    "simple",
    "number",
  ]),
  choice("pane-border-status", "window", "off", ["off", "top", "bottom"]),
  opaque("pane-border-style", "window", "default"),
  opaque("pane-colours", "pane", ""),
  opaque("popup-style", "window", "default"),
  opaque("popup-border-style", "window", "default"),
  choice("popup-border-lines", "window", "single", [
    "single",
    "double",
    "heavy",
    "simple",
    "rounded",
    "padded",
    "none",
  ]),
  choice("remain-on-exit", "pane", "off", ["off", "on", "failed"]),
  text(
    "remain-on-exit-format",
    "pane",
    "Pane is dead (#{?#{!=:#{pane_dead_status},},status #{pane_dead_status},}#{?#{!=:#{pane_dead_signal},},signal #{pane_dead_signal},}, #{t:pane_dead_time})",
  ),
  flag("scroll-on-clear", "pane", true),
  flag("synchronize-panes", "pane", false),
  opaque("window-active-style", "pane", "default"),
  choice("window-size", "window", "latest", ["largest", "smallest", "manual", "latest"]),
  opaque("window-style", "pane", "default"),
  opaque("window-status-activity-style", "window", "reverse"),
  opaque("window-status-bell-style", "window", "reverse"),
  text("window-status-current-format", "window", "#I:#W#{?window_flags,#{window_flags}, }"),
  opaque("window-status-current-style", "window", "default"),
  text("window-status-format", "window", "#I:#W#{?window_flags,#{window_flags}, }"),
  opaque("window-status-last-style", "window", "default"),
  text("window-status-separator", "window", " "),
  opaque("window-status-style", "window", "default"),
  flag("wrap-search", "window", true),
  flag("xterm-keys", "window", true),
];

const sessionHooks = `
  after-bind-key after-capture-pane after-copy-mode after-display-message after-display-
  panes after-kill-pane after-list-buffers after-list-clients after-list-keys after-list-
  panes after-list-sessions after-list-windows after-load-buffer after-lock-server after-
  new-session after-new-window after-paste-buffer after-pipe-pane after-queue after-refresh-
  client after-rename-session after-rename-window after-resize-pane after-resize-window
  after-save-buffer after-select-layout after-select-pane after-select-window after-send-
  keys after-set-buffer after-set-environment after-set-hook after-set-option after-show-
  environment after-show-messages after-show-options after-split-window after-unbind-key
  alert-activity alert-bell alert-silence client-active client-attached client-detached
  client-focus-in client-focus-out client-resized client-session-changed session-closed
  session-created session-renamed session-window-changed window-linked window-unlinked
`;
const paneHooks = `
  pane-died pane-exited pane-focus-in pane-focus-out pane-mode-changed pane-set-clipboard
  pane-title-changed
`;
const windowHooks = `
  window-layout-changed window-pane-changed window-renamed window-resized
`;

const hooks = (names: string, scope: "session" | "window" | "pane") =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => opaque(name, scope, ""));

/** Hooks are options that hold commands; the fake has none set. */
export const hookOptions: ReadonlyArray<KnownOption> = [
  ...hooks(sessionHooks, "session"),
  ...hooks(paneHooks, "pane"),
  ...hooks(windowHooks, "window"),
];
