/**
 * PasteBuffers: the paste buffers of a server, named by the user or numbered by tmux.
 *
 * The numbered ones are limited by `buffer-limit`: the oldest goes. The top buffer is the newest
 * one.
 */

import { decodeBytes } from "./ByteOrder.js";
import { vis } from "./Vis.js";

/** One buffer. `order` grows with every buffer that is made. */
export interface PasteBuffer {
  readonly name: string;
  readonly data: Uint8Array;
  readonly automatic: boolean;
  readonly order: number;
  /** In seconds. */
  readonly created: number;
}

/** All buffers of one server. */
export class PasteBuffers {
  private readonly buffers = new Map<string, PasteBuffer>();
  private nextNumber = 0;
  private nextOrder = 0;

  find(name: string): PasteBuffer | null {
    return this.buffers.get(name) ?? null;
  }

  /** Every buffer, the newest first. */
  newestFirst(): ReadonlyArray<PasteBuffer> {
    return [...this.buffers.values()].sort((a, b) => b.order - a.order);
  }

  top(): PasteBuffer | null {
    return this.newestFirst()[0] ?? null;
  }

  remove(buffer: PasteBuffer): void {
    this.buffers.delete(buffer.name);
  }

  private add(data: Uint8Array, created: number, limit: number): void {
    const automatic = this.newestFirst().filter((buffer) => buffer.automatic);
    for (const old of automatic.slice(Math.max(0, limit - 1))) this.remove(old);
    let name: string;
    do name = `buffer${this.nextNumber++}`;
    while (this.buffers.has(name));
    this.buffers.set(name, { name, data, automatic: true, order: this.nextOrder++, created });
  }

  /** Keeps data under a name, or under one of tmux's own; nothing when it is empty. */
  set(data: Uint8Array, name: string | null, created: number, limit: number): string | null {
    if (data.length === 0) return null;
    if (name === null) {
      this.add(data, created, limit);
      return null;
    }
    if (name === "") return "empty buffer name";
    this.buffers.set(name, { name, data, automatic: false, order: this.nextOrder++, created });
    return null;
  }

  /** Gives a buffer another name; an error text when that cannot be. */
  rename(from: string | null, to: string | null): string | null {
    if (from === null || from === "") return "no buffer";
    if (to === null || to === "") return "new name is empty";
    const buffer = this.buffers.get(from);
    if (buffer === undefined) return `no buffer ${from}`;
    if (this.buffers.has(to)) return `buffer ${to} already exists`;
    this.buffers.delete(from);
    this.buffers.set(to, { ...buffer, name: to, automatic: false });
    return null;
  }
}

const sampleWidth = 200;

/** The beginning of a buffer in one printable line. */
export const bufferSample = (buffer: PasteBuffer): string => {
  const text = vis(decodeBytes(buffer.data.subarray(0, sampleWidth)), "\\");
  const cut = buffer.data.length > sampleWidth || text.length > sampleWidth;
  return cut ? `${text.slice(0, sampleWidth)}...` : text;
};
