/**
 * TargetSearch: the parts of a target looked up: a session, a window in it, a pane in that.
 *
 * Each method fills in the found target and tells whether there was one. The order of the tries
 * is tmux's: ids, exact names, then prefixes and patterns where exactly one fits.
 */
import type { FoundTarget } from "./FoundTarget.js";
import type { Pane } from "./Pane.js";
import { patternMatches } from "./Pattern.js";
import type { Server } from "./Server.js";
import type { Session, WindowLink } from "./Session.js";
import { intMaximum, strtonum, uintMaximum } from "./Strtonum.js";

/** What limits a search. */
export interface SearchRules {
  readonly exactSession: boolean;
  readonly exactWindow: boolean;
  /** An index without a window is a place. */
  readonly windowIndex: boolean;
}

const idNumber = (text: string): number | null => {
  const number = strtonum(text.slice(1), 0, uintMaximum);
  return typeof number === "number" ? number : null;
};

// The only one that fits, or nothing.
const single = <A>(among: ReadonlyArray<A>): A | null =>
  among.length === 1 ? (among[0] ?? null) : null;

const steps = (text: string): number => {
  if (text.length === 1) return 1;
  const number = strtonum(text.slice(1), 1, intMaximum);
  return typeof number === "number" ? number : 0;
};

const isOffset = (text: string): boolean => text.startsWith("+") || text.startsWith("-");

const paneDescription = /^(top|bottom|left|right|top-left|top-right|bottom-left|bottom-right)$/i;

/** One search on behalf of one target. What it found before it failed stays in the target. */
export class TargetSearch {
  constructor(
    private readonly server: Server,
    private readonly found: FoundTarget,
    private readonly current: FoundTarget,
    private readonly rules: SearchRules,
  ) {}

  private takeLink(link: WindowLink): true {
    this.found.link = link;
    this.found.index = link.index;
    this.found.window = link.window;
    return true;
  }

  session(text: string): boolean {
    this.found.session = this.findSession(text);
    return this.found.session !== null;
  }

  private findSession(text: string): Session | null {
    const { clients, sessions } = this.server;
    if (text.startsWith("$")) {
      const number = idNumber(text);
      return sessions.find((session) => session.number === number) ?? null;
    }
    const name = text.replace(/:$/, "");
    const exact =
      this.server.findSession(text) ?? clients.find((client) => client.name === name)?.session;
    if (exact !== undefined && exact !== null) return exact;
    if (this.rules.exactSession || this.server.machine.quirks.noPrefixMatching) return null;
    const prefixed = sessions.filter((session) => session.name.startsWith(text));
    if (prefixed.length > 0) return single(prefixed);
    return single(sessions.filter((session) => patternMatches(text, session.name)));
  }

  /** A window by itself; `only` excludes that the text is a session. */
  window(text: string, only: boolean): boolean {
    if (text.startsWith("@")) {
      const number = idNumber(text);
      this.found.window = number === null ? null : this.server.findWindow(number);
      return this.found.window !== null && this.bestSession();
    }
    this.found.session = this.current.session;
    if (this.windowIn(text)) return true;
    if (only || !this.session(text)) return false;
    const { session } = this.found;
    if (session === null) return false;
    const { index } = this.found;
    this.takeLink(session.current);
    if (this.rules.windowIndex) this.found.index = index;
    return true;
  }

  // The session of the latest activity that has the window, and the window's place there.
  private bestSession(): boolean {
    const { window } = this.found;
    if (window === null) return false;
    const having = this.server.sessions.filter((session) => session.has(window));
    this.found.session = this.server.bestSession(having);
    return this.found.session !== null && this.bestLink();
  }

  private bestLink(): boolean {
    const { session, window } = this.found;
    if (session === null) return false;
    const link =
      session.current.window === window
        ? session.current
        : session.links.find((each) => each.window === window);
    return link !== undefined && this.takeLink(link);
  }

  /** A window of the session that was found. */
  windowIn(text: string): boolean {
    const { session } = this.found;
    if (session === null) return false;
    this.found.link = session.current;
    this.found.window = session.current.window;
    if (text.startsWith("@")) {
      const number = idNumber(text);
      const window = number === null ? null : this.server.findWindow(number);
      this.found.window = window;
      return window !== null && session.has(window) && this.bestLink();
    }
    if (!this.rules.exactWindow) {
      const special = this.specialWindow(session, text);
      if (special !== null) return special;
    }
    return this.indexed(session, text) ?? this.namedWindow(session, text);
  }

