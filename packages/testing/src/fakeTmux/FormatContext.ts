/**
 * FormatContext: what a format is about, and the ways in which commands expand one.
 *
 * A session without a window means its current one, a window without a pane its active one.
 */
import type { FormatClient } from "./AttachedClient.js";
import type { CommandRun } from "./Command.js";
import { expandFormat } from "./FormatExpander.js";
import type { FoundTarget } from "./FoundTarget.js";
import type { Pane } from "./Pane.js";
import type { PasteBuffer } from "./PasteBuffers.js";
import type { Server } from "./Server.js";
import type { Session, WindowLink } from "./Session.js";
import type { Window } from "./Window.js";

/** The parts that are known; the rest of a format is blank. */
export interface FormatParts {
  readonly client?: FormatClient | null;
  readonly session?: Session | null;
  readonly link?: WindowLink | null;
  readonly pane?: Pane | null;
  /** Else it is the top one. */
  readonly buffer?: PasteBuffer;
}

/** Everything that a format can look at. */
export interface FormatContext {
  readonly server: Server;
  readonly client: FormatClient | null;
  readonly session: Session | null;
  readonly link: WindowLink | null;
  readonly window: Window | null;
  readonly pane: Pane | null;
  readonly buffer: PasteBuffer | null;
  /** What was given, from which the rest was filled in. */
  readonly about: "session" | "window" | "pane" | null;
  /** Names of this command alone, such as `line`. */
  readonly extras: ReadonlyMap<string, string>;
}

/** Fills in what follows from the parts. */
export const formatContext = (
  server: Server,
  parts: FormatParts,
  extras: ReadonlyMap<string, string>,
): FormatContext => {
  const { client = null, pane: givenPane = null, link: givenLink = null } = parts;
  const session = parts.session ?? client?.session ?? null;
  const link = givenLink ?? session?.current ?? null;
  const pane = givenPane ?? link?.window.active ?? null;
  const about =
    givenPane !== null ? "pane" : givenLink !== null ? "window" : parts.session ? "session" : null;
  const window = link?.window ?? pane?.window ?? null;
  const buffer = parts.buffer ?? server.buffers.top();
  return { server, client, session, link, window, pane, buffer, about, extras };
};

/** The names that every format of a command knows. */
export const extrasOf = (run: CommandRun, more: Iterable<readonly [string, string]> = []) =>
  new Map([
    ["command", run.command.spec.name],
    ...(run.command.file === null ? [] : [["current_file", run.command.file] as const]),
    ...more,
  ]);

/** A format about what a target resolved to. */
export const formatTarget = (run: CommandRun, found: FoundTarget, template: string): string => {
  const { link, pane, session } = found;
  const parts = { client: run.targetClient, session, link, pane };
  return expandFormat(formatContext(run.server, parts, extrasOf(run)), template, false);
};

/** A format about a session, or about nothing. */
export const formatFor = (run: CommandRun, template: string, session: Session | null): string =>
  expandFormat(
    formatContext(run.server, { client: run.client, session }, extrasOf(run)),
    template,
    false,
  );

/** A format about a pane alone, outside of any command. */
export const formatPane = (server: Server, pane: Pane, template: string): string =>
  expandFormat(formatContext(server, { pane }, new Map()), template, false);

/** A format about these parts, on its own line of a listing. */
export const formatLine = (
  run: CommandRun,
  parts: FormatParts,
  template: string,
  line: number,
): string =>
  expandFormat(
    formatContext(run.server, parts, extrasOf(run, [["line", String(line)]])),
    template,
    false,
  );

/** A format whose dates are expanded too, as display-message and pipe-pane do. */
export const formatDated = (run: CommandRun, parts: FormatParts, template: string): string =>
  expandFormat(formatContext(run.server, parts, extrasOf(run)), template, true);
