/**
 * ControlLink: the connection of a transport, whichever it is now.
 *
 * There is at most one that takes lines. A new one is made on demand: not before a pause that grows
 * with each one that was of no use, and never once the link is closed. Whoever finds none ready
 * goes another way and waits for nothing.
 */
import { randomBytes } from "node:crypto";
import { Effect } from "effect";
import { ControlConnection, type OpenControl } from "./ControlConnection.js";

/** How long an answer may take before other calls no longer queue up behind it. */
const PATIENCE_MS = 100;

/** How long a client may take to leave before it is ended. */
const CLOSE_MS = 500;

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 10_000;

/** Mutable. */
export class ControlLink {
  private connection: ControlConnection | null = null;
  private notBefore = 0;
  private failures = 0;
  private closed = false;

  constructor(
    private readonly open: OpenControl,
    private readonly now: () => number,
  ) {}

  /** The connection, where it would answer soon. */
  get ready(): ControlConnection | null {
    const { connection } = this;
    return connection?.isReady(PATIENCE_MS) === true ? connection : null;
  }

  /** The connection has answered: when it is lost, another one may be made at once. */
  proven(): void {
    this.failures = 0;
    this.notBefore = 0;
  }

  /** Begins a connection, if there is none and it is time, and tells when that is over. */
  connect(over: () => void): ControlConnection | null {
    const now = this.now();
    if (this.closed || this.connection?.lives === true || now < this.notBefore) return null;
    this.notBefore = now + Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures);
    this.failures += 1;
    const nonce = randomBytes(8).toString("hex");
    this.connection = new ControlConnection(this.open, nonce, this.now, over);
    return this.connection;
  }

  /** Ends the connection and its keeper; there will be no other. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.closed = true;
    const { connection } = this;
    if (connection === null) return Effect.void;
    const left = Effect.async<void>((resume) => connection.close(() => resume(Effect.void)));
    return left.pipe(
      Effect.timeoutOption(CLOSE_MS),
      Effect.interruptible,
      Effect.ensuring(Effect.sync(() => connection.end())),
    );
  });
}