  // `null`: the text is none of these.
  private specialWindow(session: Session, text: string): boolean | null {
    if (isOffset(text)) {
      const by = steps(text) * (text.startsWith("+") ? 1 : -1);
      if (this.rules.windowIndex) {
        const index = session.current.index + by;
        if (index < 0 || index > intMaximum) return false;
        this.found.index = index;
        return true;
      }
      const link = session.neighbour(session.current, by);
      if (link !== undefined) return this.takeLink(link);
    }
    const link =
      text === "!"
        ? session.last[0]
        : text === "^"
          ? session.links[0]
          : text === "$"
            ? session.links.at(-1)
            : null;
    if (link === null) return null;
    if (link === undefined) {
      this.found.link = null;
      return false;
    }
    return this.takeLink(link);
  }

  private indexed(session: Session, text: string): boolean | null {
    if (isOffset(text)) return null;
    const index = strtonum(text, 0, intMaximum);
    if (typeof index !== "number") return null;
    const link = session.linkAt(index);
    if (link !== null) return this.takeLink(link);
    this.found.link = null;
    if (!this.rules.windowIndex) return null;
    this.found.index = index;
    return true;
  }

  private namedWindow(session: Session, text: string): boolean {
    const tries: ReadonlyArray<(name: string) => boolean> = [
      (name) => name === text,
      ...(this.rules.exactWindow
        ? []
        : [(name: string) => name.startsWith(text), (name: string) => patternMatches(text, name)]),
    ];
    for (const fits of tries) {
      const links = session.links.filter(({ window }) => fits(window.name));
      this.found.link = links[0] ?? null;
      const link = single(links);
      if (link !== null) return this.takeLink(link);
      if (links.length > 1) return false;
    }
    return false;
  }

  /** A pane by itself; `only` excludes that the text is a window or a session. */
  pane(text: string, only: boolean): boolean {
    if (text.startsWith("%")) {
      const number = idNumber(text);
      this.found.pane = number === null ? null : this.server.findPane(number);
      if (this.found.pane === null) return false;
      this.found.window = this.found.pane.window;
      return this.bestSession();
    }
    const { index, link, session, window } = this.current;
    Object.assign(this.found, { index, link, session, window });
    if (this.paneIn(text)) return true;
    if (only || !this.window(text, false)) return false;
    this.found.pane = this.found.window?.active ?? null;
    return true;
  }

  /** A pane of the session that was found. */
  paneInSession(text: string): boolean {
    const { session } = this.found;
    if (session === null) return false;
    if (text.startsWith("%")) {
      const number = idNumber(text);
      this.found.pane = number === null ? null : this.server.findPane(number);
      if (this.found.pane === null) return false;
      this.found.window = this.found.pane.window;
      return this.bestLink();
    }
    this.takeLink(session.current);
    return this.paneIn(text);
  }

  /** A pane of the window that was found. A pane of another window is found, but does not do. */
  paneIn(text: string): boolean {
    if (text.startsWith("%")) {
      const number = idNumber(text);
      this.found.pane = number === null ? null : this.server.findPane(number);
      return this.found.pane !== null && this.found.pane.window === this.found.window;
    }
    this.found.pane = this.findPaneIn(text);
    return this.found.pane !== null;
  }

  private findPaneIn(text: string): Pane | null {
    const { window } = this.found;
    if (window === null) return null;
    const { panes } = window;
    // With one pane in each window there is no last one and none beside.
    if (text === "!" || /^\{(up|down|left|right)-of\}$/.test(text)) return null;
    if (isOffset(text)) return steps(text) === 0 ? this.current.pane : (panes[0] ?? null);
    const index = strtonum(text, 0, intMaximum);
    if (typeof index === "number") {
      const pane = panes[index - window.options.number("pane-base-index")];
      if (pane !== undefined) return pane;
    }
    return paneDescription.test(text) ? (panes[0] ?? null) : null;
  }
}
