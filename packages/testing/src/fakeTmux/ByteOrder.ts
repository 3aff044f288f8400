/**
 * ByteOrder: strings as tmux sees them, as the bytes of their UTF-8.
 *
 * tmux sorts names with strcmp and measures with strlen. The order of UTF-8 bytes is the order of
 * code points, which is not the order of JavaScript's code units.
 */

// Surrogates stand for code points above every other unit, so they rank behind U+FFFF.
const rank = (unit: number): number =>
  unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;

/** Negative, zero or positive, as strcmp. */
export const compareBytes = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The UTF-8 of a string. */
export const encodeBytes = (text: string): Uint8Array => encoder.encode(text);

/** Bytes as text; what is not UTF-8 becomes U+FFFD. */
export const decodeBytes = (bytes: Uint8Array): string => decoder.decode(bytes);

/** How many bytes the UTF-8 of a string has. */
export const byteLength = (text: string): number => {
  for (let at = 0; at < text.length; at++) {
    // Whatever is not ASCII is left to the encoder; most of what tmux measures is.
    if (text.charCodeAt(at) > 0x7f) return encoder.encode(text).length;
  }
  return text.length;
};
