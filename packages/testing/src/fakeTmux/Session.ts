/**
 * Session: windows by index, the current one, and the ones before it.
 *
 * Sessions of one group share their windows: every change of the links of one is carried to the
 * others.
 */
import type { Environment } from "./Environment.js";
import type { OptionSet } from "./OptionSet.js";
import type { Window } from "./Window.js";

/** A window in a session. */
export class WindowLink {
  constructor(
    readonly session: Session,
    public index: number,
    readonly window: Window,
  ) {}
}

/** Sessions with the same windows; it lives as long as it has one. */
export interface SessionGroup {
  readonly name: string;
  sessions: Array<Session>;
}

/** Mutable; owned by the server. */
export class Session {
  /** By index. */
  links: Array<WindowLink> = [];
  /** The current window. Read only while the session is alive. */
  current!: WindowLink;
  /** The windows that were current, latest first. */
  last: Array<WindowLink> = [];
  alive = true;
  group: SessionGroup | null = null;
  /** How many clients show it. */
  attached = 0;
  lastAttached: number | null = null;
  /** Another window became current in the list that runs, and clients are yet to hear of it. */
  hasNews = false;

  constructor(
    readonly number: number,
    public name: string,
    readonly cwd: string,
    readonly environment: Environment,
    readonly options: OptionSet,
    /** In seconds. */
    readonly created: number,
    /** The later of two sessions has the higher one, however close they are. */
    public activityOrder: number,
    /** In seconds. */
    public activity: number,
  ) {}

  get id(): string {
    return `$${this.number}`;
  }

  has(window: Window): boolean {
    return window.links.some((link) => link.session === this);
  }

  linkAt(index: number): WindowLink | null {
    return this.links.find((link) => link.index === index) ?? null;
  }

  /** Links a window; a negative index -1-N means the first free one from N. */
  add(window: Window, index: number): WindowLink | null {
    let at = index;
    if (index < 0) {
      at = -index - 1;
      while (this.linkAt(at) !== null) at++;
    } else if (this.linkAt(index) !== null) return null;
    const link = new WindowLink(this, at, window);
    this.links.push(link);
    this.sort();
    window.links.push(link);
    return link;
  }

  /** Takes a link out, without choosing another current window. */
  remove(link: WindowLink): void {
    this.links = this.links.filter((other) => other !== link);
    this.last = this.last.filter((other) => other !== link);
    link.window.links = link.window.links.filter((other) => other !== link);
  }

  sort(): void {
    this.links.sort((a, b) => a.index - b.index);
  }

  /** Makes a window current. Tells whether it was another one before. */
  select(link: WindowLink | undefined): boolean {
    if (link === undefined || link === this.current) return false;
    this.last = this.last.filter((other) => other !== link && other !== this.current);
    if (this.current !== undefined && this.links.includes(this.current)) {
      this.last.unshift(this.current);
    }
    this.current = link;
    this.hasNews = true;
    return true;
  }

  /** The link that many places on, around the ends. */
  neighbour(from: WindowLink, steps: number): WindowLink | undefined {
    const { length } = this.links;
    const at = this.links.indexOf(from) + steps;
    return this.links[((at % length) + length) % length];
  }

  /** Leaves the current window for the last one, the one before it, or the next. */
  leaveCurrent(): void {
    if (this.select(this.last[0])) return;
    if (!this.select(this.neighbour(this.current, -1)))
      this.select(this.neighbour(this.current, 1));
  }
}
