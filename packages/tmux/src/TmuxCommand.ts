/**
 * TmuxCommand: command lists as text: quoting, formats and targets in one table.
 *
 * A list that changes anything, or holds a value, is sent as lines to `source-file -`: nothing of
 * it is in an argv and it has no length limit. Each line is a group of its own: after a line that
 * fails the next ones still run. Inside a line tmux's configuration language is spoken, in which
 * only what `quote` returns is literal. Measured against tmux 3.2a to 3.7c.
 */
import type { Fence, ServerId, Target } from "@troupe/core";

/** Commands of one argv, joined by `;` elements. */
export const joined = (...commands: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  commands.flatMap((c, i) => (i === 0 ? c : [";", ...c]));

const octal = (character: string): string =>
  `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;

/**
 * One literal word of the configuration language, for any text without NUL. `~` and `$` would be
 * expanded also inside double quotes, and control characters would end the line.
 */
export const quote = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the matter
  `"${text.replace(/[\\"$~]/g, "\\$&").replace(/[\u0001-\u001f\u007f]/g, octal)}"`;

/**
 * Text that a format expansion gives back as it is: `#` doubled, but a run of `#` before `[` left
 * alone, which tmux keeps as it stands (doubling it would start the pane in another directory).
 */
export const literal = (text: string): string =>
  text.replace(/#+(\[?)/g, (run, bracket) => (bracket === "[" ? run : run + run));

/** The option that holds the fence of a name; the grammar of names keeps it a plain word. */
export const fenceOption = (fence: Fence): string => `@troupe-fence-${fence.session}`;

/** True in a format when the fence is not above our epoch; an unset fence is 0. */
export const fencePasses = (fence: Fence): string =>
  `#{e|<=:#{${fenceOption(fence)}},${fence.epoch}}`;

/** True in a format when this very server answers. */
export const serverIs = (server: ServerId): string =>
  `#{==:#{pid}/#{start_time},${server.pid}/${server.startTime}}`;

/** True in a format when both are. */
export const both = (a: string, b: string): string => `#{&&:${a},${b}}`;

/** True in a format of the target session when nothing forbids the mutation. */
export const guarded = (target: Target): string => {
  const { incarnation, server, sessionId } = target;
  const identity = `#{==:#{session_id}/#{@troupe-inc},${sessionId}/${incarnation}}`;
  return both(fencePasses(target), both(serverIs(server), identity));
};

/** `if-shell` on a format; `target` fills the formats of a session, and may be absent. */
export const when = (
  condition: string,
  then: string,
  otherwise: string | null,
  target: string | null,
): string => {
  const of = target === null ? "" : `-t ${target} `;
  const or = otherwise === null ? "" : ` { ${otherwise} }`;
  return `if-shell -F ${of}"${condition}" { ${then} }${or}`;
};

/** Commands in order on one line; the first that fails ends the line. */
export const sequence = (...commands: ReadonlyArray<string>): string => commands.join(" ; ");

/** Prints one line that says who answers; every list begins with it. */
export const HELLO = "T1 #{pid} #{start_time} #{version}";

/** The last line of a complete answer. */
export const END = "END";

/** The same, with an `x` for each session that the server has at that moment. */
export const COUNTED_END = "END #{S:x}";

/** Whether the line is a counted end of so many sessions. */
export const endsWith = (line: string | undefined, sessions: number): boolean =>
  line?.trimEnd() === `END ${"x".repeat(sessions)}`.trimEnd();

/** `display-message -p` in a list of lines. The text is a format: `%` is for strftime. */
export const print = (text: string): string => `display-message -p "${text}"`;
