/**
 * ControlConnection: one client in control mode: lines go in, each with its answer, in order.
 *
 * tmux reads lines before it has run what the client began with, so none is sent until the client
 * is told that it shows its keeper. Behind each line goes one that prints a word which nobody else
 * knows, and whose block ends the answer. A connection that is retired takes no more lines, answers
 * those who wait, and then ends. What was not answered when it ends is lost: done or not.
 */
import { ControlParser, type ControlPart } from "./ControlParser.js";
import { keeperArgv, keeperName } from "./Keeper.js";
import type { TmuxReply } from "./TmuxTransport.js";

/** The far side: a client in control mode. */
export interface ControlChannel {
  /** Sends whole lines; what the client cannot take any more is lost. */
  readonly write: (text: string) => void;
  /** Whether the client is still at the server that one would reach now. */
  readonly isCurrent: () => boolean;
  /** Ends the client at once. */
  readonly end: () => void;
}

/** What the far side tells; nothing comes behind `ended`. */
export interface ControlListener {
  /** What the client wrote, cut anywhere. */
  readonly told: (text: string) => void;
  /** The client has ended; what it wrote may still come. */
  readonly left: () => void;
  /** Everything that it wrote has been told. */
  readonly ended: () => void;
}

/** Starts a client with this list; where none can be started it tells `ended`. */
export type OpenControl = (
  argv: ReadonlyArray<string>,
  listener: ControlListener,
) => ControlChannel;

/** What became of a line. */
export type ControlOutcome =
  | { readonly _tag: "Answered"; readonly reply: TmuxReply }
  /** It is none that tmux can read, and nothing of it was run. */
  | { readonly _tag: "Unread" }
  | { readonly _tag: "Late" }
  /** What had come of the answer, and why no more will. */
  | { readonly _tag: "Lost"; readonly stdout: string; readonly why: string };

/** Somebody who waits for an answer. */
export interface ControlTicket {
  /** It is not waited for any more; the answer is passed over when it comes. */
  readonly leave: () => void;
  /** It is waited for no longer: the connection is not to be relied on. */
  readonly expire: () => void;
}

interface Pending {
  readonly word: string;
  readonly blocks: Array<{ readonly failed: boolean; readonly text: string }>;
  tell: ((outcome: ControlOutcome) => void) | null;
}

const PENDING_BOUND = 4096;

const textOf = ({ blocks }: Pending, failed: boolean): string =>
  blocks.flatMap((block) => (block.failed === failed ? [block.text] : [])).join("");

const outcomeOf = (pending: Pending): ControlOutcome => {
  const [only] = pending.blocks;
  const unread = only?.failed === true && only.text.startsWith("parse error: ");
  if (unread && pending.blocks.length === 1) return { _tag: "Unread" };
  const [stdout, stderr] = [textOf(pending, false), textOf(pending, true)];
  const exitCode = pending.blocks.some(({ failed }) => failed) ? 1 : 0;
  return { _tag: "Answered", reply: { exitCode, stdout, stderr } };
};

/** Mutable. */
export class ControlConnection {
  private readonly parser = new ControlParser();
  private channel: ControlChannel | null = null;
  private readonly keeper: string;
  private pending: Array<Pending> = [];
  private count = 0;
  private retired = false;
  private gone = false;
  private why = "the connection to tmux ended";
  private waitingSince = 0;
  private readonly departures: Array<() => void> = [];
  /** The id of its keeper; `null` until the client shows it, and no line may be sent before. */
  private shown: string | null = null;

  /**
   * `nonce` is nobody else's; `now` tells the time in milliseconds; `over` is called when it is
   * known whether the client came to the server.
   */
  constructor(
    open: OpenControl,
    private readonly nonce: string,
    private readonly now: () => number,
    private readonly over: () => void,
  ) {
    this.keeper = keeperName(nonce);
    this.channel = open(keeperArgv(this.keeper), {
      told: (text) => this.told(text),
      left: () => this.retire(),
      ended: () => this.lose(),
    });
    if (this.retired && !this.gone) this.channel.end();
  }

