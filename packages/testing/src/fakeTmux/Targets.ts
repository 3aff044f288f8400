/**
 * Targets: `-t` and `-s`: the text of a target to a session, a window and a pane.
 *
 * An empty target, or none, is the current one: the session of the latest activity. `=` makes a
 * name exact, but only for the part that it stands before, and a word without separators is a
 * session, a window or a pane by the kind that the command wants.
 */
import type { TargetFlag } from "./Command.js";
import { FoundTarget } from "./FoundTarget.js";
import type { Server } from "./Server.js";
import { type SearchRules, TargetSearch } from "./TargetSearch.js";

/** A target that is not there; `message` is what tmux says. */
export class TargetMissing {
  constructor(
    readonly message: string,
    /** What was found on the way: a command that tolerates the miss goes on with it. */
    readonly partial = new FoundTarget(),
  ) {}
}

interface Parts {
  readonly session: string | null;
  readonly window: string | null;
  readonly pane: string | null;
  /** A separator said that this part is a window, or a pane, and nothing else. */
  readonly windowOnly: boolean;
  readonly paneOnly: boolean;
}

const windowNames: Record<string, string> = {
  "{start}": "^",
  "{last}": "!",
  "{end}": "$",
  "{next}": "+",
  "{previous}": "-",
};

const paneNames: Record<string, string> = {
  "{last}": "!",
  "{next}": "+",
  "{previous}": "-",
  "{top}": "top",
  "{bottom}": "bottom",
  "{left}": "left",
  "{right}": "right",
  "{top-left}": "top-left",
  "{top-right}": "top-right",
  "{bottom-left}": "bottom-left",
  "{bottom-right}": "bottom-right",
};

const split = (text: string, kind: TargetFlag["kind"]): Parts => {
  const colon = text.indexOf(":");
  const period = text.indexOf(".", colon + 1);
  const windowOnly = colon >= 0;
  const paneOnly = period >= 0;
  const pane = paneOnly ? text.slice(period + 1) : null;
  const before = paneOnly ? text.slice(0, period) : text;
  const parts = { session: null, window: null, pane, windowOnly, paneOnly };
  if (windowOnly) {
    return { ...parts, session: before.slice(0, colon), window: before.slice(colon + 1) };
  }
  if (paneOnly) return { ...parts, window: before };
  const sigil = { $: "session", "@": "window", "%": "pane" }[text.charAt(0)] ?? kind;
  return { ...parts, [sigil]: text };
};

class Lookup {
  private readonly search: TargetSearch;
  readonly found = new FoundTarget();
  readonly parts: Parts;

  constructor(
    server: Server,
    current: FoundTarget,
    text: string,
    private readonly flag: TargetFlag,
  ) {
    const raw = split(text, flag.kind);
    const exactSession = raw.session?.startsWith("=") === true;
    const exactWindow = raw.window?.startsWith("=") === true;
    const session = (exactSession ? raw.session?.slice(1) : raw.session) || null;
    const window = (exactWindow ? raw.window?.slice(1) : raw.window) || null;
    const pane = raw.pane || null;
    this.parts = {
      ...raw,
      session,
      window: window === null ? null : (windowNames[window] ?? window),
      pane: pane === null ? null : (paneNames[pane] ?? pane),
    };
    const windowIndex = flag.windowIndex === true;
    const rules: SearchRules = { exactSession, exactWindow, windowIndex };
    this.search = new TargetSearch(server, this.found, current, rules);
  }

  /** `null` when the text names nothing: the current target is meant. */
  run(): FoundTarget | TargetMissing | null {
    const { pane, session, window } = this.parts;
    if (pane !== null && this.flag.windowIndex === true) {
      return new TargetMissing("can't specify pane here");
    }
    if (session !== null) return this.inSession(session, window, pane);
    if (window === null && pane === null) return null;
    if (window === null) {
      const found = this.search.pane(pane ?? "", this.parts.paneOnly);
      return found ? this.found : this.missing("pane", pane);
    }
    if (!this.search.window(window, this.parts.windowOnly)) return this.missing("window", window);
    if (pane === null) return this.activePane();
    return this.search.paneIn(pane) ? this.found : this.missing("pane", pane);
  }

  private inSession(
    session: string,
    window: string | null,
    pane: string | null,
  ): FoundTarget | TargetMissing {
    if (!this.search.session(session)) return this.missing("session", session);
    const found = this.found.session;
    if (window === null && pane === null && found !== null) return FoundTarget.ofSession(found);
    if (window === null) {
      return this.search.paneInSession(pane ?? "") ? this.found : this.missing("pane", pane);
    }
    if (!this.search.windowIn(window)) return this.missing("window", window);
    if (pane === null) return this.activePane();
    return this.search.paneIn(pane) ? this.found : this.missing("pane", pane);
  }

  private missing(what: TargetFlag["kind"], text: string | null): TargetMissing {
    return new TargetMissing(`can't find ${what}: ${text}`, this.found);
  }

  private activePane(): FoundTarget {
    const { link } = this.found;
    if (link !== null) this.found.pane = link.window.active;
    return this.found;
  }
}

/** Resolves a target. `current` is the one of the list, when it still exists. */
export const findTarget = (
  server: Server,
  listCurrent: FoundTarget,
  text: string | null,
  flag: TargetFlag,
): FoundTarget | TargetMissing => {
  const { quirks } = server.machine;
  const current = listCurrent.isValid() ? listCurrent : server.currentTarget();
  if (current.session === null && !quirks.noCurrentTargetMissing) {
    return new TargetMissing("no current target");
  }
  if (text === "" && quirks.emptyTargetFails) return new TargetMissing("can't find session: ");
  if (text === "=" || text === "{mouse}") return new TargetMissing("no mouse target");
  if (text === "~" || text === "{marked}") return new TargetMissing("no marked target");
  const found = text === null || text === "" ? null : new Lookup(server, current, text, flag).run();
  if (found !== null) return found;
  const copy = new FoundTarget();
  copy.copyFrom(current);
  if (flag.windowIndex === true) copy.index = -1;
  return copy;
};
