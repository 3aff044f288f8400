/**
 * crypto: what a call needs of node's module of that name, which takes 2 ms to load.
 *
 * The bundle has it in the place of that. What is random comes from where node has it from, the
 * kernel. SHA-256 makes the mark of a home from its path, and nothing that is secret; the build
 * compares it with node's.
 */
import { closeSync, openSync, readSync } from "node:fs";

/** So many bytes that nobody knows. */
export const randomBytes = (size) => {
  const bytes = Buffer.alloc(size);
  const source = openSync("/dev/urandom", "r");
  const read = readSync(source, bytes, 0, size, null);
  closeSync(source);
  if (read !== size) throw new Error(`/dev/urandom gave ${read} bytes of ${size}`);
  return bytes;
};

/** A UUID of version 4. */
export const randomUUID = () => {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};

const primes = () => {
  const found = [];
  for (let n = 2; found.length < 64; n++) if (found.every((prime) => n % prime > 0)) found.push(n);
  return found;
};

/** The first 32 bits behind the point. */
const fraction = (number) => ((number - Math.floor(number)) * 2 ** 32) | 0;

const rotated = (word, by) => (word >>> by) | (word << (32 - by));

/** The text with a one and its length behind it, in blocks of 64 bytes. */
const padded = (text) => {
  const bytes = Buffer.from(text, "utf8");
  const whole = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64);
  bytes.copy(whole);
  whole[bytes.length] = 0x80;
  whole.writeUInt32BE(bytes.length * 8, whole.length - 4);
  return whole;
};

const scheduled = (block) => {
  const words = Array.from({ length: 16 }, (_, i) => block.readInt32BE(i * 4));
  for (let i = 16; i < 64; i++) {
    const [far, near] = [words[i - 15], words[i - 2]];
    const s0 = rotated(far, 7) ^ rotated(far, 18) ^ (far >>> 3);
    const s1 = rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10);
    words.push((words[i - 16] + s0 + words[i - 7] + s1) | 0);
  }
  return words;
};

const compressed = (state, block, constants) => {
  let [a, b, c, d, e, f, g, h] = state;
  for (const [i, word] of scheduled(block).entries()) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + constants[i] + word) | 0;
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) | 0);
};

const sha256 = (text) => {
  const all = primes();
  const constants = all.map((prime) => fraction(Math.cbrt(prime)));
  let state = all.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const bytes = padded(text);
  for (let at = 0; at < bytes.length; at += 64) {
    state = compressed(state, bytes.subarray(at, at + 64), constants);
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
};

/** The hash of one text, in hexadecimal digits. */
export const createHash = (algorithm) => {
  if (algorithm !== "sha256") throw new Error(`there is no ${algorithm} in the bundle`);
  return { update: (text) => ({ digest: () => sha256(text) }) };
};
