/**
 * Spawn: new windows and panes, and the programs that run in them.
 *
 * The program starts when the command list has ended, with the environment that tmux gives it. A
 * program that does not exist ends with 1, as a failed exec of tmux does.
 */
import type { CommandRun } from "./Command.js";
import type { Environment } from "./Environment.js";
import { formatFor } from "./FormatContext.js";
import { OptionSet } from "./OptionSet.js";
import { Pane } from "./Pane.js";
import { paneExited } from "./PaneEnd.js";
import { paneEnvironment } from "./PaneEnvironment.js";
import { ProgramRun } from "./Program.js";
import { Screen } from "./Screen.js";
import type { Server } from "./Server.js";
import type { Session, WindowLink } from "./Session.js";
import { Tty } from "./Tty.js";
import type { Window } from "./Window.js";
import { paneCommandName } from "./WindowName.js";

/** What is to be started, by which command. */
export interface SpawnRequest {
  readonly run: CommandRun;
  readonly session: Session;
  readonly argv: ReadonlyArray<string>;
  /** A format; `null` is the client's directory. */
  readonly cwd: string | null;
  /** Variables of this pane alone. */
  readonly environment: Environment | null;
  /** Replaces what is in the way. */
  readonly kill: boolean;
}

/** A window that is to be made. A negative index is the first free one. */
export interface SpawnWindowRequest extends SpawnRequest {
  readonly name: string | null;
  readonly index: number;
  readonly detached: boolean;
}

/** Why nothing was started, in tmux's words. */
export class SpawnRefused {
  constructor(readonly cause: string) {}
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const directoryOf = (request: SpawnRequest): string => {
  const { run, cwd } = request;
  const { settings } = run.server.machine;
  if (cwd === null) return settings.clientCwd;
  const path = formatFor(run, cwd, run.target.session);
  if (path.startsWith("/")) return path;
  return `${settings.clientCwd}/${path}`;
};

const commandOf = (pane: Pane): ReadonlyArray<string> =>
  pane.argv.length === 0
    ? [baseName(pane.shell)]
    : pane.argv.length === 1
      ? [baseName(pane.shell), "-c", ...pane.argv]
      : pane.argv;

const start = (request: SpawnRequest, pane: Pane, cwd: string): void => {
  const { server } = request.run;
  const { machine } = server;
  const argv = commandOf(pane);
  const process = machine.tree.spawn({
    parent: server.pid,
    leader: null,
    program: baseName(argv[0] ?? ""),
    environment: paneEnvironment(request, pane, cwd).exported(),
  });
  const tty = new Tty({
    show: (text) => {
      pane.pipe?.take(text);
      pane.screen.write(text);
    },
    column: () => pane.screen.column,
    interrupt: () => {
      for (const each of machine.tree.running()) {
        if (each.group === tty.foreground) machine.tree.signal(each, "INT");
      }
    },
  });
  tty.foreground = process.group;
  const run = new ProgramRun(machine, process, tty, argv, cwd, pane.id);
  Object.assign(pane, { process, tty, run, open: true, end: null, deadSince: null });
  pane.ttyNumber = machine.freeTty();
  process.ended.push((end) => {
    machine.tree.hangUp(process.leader);
    if (!server.alive) return;
    machine.tree.reap(process);
    if (pane.process === process && server.panes().includes(pane)) paneExited(server, pane, end);
  });
  machine.timers.after(0, () => {
    if (run.alive && !run.become(argv)) run.exit(1);
    // A login shell is called so.
    if (pane.argv.length === 0) run.argv = argv.map((word) => `-${word}`);
  });
};

/** Starts a program in a pane: a new one of the window, or one whose program has ended. */
export const spawnPane = (
  request: SpawnRequest,
  link: WindowLink,
  respawn: Pane | null,
): Pane | SpawnRefused => {
  const { session } = request;
  const { server } = request.run;
  const { window } = link;
  const keepsCwd = respawn !== null && request.cwd === null;
  const cwd = keepsCwd ? respawn.cwd : directoryOf(request);
  if (respawn?.open === true && !request.kill) {
    const index = window.panes.indexOf(respawn) + window.options.number("pane-base-index");
    return new SpawnRefused(`pane ${session.name}:${link.index}.${index} still active`);
  }
  const pane = respawn ?? newPane(server, window, session);
  if (respawn?.open === true) {
    const { process } = respawn;
    respawn.tty?.close();
    if (process !== null) {
      server.machine.timers.after(0, () => server.machine.tree.hangUp(process.leader));
    }
  }
  if (respawn !== null) respawn.screen.reset();
  pane.cwd = cwd;
  const fallback = respawn === null ? session.options.text("default-command") : "";
  const argv = request.argv.length === 0 && fallback !== "" ? [fallback] : request.argv;
  if (argv.length > 0) pane.argv = argv;
  if (respawn === null) pane.shell = session.options.text("default-shell");
  start(request, pane, cwd);
  return pane;
};

const newPane = (server: Server, window: Window, session: Session): Pane => {
  const limit = session.options.number("history-limit");
  const screen = new Screen(window.columns, window.rows, limit);
  const pane = new Pane(
    server.nextPane++,
    window,
    screen,
    new OptionSet(server.known, window.options),
  );
  window.panes.push(pane);
  window.active = pane;
  return pane;
};

// An index that is taken is freed when asked for: without ending the session that it empties.
const makeRoom = (request: SpawnWindowRequest): SpawnRefused | { readonly current: boolean } => {
  const { index, session, kill, run } = request;
  const taken = index < 0 ? null : session.linkAt(index);
  if (taken === null) return { current: false };
  if (!kill) return new SpawnRefused(`index ${index} in use`);
  const current = session.current === taken;
  run.server.unlink(taken);
  return { current };
};

/** Makes a window with a program in it, and links it into the session. */
export const spawnWindow = (request: SpawnWindowRequest): WindowLink | SpawnRefused => {
  const { run, session } = request;
  const { server } = run;
  const room = makeRoom(request);
  if (room instanceof SpawnRefused) return room;
  const size = /^\s*([0-9]+)x([0-9]+)/.exec(session.options.text("default-size"));
  const clamp = (text: string | undefined) => Math.min(10_000, Math.max(1, Number(text ?? 80)));
  const window = server.createWindow(clamp(size?.[1]), clamp(size?.[2]));
  const first = -1 - session.options.number("base-index");
  const link = session.add(window, request.index < 0 ? first : request.index);
  if (link === null) return new SpawnRefused(`couldn't add window ${request.index}`);
  if (session.links.length === 1 || room.current) session.current = link;
  const pane = spawnPane(request, link, null);
  if (pane instanceof SpawnRefused) return pane;
  if (request.name === null) window.name = paneCommandName(pane, null, server.rules.dollar);
  else {
    window.name = formatFor(run, request.name, session);
    window.options.set("automatic-rename", "off");
  }
  if (!request.detached) session.select(link);
  window.notices++;
  server.synchronize(session);
  return link;
};
