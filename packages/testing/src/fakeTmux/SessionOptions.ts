/**
 * SessionOptions: the options of the server and of sessions, with their defaults.
 *
 * In the order of tmux 3.3a's own table, which is the order of `show-options` and the order in
 * which a prefix of a name is looked up.
 */
import { choice, flag, type KnownOption, list, number, opaque, text } from "./OptionKind.js";
import { intMaximum } from "./Strtonum.js";

/** Options of the server. */
export const serverOptions: ReadonlyArray<KnownOption> = [
  opaque("backspace", "server", "C-?"),
  number("buffer-limit", "server", 50, 1, intMaximum),
  list("command-alias", "server", [
    "split-pane=split-window",
    "splitp=split-window",
    "server-info=show-messages -JT",
    "info=show-messages -JT",
    "choose-window=choose-tree -w",
    "choose-session=choose-tree -s",
  ]),
  text("copy-command", "server", ""),
  text("default-terminal", "server", "tmux-256color"),
  text("editor", "server", "/usr/bin/vi"),
  number("escape-time", "server", 500, 0, intMaximum),
  flag("exit-empty", "server", true),
  flag("exit-unattached", "server", false),
  choice("extended-keys", "server", "off", ["off", "on", "always"]),
  flag("focus-events", "server", false),
  text("history-file", "server", ""),
  number("message-limit", "server", 1000, 0, intMaximum),
  number("prompt-history-limit", "server", 100, 0, intMaximum),
  choice("set-clipboard", "server", "external", ["off", "external", "on"]),
  list("terminal-overrides", "server", []),
  list("terminal-features", "server", [
    "xterm*:clipboard:ccolour:cstyle:focus:title",
    "screen*:title",
  ]),
  list("user-keys", "server", []),
];

/** Options of sessions. */
export const sessionOptions: ReadonlyArray<KnownOption> = [
  choice("activity-action", "session", "other", ["none", "any", "current", "other"]),
  number("assume-paste-time", "session", 1, 0, intMaximum),
  number("base-index", "session", 0, 0, intMaximum),
  choice("bell-action", "session", "any", ["none", "any", "current", "other"]),
  text("default-command", "session", ""),
  text("default-shell", "session", "/bin/sh"),
  text("default-size", "session", "80x24", "[0-9]*x[0-9]*"),
  flag("destroy-unattached", "session", false),
  choice("detach-on-destroy", "session", "on", ["off", "on", "no-detached"]),
  opaque("display-panes-active-colour", "session", "red"),
  opaque("display-panes-colour", "session", "blue"),
  number("display-panes-time", "session", 1000, 1, intMaximum),
  number("display-time", "session", 750, 0, intMaximum),
  number("history-limit", "session", 2000, 0, intMaximum),
  text("key-table", "session", "root"),
  number("lock-after-time", "session", 0, 0, intMaximum),
  text("lock-command", "session", "lock -np"),
  opaque("message-command-style", "session", "bg=black,fg=yellow"),
  opaque("message-style", "session", "bg=yellow,fg=black"),
  flag("mouse", "session", false),
  opaque("prefix", "session", "C-b"),
  opaque("prefix2", "session", "None"),
  flag("renumber-windows", "session", false),
  number("repeat-time", "session", 500, 0, 32767),
  flag("set-titles", "session", false),
  text("set-titles-string", "session", '#S:#I:#W - "#T" #{session_alerts}'),
  choice("silence-action", "session", "other", ["none", "any", "current", "other"]),
  choice("status", "session", "on", ["off", "on", "2", "3", "4", "5"]),
  opaque("status-bg", "session", "default"),
  opaque("status-fg", "session", "default"),
  opaque("status-format", "session", null),
  number("status-interval", "session", 15, 0, intMaximum),
  choice("status-justify", "session", "left", ["left", "centre", "right", "absolute-centre"]),
  choice("status-keys", "session", "emacs", ["emacs", "vi"]),
  text("status-left", "session", "[#{session_name}] "),
  number("status-left-length", "session", 10, 0, 32767),
  opaque("status-left-style", "session", "default"),
  choice("status-position", "session", "bottom", ["top", "bottom"]),
  text(
    "status-right",
    "session",
    "#{?window_bigger,[#{window_offset_x}#,#{window_offset_y}] ,}" +
      '"#{=21:pane_title}" %H:%M %d-%b-%y',
  ),
  number("status-right-length", "session", 40, 0, 32767),
  opaque("status-right-style", "session", "default"),
  opaque("status-style", "session", "bg=green,fg=black"),
  list("update-environment", "session", [
    "DISPLAY",
    "KRB5CCNAME",
    "SSH_ASKPASS",
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "SSH_CONNECTION",
    "WINDOWID",
    "XAUTHORITY",
  ]),
  choice("visual-activity", "session", "off", ["off", "on", "both"]),
  choice("visual-bell", "session", "off", ["off", "on", "both"]),
  choice("visual-silence", "session", "off", ["off", "on", "both"]),
  text("word-separators", "session", "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"),
];
