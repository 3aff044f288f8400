/**
 * The words that scripts are made of: names, targets, values, and names of formats and options.
 *
 * Some are plain, and most of them exist at some time in a script; the others are what tmux
 * rewrites, matches, or takes for something else.
 */

/** Names that pass unchanged. */
export const plainNames = ["alpha", "alpha2", "beta", "b", "gamma", "0", "10"];

const punctuation = [
  "-lead",
  "=x",
  "$1",
  "@1",
  "%1",
  "*",
  "a*",
  "[ab]",
  "~",
  "!",
  "+1",
  "{last}",
  "a;",
  "\\;",
  "$x",
  "a$" + "{b}",
  "a$",
  "back\\slash",
  'q"uote',
  "q'uote",
  "a,b",
  "a}b",
];

/** Names that do not. */
export const hostileNames = [
  ...punctuation,
  "a.b",
  "b.c",
  "x:y",
  "y:",
  " sp ace ",
  "é",
  "日本",
  "e\u0301",
  "😀",
  "\u00a0",
  "client-5",
  "",
  "#{x}",
  "##",
  "#S",
  "tab\tx",
  "new\nline",
  "\u0001\u007f\u001b",
  "x".repeat(70),
  "#{session_name}",
  "#{l:lit}",
];

const lines = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/);

/** Stands for the name of the client that came last. */
export const lastClient = "client-last";

/** Targets that are special, wrong, or both. */
export const oddTargets = [
  "",
  lastClient,
  `=${lastClient}`,
  "$ 0",
  ...lines(`
    : . = =: ~ {mouse} {marked} {last} {start} {end} {next} {previous} ! + - ^ $ +1 -1 +x +0 :+
    :-2 :! :.+ .! .top .{top} .{up-of} .0 .1 :0 :1 :99 :=w :w :@0 $0:@1 alpha:%0 alpha.%1 al alp*
    [b]eta b?ta =b?ta =alph =ALPHA $99 $x $-1 =$0 @99 @x %99 %x =client-5 nope =nope =nope:
    nope:0.0 =x
  `),
];

/** What may stand behind the name of a session. */
export const placesInSession = ["", ":", ":0", ":1", ":w", ":w1", ".0", ":.0", ":0.0", ":9", ":.9"];

/** Names of formats that both sides know the answer to at any time. */
export const formatNames = lines(`
  active_window_index last_window_index buffer_name buffer_size buffer_sample config_files
  cursor_x cursor_y history_limit history_size host_short next_session_id pane_active
  pane_at_bottom pane_at_left pane_bottom pane_dead pane_dead_signal pane_dead_status pane_format
  pane_height pane_id pane_in_mode pane_index pane_input_off pane_last pane_left pane_marked
  pane_mode pane_path pane_pipe pane_right pane_search_string pane_start_command pane_start_path
  pane_synchronized pane_tabs pane_title pane_top pane_width session_alerts session_attached
  session_attached_list session_format session_group session_group_attached session_group_list
  session_group_size session_grouped session_id session_last_attached session_many_attached
  session_marked session_name session_path session_stack session_windows socket_path uid user
  version window_active window_active_clients window_active_sessions window_active_sessions_list
  window_activity_flag window_bell_flag window_end_flag window_flags window_format window_height
  window_id window_index window_last_flag window_layout window_linked window_linked_sessions
  window_linked_sessions_list window_marked_flag window_name window_panes window_raw_flags
  window_silence_flag window_stack_index window_start_flag window_visible_layout window_width
  window_zoomed_flag wrap_flag insert_flag mouse_all_flag client_name client_session client_utf8
  client_cell_height client_control_mode client_discarded client_flags client_height
  client_key_table client_last_session client_prefix client_readonly client_termfeatures
  client_termname client_termtype client_tty client_uid client_user client_width client_written
  window_active_clients_list window_offset_x session_group_attached_list
  history_bytes alternate_on origin_flag window_bigger mouse_x line command HOME TZ current_file
  nothing base-index status status-left exit-empty remain-on-exit default-size window-size @a @b
  @troupe-inc update-environment update-environment[0] pane-base-index
`);

