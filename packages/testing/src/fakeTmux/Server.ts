/**
 * Server: one life of a tmux server: its sessions, windows, panes, options and ids.
 *
 * It only keeps them right: ids are never used twice, a window lives as long as a session links
 * it, a session as long as it has a window. Starting programs is `Spawn`, ending panes `PaneEnd`,
 * and what is asked from outside comes through the commands.
 */
import type { AttachedClient } from "./AttachedClient.js";
import { countAttached, moveClients } from "./Attaching.js";
import { compareBytes, encodeBytes } from "./ByteOrder.js";
import { Environment } from "./Environment.js";
import { FoundTarget } from "./FoundTarget.js";
import { globalOptions } from "./GlobalOptions.js";
import type { KnownOptions } from "./KnownOptions.js";
import type { Machine } from "./Machine.js";
import { OptionSet } from "./OptionSet.js";
import type { Pane } from "./Pane.js";
import { closePane, paneExited } from "./PaneEnd.js";
import { PasteBuffers } from "./PasteBuffers.js";
import type { FakeProcess } from "./ProcessTree.js";
import { Session, type SessionGroup, type WindowLink } from "./Session.js";
import { leaveGroup, synchronizeFrom, synchronizeTo } from "./SessionGroups.js";
import type { VersionRules } from "./Version.js";
import { WaitChannels } from "./WaitChannels.js";
import { Window } from "./Window.js";

/** What a new session is made of. `name` is `null` for one that tmux names by its number. */
export interface NewSession {
  readonly name: string | null;
  readonly prefix: string | null;
  readonly cwd: string;
  readonly environment: Environment;
  readonly options: OptionSet;
}

/** Thrown where the real server dies of a bug of its own. */
export class ServerCrash {}

/** Mutable. After `alive` is `false` nothing reaches it. */
export class Server {
  readonly known: KnownOptions;
  readonly serverOptions: OptionSet;
  readonly sessionOptions: OptionSet;
  readonly windowOptions: OptionSet;
  readonly environment: Environment;
  readonly buffers = new PasteBuffers();
  readonly waits = new WaitChannels();
  /** In seconds. */
  readonly started: number;
  /** In the order of the bytes of their names. */
  sessions: ReadonlyArray<Session> = [];
  windows: ReadonlyArray<Window> = [];
  clients: ReadonlyArray<AttachedClient> = [];
  groups: Array<SessionGroup> = [];
  private readonly ghosts: Array<Window> = [];
  /** A session ended before its news were told. */
  private lostNews = false;
  /** Clients that lost their session in the list that runs, and have not left yet. */
  private parting = 0;
  /** Sessions that were killed and are still listed, for so many more clients. */
  readonly lingering = new Map<Session, number>();
  alive = true;
  /** Set by `kill-server`: it ends when the list that runs has ended. */
  ending = false;
  nextSession = 0;
  nextWindow = 0;
  nextPane = 0;
  private activities = 0;

  constructor(
    readonly machine: Machine,
    readonly process: FakeProcess,
  ) {
    const options = globalOptions(machine.rules.since33, machine.settings.shell);
    this.known = options.known;
    this.serverOptions = options.server;
    this.sessionOptions = options.session;
    this.windowOptions = options.window;
    this.started = this.seconds();
    this.environment = new Environment(Object.entries(machine.settings.environment));
    this.environment.set("PWD", machine.settings.cwd);
  }

  get pid(): number {
    return this.process.pid;
  }

  get rules(): VersionRules {
    return this.machine.rules;
  }

  seconds(): number {
    return Math.floor(this.machine.timers.now / 1000);
  }

  /** The next place in the order of activity. */
  nextActivity(): number {
    return this.activities++;
  }

  findSession(name: string): Session | null {
    return this.sessions.find((session) => session.name === name) ?? null;
  }

  findWindow(number: number): Window | null {
    const every = [...this.windows, ...this.ghosts];
    return every.find((window) => window.number === number) ?? null;
  }

  findPane(number: number): Pane | null {
    const every = [...this.windows, ...this.ghosts].flatMap(({ panes }) => panes);
    return every.find((pane) => pane.number === number) ?? null;
  }

  panes(): ReadonlyArray<Pane> {
    return this.windows.flatMap(({ panes }) => panes);
  }

  /** Every link of every session, in the order of a listing. */
  links(): ReadonlyArray<WindowLink> {
    return this.sessions.flatMap(({ links }) => links);
  }

  /** The session of the latest activity. */
  bestSession(among: ReadonlyArray<Session> = this.sessions): Session | null {
    return among.reduce<Session | null>(
      (best, session) =>
        best === null || session.activityOrder > best.activityOrder ? session : best,
      null,
    );
  }

  /** What a command without a target is about; empty when there is no session. */
  currentTarget(): FoundTarget {
    const best = this.bestSession();
    return best === null ? new FoundTarget() : FoundTarget.ofSession(best);
  }

  createSession(request: NewSession): Session {
    let number: number;
    let name: string;
    do {
      number = this.nextSession++;
      name = request.name ?? `${request.prefix === null ? "" : `${request.prefix}-`}${number}`;
    } while (request.name === null && this.findSession(name) !== null);
    const { cwd, environment, options } = request;
    const now = this.seconds();
    const order = this.nextActivity();
    const session = new Session(number, name, cwd, environment, options, now, order, now);
    this.sessions = [...this.sessions, session];
    this.sortSessions();
    return session;
  }

