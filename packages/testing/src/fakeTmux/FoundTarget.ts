/**
 * FoundTarget: what a target of a command resolved to, from the session down to the pane.
 *
 * Parts may be missing: a command that tolerates a miss gets an empty one, and a place for a new
 * window has an index and no window.
 */
import type { Pane } from "./Pane.js";
import type { Session, WindowLink } from "./Session.js";
import type { Window } from "./Window.js";

/** What kind of thing a word without separators names. */
export type TargetKind = "session" | "window" | "pane";

/** Mutable while a target is looked up. */
export class FoundTarget {
  session: Session | null = null;
  link: WindowLink | null = null;
  window: Window | null = null;
  pane: Pane | null = null;
  /** The index of the window, or -1. */
  index = -1;

  static ofSession(session: Session): FoundTarget {
    return FoundTarget.ofLink(session.current);
  }

  static ofLink(link: WindowLink): FoundTarget {
    const found = new FoundTarget();
    found.session = link.session;
    found.link = link;
    found.window = link.window;
    found.pane = link.window.active;
    return found;
  }

  copyFrom(other: FoundTarget): void {
    this.session = other.session;
    this.link = other.link;
    this.window = other.window;
    this.pane = other.pane;
    this.index = other.index;
  }

  clear(): void {
    this.copyFrom(new FoundTarget());
  }

  /** Whether everything it names still exists and belongs together. */
  isValid(): boolean {
    const { link, pane, session, window } = this;
    if (session === null || link === null || window === null || pane === null) return false;
    return (
      session.alive &&
      session.links.includes(link) &&
      link.window === window &&
      window.panes.includes(pane)
    );
  }
}
