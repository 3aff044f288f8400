/**
 * LogsText: recorded output as lines of text: whole characters, each with its place in the bytes.
 *
 * A chunk may end inside of a character; what is cut waits for its rest, so that the sequence of a
 * line is always that of its first byte. Bytes that are no UTF-8 become U+FFFD in text, and stand
 * beside it in base64 then. A sequence counts within an incarnation, which each line names. Lines
 * are counted from the first byte on, as long as none is missing.
 */
import type { IncarnationId, OutputElement } from "@troupe/core";
import type { LogsResult } from "./Results.js";

/** How many bytes at the end begin a character whose rest is missing. */
const cutOff = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
    if (byte < 0x80) return 0;
  }
  return 0;
};

const joined = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
};

const LINE_END = 10;

const endsIn = (bytes: Uint8Array): number =>
  bytes.reduce((ends, byte) => (byte === LINE_END ? ends + 1 : ends), 0);

/** Mutable; for one reader. */
export class LogsText {
  private held = new Uint8Array();
  private at = 0;
  private incarnation: IncarnationId | null = null;
  private line: number | null;

  constructor(from: number) {
    this.at = from;
    this.line = from === 0 ? 1 : null;
  }

  /** The lines of an element, with what was held back before where it cannot be completed. */
  linesOf(element: OutputElement): ReadonlyArray<LogsResult> {
    const { incarnation, sequence, type } = element;
    this.incarnation = incarnation;
    if (type === "data") return this.data(element.data);
    const rest = this.flush();
    if (type === "gap") {
      this.at = element.to ?? sequence;
      this.line = null;
      return [...rest, { type, incarnation, sequence, next: element.to }];
    }
    return [...rest, { type, incarnation, sequence, reason: element.reason, exit: element.exit }];
  }

  /** Where it stands, when the elements ended without an end. */
  pause(): ReadonlyArray<LogsResult> {
    // A character that is cut is told whole by the call that goes on here.
    return [{ type: "pause", sequence: this.at }];
  }

  private data(data: Uint8Array): ReadonlyArray<LogsResult> {
    const bytes = joined(this.held, data);
    const cut = cutOff(bytes);
    this.held = bytes.slice(bytes.length - cut);
    return this.told(bytes.subarray(0, bytes.length - cut));
  }

  private flush(): ReadonlyArray<LogsResult> {
    const { held } = this;
    this.held = new Uint8Array();
    return this.told(held);
  }

  private told(bytes: Uint8Array): ReadonlyArray<LogsResult> {
    const { at: sequence, incarnation, line } = this;
    if (bytes.length === 0 || incarnation === null) return [];
    this.at += bytes.length;
    if (this.line !== null) this.line += endsIn(bytes);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const raw = Buffer.from(bytes);
    const base64 = Buffer.from(text).equals(raw) ? null : raw.toString("base64");
    return [{ type: "data", incarnation, sequence, next: this.at, line, text, base64 }];
  }
}