/** Names whose values differ by nature and are mapped; what is made of them is not. */
export const passingNames = lines(
  "pid pane_pid start_time session_created session_activity window_activity client_activity",
);

/** Values of options, variables and buffers. */
export const values = [
  "1",
  "0",
  "",
  "abc",
  "a b",
  "v;",
  "x=y",
  "-5",
  "on",
  "é",
  "tab\t.",
  "$x",
  "#{version}",
];

/** Options that both sides can set. */
export const optionNames = lines(`
  @a @b @a-b @ base-index pane-base-index remain-on-exit remain-on-exit-format exit-empty
  history-limit renumber-windows status mouse status-left default-size buffer-limit message-limit
  update-environment update-environment[0] update-environment[20]
  command-alias[7] word-separators window-size detach-on-destroy
`);

/** Names that are no option, or not one alone. */
export const oddOptionNames = [
  "",
  ...lines("stat remain nope base-index[0] @a[1] b set mou #{l:@a} @a[x"),
];

/** Lists that tmux refuses, or reads in a way of its own. */
export const oddLists: ReadonlyArray<ReadonlyArray<string>> = [
  ["bogus"],
  ["kill"],
  ["list"],
  ["s"],
  ["has-session", "-Z"],
  ["has-session", "-t"],
  ["has-session", "-t", "a", "b"],
  ["has-session", "-?"],
  ["kill-session", "-é"],
  ["rename-session"],
  ["set-option"],
  ["set-option", "-t"],
  ["display-message", "a", "b"],
  ["ls", "-F"],
  ["new"],
  [";"],
  ["ls", ";", "bogus"],
  ["has", "-t", "alpha", ";", ";", "ls"],
  ["wait-for"],
  ["respawn-pane"],
  ["show-environment", "a", "b"],
  ["ls", "-F", "\\;"],
  ["display", "-p", "x;"],
  ["display", "-p", "x\\;"],
];

/** Lines of a sourced text. */
export const oddLines = [
  "# comment",
  "",
  "A=1",
  "  ",
  "display -p 'single $x'",
  "display -p a#b # c",
  "bogus",
  'display -p "open',
  "{ ls }",
  "ls ;",
  "; ls",
  "ls ;; ls",
  "ls ; A=1",
  "X=1 display -p $X",
  "display -p $" + "{HOME}",
  "display -p ~/x",
  "%hidden Y=2",
  "display -p \\101",
  "display -p \\9",
  "display -p \\477",
  "display -p \\u00e9",
  "display -p a\\\n  b",
  "if -F 1 { display -p a\n display -p b }",
  "set -g @a { display -p x ; ls }",
];

/** Widths and heights. */
export const sizes = ["80", "40", "20", "1", "100", "0", "-5", "70000", "x", "-"];

/** Names of paste buffers. */
export const bufferNames = ["q", "q", "q", "r", "buffer0", "nope", ""];

/** What is typed by send-keys. */
export const typed: ReadonlyArray<ReadonlyArray<string>> = [
  ["a b"],
  ["hi", "Enter"],
  ["a", "Enter", "b", "Enter"],
  ["BSpace"],
  ["41", "zz"],
  ["3", "x"],
  ["é"],
  ["C-u"],
  ["Space", "Tab"],
  ["x;"],
  [],
];

/** Programs that run as long as a script. */
export const longPrograms: ReadonlyArray<ReadonlyArray<string>> = [
  ["sleep", "7777777"],
  ["sleep", "7777777"],
  ["--", "sleep", "7777777"],
  ["--", "/bin/sh", "-c", 'exec "$0" "$@"', "sleep", "7777777"],
  ["cat"],
  ["cat", "-"],
  ["sleep 7777777"],
  [],
];

/** Programs that end at once, or are not there. */
export const shortPrograms: ReadonlyArray<ReadonlyArray<string>> = [
  ["true"],
  ["sh", "-c", "exit 3"],
  ["sh", "-c", "echo hi; exit 0"],
  ["/nonexistent", "x"],
  ["no-such-program"],
  ["exit 5"],
  ["--", "/bin/sh", "-c", 'exec "$0" "$@"', "no-such-program"],
];
