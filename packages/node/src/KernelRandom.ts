/**
 * KernelRandom: random words, as the kernel gives them.
 *
 * 122 bits each, as a version 4 UUID. The kernel has a file that is another one at each read, and
 * node's own way loads twenty modules for the first: it is taken where there is no such file, or
 * what stands in it is none. Not for tests, which want to choose.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The word in this file; nothing where it cannot be read, or is no such word. */
const wordIn = (file: string): string | null => {
  try {
    const word = readFileSync(file, "latin1").trimEnd();
    return UUID.test(word) ? word : null;
  } catch {
    // No kernel that has it, or a place where it is hidden.
    return null;
  }
};

/** A word that nobody could know before; `file` is where the kernel has them. */
export const randomWord = (file = "/proc/sys/kernel/random/uuid"): string =>
  wordIn(file) ?? randomUUID();
