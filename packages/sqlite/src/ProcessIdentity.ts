/**
 * ProcessIdentity: the name under which a program holds claims.
 *
 * One text that is also a file name: host, boot, pid, start time, and a nonce that tells apart two
 * layers of one process. It says where to look when the program's lock is not to be found, and it
 * parses back. It is never used twice, so what was proved of it once stays true.
 */
import type { ProcessId } from "@troupe/core";

/** Who holds a claim. */
export interface ProcessIdentity {
  readonly host: string;
  readonly process: ProcessId;
  readonly nonce: string;
}

const plain = (text: string): string => text.replace(/[^A-Za-z0-9.-]/g, "-").slice(0, 64);

const grammar =
  /^([A-Za-z0-9.-]{1,64}),([A-Za-z0-9.-]{1,64}),(\d{1,15}),(\d{1,15}),([A-Za-z0-9.-]{1,64})$/;

/** The host's name as it stands in a text. */
export const hostText = plain;

/** The text of an identity; characters that a file name does not bear become `-`. */
export const ownerText = ({ host, nonce, process }: ProcessIdentity): string =>
  [plain(host), plain(process.bootId), process.pid, process.startTime, plain(nonce)].join(",");

/** The identity that a text tells, or `null` when it is none of ours. */
export const parseOwner = (text: string): ProcessIdentity | null => {
  const [, host, bootId, pid, startTime, nonce] = grammar.exec(text) ?? [];
  if (host === undefined || bootId === undefined || nonce === undefined) return null;
  return { host, process: { pid: Number(pid), startTime: Number(startTime), bootId }, nonce };
};