  /** Whether a line that is sent now will be answered soon, by the server that is meant. */
  isReady(patienceMs: number): boolean {
    if (this.retired || this.shown === null || this.pending.length >= PENDING_BOUND) return false;
    if (this.channel?.isCurrent() !== true) {
      this.retire();
      return false;
    }
    return this.pending.length === 0 || this.now() - this.waitingSince <= patienceMs;
  }

  /** Whether it takes lines, if not at this moment. */
  get lives(): boolean {
    return !this.retired;
  }

  /** Sends a line. It is told once what became of it, unless it is left before. */
  ask(line: string, tell: (outcome: ControlOutcome) => void): ControlTicket {
    const pending: Pending = { word: `${this.nonce}-${this.count++}`, blocks: [], tell };
    if (this.pending.length === 0) this.waitingSince = this.now();
    this.pending.push(pending);
    if (this.gone) this.lose();
    else this.channel?.write(`${line}\ndisplay-message -p "${pending.word}"\n`);
    return {
      leave: () => {
        pending.tell = null;
        this.endUnlessWaited();
      },
      expire: () => {
        this.retired = true;
        this.settle(pending, { _tag: "Late" });
        this.endUnlessWaited();
      },
    };
  }

  /** Takes no more lines, and ends when nobody waits. */
  retire(): void {
    this.retired = true;
    this.endUnlessWaited();
  }

  /** Asks the client to end with its keeper, behind what was sent; `left` is called when it did. */
  close(left: () => void): void {
    this.retired = true;
    if (this.gone) left();
    else {
      this.departures.push(left);
      if (this.shown === null) this.channel?.end();
      else this.channel?.write(`kill-session -t ${this.shown}\n`);
    }
  }

  /** Ends the client at once. */
  end(): void {
    this.retired = true;
    if (!this.gone) this.channel?.end();
  }

  private settle(pending: Pending, outcome: ControlOutcome): void {
    const { tell } = pending;
    pending.tell = null;
    tell?.(outcome);
  }

  private endUnlessWaited(): void {
    const waited = this.pending.some(({ tell }) => tell !== null);
    if (this.retired && !waited && this.departures.length === 0) this.end();
  }

  private lose(): void {
    this.retired = true;
    this.gone = true;
    for (const pending of this.pending.splice(0)) {
      this.settle(pending, { _tag: "Lost", stdout: textOf(pending, false), why: this.why });
    }
    for (const left of this.departures.splice(0)) left();
    if (this.shown === null) this.over();
  }

  private told(text: string): void {
    for (const part of this.parser.push(text)) {
      if (this.gone) return;
      this.take(part);
    }
  }

  private take(part: ControlPart): void {
    switch (part._tag) {
      case "Block":
        this.takeBlock(part);
        break;
      case "Notice":
        this.takeNotice(part.line);
        break;
      case "Exit":
        if (part.reason !== "") this.why = part.reason;
        this.retire();
        break;
      case "Odd":
        this.why = `the connection to tmux said ${JSON.stringify(part.line.slice(0, 200))}`;
        this.end();
        this.lose();
    }
  }

  private takeNotice(line: string): void {
    const [, id, name] = /^%session-changed (\$[0-9]+) (.*)$/.exec(line) ?? [];
    if (id === undefined || id === this.shown) return;
    if (this.shown === null && name === this.keeper) {
      this.shown = id;
      this.over();
    } else {
      // Somebody made it show another session.
      this.end();
    }
  }

  private takeBlock(block: Extract<ControlPart, { _tag: "Block" }>): void {
    const [first] = this.pending;
    // Nobody waits: what the client began with, or what a hook did.
    if (first === undefined) return;
    if (block.failed || !block.sent || block.text !== `${first.word}\n`) {
      first.blocks.push(block);
      return;
    }
    this.pending.shift();
    this.waitingSince = this.now();
    this.settle(first, outcomeOf(first));
    this.endUnlessWaited();
  }
}
