/**
 * Lists as lines of one client in control mode, asked and waited for in place, for comparisons.
 *
 * What no line can carry goes over a process: what ends the server or its client, what would show
 * the client another session, and what a client in control mode prints in another way. A client is
 * made as soon as a server is there; its keeper is in every answer, the same on both sides.
 */
import {
  ControlConnection,
  type ControlOutcome,
  controlLine,
  type OpenControl,
} from "@troupe/tmux";
import type { Ask } from "./fake-tmux-pair.js";
import type { Reply } from "./fake-tmux-real.js";
import { oddLines } from "./fake-tmux-words.js";

const elsewhere =
  /kill-server|\battach|show-buffer|showb|list-clients|lsc|detach|start-server|load-buffer|client_|-A/;

/** In the name of every keeper, so that the answers are the same. */
const NONCE = "0123456789abcdef";

/** The line of a step; `null` when it goes over a process. */
const lineOf = (argv: ReadonlyArray<string>, stdin: string | null): string | null => {
  const isSourced = argv[0] === "source-file";
  if (!isSourced && argv.some((word) => /^source/.test(word))) return null;
  const text = isSourced ? (stdin ?? "") : argv.join(" ");
  const lines = text.split("\n");
  if (elsewhere.test(text) || lines.some((line) => oddLines.includes(line))) return null;
  if (/new-session|\bnew\b/.test(text) && !/ "?-d"?( |$)/m.test(text)) return null;
  return controlLine({
    argv,
    stdin: isSourced ? stdin : null,
    framed: true,
    startsServer: false,
    path: null,
    deadlineMs: 10_000,
    session: null,
    attempted: "compare",
  });
};

/** How a keeper's program ended the real one may never learn, so it has one that does not end. */
const lasting =
  (open: OpenControl): OpenControl =>
  (argv, listener) => {
    const words = argv.map((word) => (word === ":" ? "exec sleep 7777777" : word));
    return open(words, listener);
  };

const lost: Reply = { exitCode: -2, stdout: "", stderr: "the client is gone" };

/** Mutable; one side. */
export class Lines {
  private connection: ControlConnection | null = null;
  /** How many lists were lines. */
  carried = 0;

  constructor(
    private readonly open: OpenControl,
    private readonly byProcess: Ask,
    /** Waits until it is so; lets what has come be told meanwhile. */
    private readonly until: (isSo: () => boolean) => void,
  ) {}

  readonly ask: Ask = (argv, stdin) => {
    const line = lineOf(argv, stdin);
    const connection = line === null ? null : this.standing();
    if (line === null || connection === null) return this.byProcess(argv, stdin);
    const told: Array<ControlOutcome> = [];
    connection.ask(line, (outcome) => void told.push(outcome));
    this.until(() => told.length > 0);
    const [outcome] = told;
    if (outcome?._tag === "Unread") return this.byProcess(argv, stdin);
    if (outcome?._tag !== "Answered") return lost;
    this.carried += 1;
    return outcome.reply;
  };

  private standing(): ControlConnection | null {
    if (this.connection?.lives === true) return this.connection;
    this.connection = null;
    if (this.byProcess(["display-message", "-p", "#{pid}"], null).stdout === "") return null;
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    const connection = new ControlConnection(lasting(this.open), NONCE, () => 0, over);
    this.until(() => isOver);
    this.connection = connection.lives ? connection : null;
    return this.connection;
  }
}