  sortSessions(): void {
    this.sessions = [...this.sessions].sort((a, b) => compareBytes(a.name, b.name));
  }

  createWindow(columns: number, rows: number): Window {
    const options = new OptionSet(this.known, this.windowOptions);
    const window = new Window(this.nextWindow++, columns, rows, options, this.seconds());
    this.windows = [...this.windows, window];
    return window;
  }

  /** Takes a window out of a session; it ends with its last link. */
  unlink(link: WindowLink): void {
    link.window.notices++;
    link.session.remove(link);
    this.releaseUnlinked();
  }

  /** Carries the windows of a session to its group. */
  synchronize(session: Session): void {
    synchronizeFrom(session);
    this.releaseUnlinked();
  }

  // A window without a session is a ghost until the list has ended: found by id, and nothing else.
  private releaseUnlinked(): void {
    const lost = this.windows.filter(({ links }) => links.length === 0);
    if (lost.length === 0) return;
    this.windows = this.windows.filter((window) => !lost.includes(window));
    this.ghosts.push(...lost);
  }

  /** The bug of every release: a client in control mode is told the window of an ended session. */
  get diesOfNews(): boolean {
    return this.lostNews && this.clients.length + this.parting > 0;
  }

  /** A list has ended: its news are told, and the windows go that only those held. */
  tellNews(): void {
    this.lostNews = false;
    this.parting = 0;
    for (const session of this.sessions) session.hasNews = false;
    for (const window of this.windows) window.notices = 0;
    for (const { panes } of this.ghosts.splice(0)) {
      for (const pane of panes.splice(0)) closePane(this, pane);
    }
  }

  /** As `unlink`, choosing another current window. Tells whether the session ended with it. */
  detach(link: WindowLink): boolean {
    const { session } = link;
    if (session.current === link) session.leaveCurrent();
    this.unlink(link);
    this.synchronize(session);
    if (session.links.length > 0) return false;
    this.destroySession(session);
    return true;
  }

  destroySession(session: Session): void {
    if (!session.alive) return;
    session.alive = false;
    this.sessions = this.sessions.filter((other) => other !== session);
    this.lostNews ||= session.hasNews;
    const before = this.clients.length;
    moveClients(this, session);
    this.parting += before - this.clients.length;
    leaveGroup(session);
    this.groups = this.groups.filter(({ sessions }) => sessions.length > 0);
    for (const link of [...session.links]) this.unlink(link);
    if (this.machine.quirks.reusedIds) this.nextSession = session.number;
  }

  /** Ends the session, or every session of its group. */
  destroyGroup(session: Session): void {
    for (const each of session.group?.sessions.slice() ?? [session]) this.destroySession(each);
  }

  /** Takes a window out of every session. */
  killWindow(window: Window, renumber: boolean): void {
    for (const session of this.sessions) {
      if (!session.has(window)) continue;
      for (;;) {
        const link = session.links.find((each) => each.window === window);
        if (link === undefined) break;
        if (this.detach(link)) {
          this.destroyGroup(session);
          break;
        }
      }
      if (renumber && session.alive) this.renumber(session);
    }
    countAttached(this);
  }

  /** Closes the gaps between the indexes where `renumber-windows` is on. */
  renumber(session: Session): void {
    if (!session.options.isOn("renumber-windows")) return;
    for (const each of session.group?.sessions ?? [session]) this.renumberLinks(each);
  }

  private renumberLinks(session: Session): void {
    let index = session.options.number("base-index");
    for (const link of session.links) link.index = index++;
  }

  /** Makes a session one of a group's, whose windows replace its own. */
  shareWindows(session: Session): void {
    synchronizeTo(session);
    this.releaseUnlinked();
  }

  /** Keeps a paste buffer; an error text when that cannot be. */
  setBuffer(data: Uint8Array | string, name: string | null): string | null {
    const bytes = typeof data === "string" ? encodeBytes(data) : data;
    return this.buffers.set(bytes, name, this.seconds(), this.serverOptions.number("buffer-limit"));
  }

  /** Learns of programs that ended without it noticing. */
  reapZombies(): void {
    for (const pane of this.panes()) {
      const { process } = pane;
      if (process?.state !== "zombie" || process.end === null) continue;
      this.machine.tree.reap(process);
      paneExited(this, pane, process.end);
    }
  }

  crash(): never {
    throw new ServerCrash();
  }

  /** The bug of several releases: a manual size in the global options and a new session. */
  crashOnManualSize(): void {
    const manual = this.windowOptions.text("window-size") === "manual";
    if (manual && this.rules.manualSizeCrashes) this.crash();
  }

  /** Whether nothing keeps it alive. */
  isIdle(): boolean {
    if (this.ending) return true;
    if (!this.serverOptions.isOn("exit-empty")) return false;
    if (!this.serverOptions.isOn("exit-unattached") && this.sessions.length > 0) return false;
    return this.clients.length === 0 && !this.machine.quirks.serverOutlivesLastSession;
  }
}
