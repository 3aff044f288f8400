/**
 * Window: a window of tmux, with a size, a name and its panes.
 *
 * It is linked into one session or more and ends with its last link. The fake splits no window, so
 * there is one pane in each.
 */
import type { OptionSet } from "./OptionSet.js";
import type { Pane } from "./Pane.js";
import type { WindowLink } from "./Session.js";

/** Mutable; owned by the server. It lives as long as a session links it. */
export class Window {
  name = "";
  panes: Array<Pane> = [];
  active: Pane | null = null;
  /** In the order in which they were made. */
  links: Array<WindowLink> = [];
  /** News of it that tmux has not told yet; each holds the window until the list has ended. */
  notices = 0;

  constructor(
    readonly number: number,
    public columns: number,
    public rows: number,
    readonly options: OptionSet,
    /** In seconds. */
    public activity: number,
  ) {}

  get id(): string {
    return `@${this.number}`;
  }

  /** tmux's description of a window with one pane, with its checksum. */
  layout(): string {
    const [pane] = this.panes;
    const layout = `${this.columns}x${this.rows},0,0,${pane?.number ?? 0}`;
    let sum = 0;
    for (const character of layout) {
      sum = ((sum >> 1) + ((sum & 1) << 15) + character.charCodeAt(0)) & 0xffff;
    }
    return `${sum.toString(16).padStart(4, "0")},${layout}`;
  }
}
