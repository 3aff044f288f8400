/**
 * Options: every option of the command line, each defined once.
 *
 * The parser, the help and the completions read the same definitions, and a command reads a value
 * by the definition itself, never by a string. What is not defined here does not exist: the parser
 * refuses it, so an option that is not built yet is an error and not a silent no.
 */

/** An option that is there or not. */
export interface Switch {
  readonly kind: "switch";
  readonly name: string;
  readonly help: string;
}

/** An option with one value; the last one given counts. */
export interface Value {
  readonly kind: "value";
  readonly name: string;
  readonly placeholder: string;
  readonly help: string;
}

/** An option that may be given again and again; the order is kept. */
export interface Repeated {
  readonly kind: "repeated";
  readonly name: string;
  readonly placeholder: string;
  readonly help: string;
}

/** Any option. */
export type Option = Switch | Value | Repeated;

const flag = (name: string, help: string): Switch => ({ kind: "switch", name, help });

const value = (name: string, placeholder: string, help: string): Value => ({
  kind: "value",
  name,
  placeholder,
  help,
});

const repeated = (name: string, placeholder: string, help: string): Repeated => ({
  kind: "repeated",
  name,
  placeholder,
  help,
});

/** Options of every command, before or after its name. */
export const json = flag("json", "print one JSON object, also on failure");
export const home = value("home", "DIR", "registry and server of this home [TROUPE_HOME]");
export const socket = value("socket", "PATH", "socket of the tmux server [TROUPE_SOCKET]");
export const tmux = value("tmux", "PATH", "tmux program [TROUPE_TMUX]");
export const help = flag("help", "print this and do nothing");
export const version = flag("version", "print the version and do nothing");
export const completions = value("completions", "SHELL", "print completions for bash, zsh or fish");

/** The options of every command, in the order of the help. */
export const globals: ReadonlyArray<Option> = [json, home, socket, tmux, help];

/** The options that stand alone, in place of a command. */
export const standalone: ReadonlyArray<Option> = [version, completions];

/** What a session is to be. */
export const cwd = value("cwd", "DIR", "directory that the program starts in [here]");
export const env = repeated(
  "env",
  "K|K=V",
  "value for the program; K alone takes it from your environment. K=V is visible in your own " +
    "process list while troupe runs",
);
export const envFile = value("env-file", "FILE", "values from lines NAME=VALUE; --env wins");
export const inheritEnv = flag("inherit-env", "pass your whole environment to the program");
export const columns = value("cols", "N", "width of the terminal");
export const rows = value("rows", "N", "height of the terminal");
export const startWindow = value(
  "start-window",
  "DUR",
  "how long the program must live; 0 does not wait [100ms]",
);
export const ttl = value("ttl", "DUR", "delete the session when it is so old, such as 2h");
export const idleTtl = value(
  "idle-ttl",
  "DUR",
  "delete the session when it printed nothing for so long",
);
export const requestId = value(
  "request-id",
  "ID",
  "the same ID again gives the session that the first call made",
);
export const replace = flag("replace", "delete the session that has the name first");

/** What a further terminal is to be, beside that. */
export const terminalCwd = value(
  "cwd",
  "DIR",
  "directory that the program starts in [that of the session]",
);
export const withoutEnv = flag(
  "without-env",
  "start without the values that the session was made with",
);

/** What is recorded. */
export const noLog = flag("no-log", "do not record what its terminals print");

/** What is read, and how. */
export const terminal = value("terminal", "T", "the terminal [the first one]");
export const lines = value("lines", "N", "the newest N lines [200]");
export const allLines = flag("all", "every line that tmux keeps, in place of --lines");
export const ansi = flag("ansi", "with the escape sequences of colours and the like");
export const join = flag("join", "one line where the terminal wrapped one");
export const follow = flag("follow", "wait for more, until it ends");
export const since = value("since", "SEQ", "begin at this sequence [0]");
export const incarnation = value("incarnation", "ID", "whose output [the newest incarnation's]");

/** What is waited for, and for how long. */
export const text = value("text", "TEXT", "a line of screen or scrollback has this text");
export const regex = value("regex", "RE", "a line matches this JavaScript pattern (flag u)");
export const idle = value("idle", "DUR", "nothing was printed for so long, from now on");
export const exit = flag("exit", "the program ended");
export const timeout = value(
  "timeout",
  "DUR",
  "how long at most; 0 looks once [30s; with --idle, that much beside it]",
);

/** What is sent. */
export const stdin = flag("stdin", "send all of standard input, as bytes, in place of TEXT");
export const enter = flag("enter", "press Enter at the end");
export const key = repeated(
  "key",
  "KEY",
  "press a key behind the text, by its name in tmux: C-c, Up, M-x, F5, or one character",
);

/** What of the log is read. */
export const followEvents = flag("follow", "wait for more, until you end it");
export const eventsSince = value("since", "SEQ", "only what is behind this sequence [0]");

/** What is listed. */
export const allStates = flag("all", "also sessions that are deleted or failed");
export const state = repeated("state", "STATE", "only sessions in this state");

/** What is ended, and how. */
export const everySession = flag("all", "every active session of this home, in place of NAME");
export const grace = value("grace", "DUR", "how long programs that catch TERM may take [2s]");
export const spareDetached = flag(
  "spare-detached",
  "leave alone what left the session: a new process session, a double fork",
);
export const noSnapshot = flag("no-snapshot", "keep nothing of what the terminals show");
export const force = flag("force", "take the name from a holder that is alive but stuck");

/** What is brought together, and how. */
export const dryRun = flag("dry-run", "say what would be done and why, and do nothing");
export const rebuild = flag(
  "rebuild",
  "make a new registry from the marks in tmux where it is lost or damaged",
);

/** How a lease is got from its holder. */
export const forceLease = flag(
  "force",
  "from whoever holds it: a turn of his is interrupted, and what he asks for is refused",
);
export const settleTimeout = value(
  "timeout",
  "DUR",
  "how long a turn of the holder is waited for; 0 looks once [30s]",
);

/** What is forgotten. */
export const olderThan = value("older-than", "DUR", "only what ended so long ago; 0 is all [7d]");
export const exited = value(
  "exited",
  "DUR",
  "also delete sessions whose programs are known to have ended so long ago",
);

/** What is made anew. */
export const everyRestorable = flag("all", "every lost or exited session, in place of NAME");

/** How a session is shown. */
export const readOnly = flag("read-only", "show it and send it no keys");
export const nest = flag("nest", "also inside another tmux");
export const prefix = value("prefix", "KEY", "prefix of a nested one [C-a]");
export const keys = value("keys", "FILE", "bind these keys: bind-key and unbind-key lines alone");
export const print = flag("print", "print what would be run, and run nothing");

/** Where the tour is walked. */
export const fake = flag("fake", "on a fake tmux, where there is no real one");
