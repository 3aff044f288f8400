/**
 * LoadList: the command list that brings bytes to the server, the list that removes what was left
 * of them, and how their answers are read.
 *
 * The bytes travel on stdin into a paste buffer that is named for the epoch, so no two sends share
 * one, and what an older epoch left can be told. The load is fenced like a mutation. tmux goes on
 * with the list after a load that failed, so what counts is the size that it tells at the end.
 */
import type { Fence, LookupFailed } from "@troupe/core";
import { Either } from "effect";
import { END, fencePasses, joined, print } from "./TmuxCommand.js";
import { type Asked, failureOf, garbled, isClean, linesOf, notBelieved } from "./TmuxFailure.js";
import type { TmuxReply } from "./TmuxTransport.js";

const LOADED = "LOADED";
const LEFT = "LEFT";
const STALE = "STALE";

/** How many bytes a millisecond of the deadline is given for: a hundredth of what was measured. */
const BYTES_PER_MS = 2_000;

const buffersOf = ({ session }: Pick<Fence, "session">): string => `troupe-input/${session}/`;

/** The paste buffer of a send; a user's own buffers never have such a name. */
export const inputBuffer = (fence: Fence): string => `${buffersOf(fence)}${fence.epoch}`;

/** How much longer a load of so many bytes may take than another list. */
export const loadTimeMs = (bytes: number): number => Math.ceil(bytes / BYTES_PER_MS);

/** The argv; the bytes are what it reads. */
export const loadList = (fence: Fence): ReadonlyArray<string> => {
  const buffer = inputBuffer(fence);
  const size = `#{?#{==:#{buffer_name},${buffer}},${LOADED} #{buffer_size},}`;
  return joined(
    ["if-shell", "-F", fencePasses(fence), `load-buffer -b ${buffer} -`, print(STALE)],
    ["list-buffers", "-F", size],
    ["display-message", "-p", END],
  );
};

/** Whether the server has all of the bytes. */
export const readLoaded = (
  asked: Asked,
  bytes: number,
  reply: TmuxReply,
): Either.Either<{ readonly _tag: "Loaded" | "Stale" }, LookupFailed> => {
  const lines = linesOf(reply).filter((line) => line !== "");
  const [first, last] = lines;
  if (isClean(reply) && lines.length === 2 && last === END) {
    if (first === STALE) return Either.right({ _tag: "Stale" });
    if (first === `${LOADED} ${bytes}`) return Either.right({ _tag: "Loaded" });
    return Either.left(garbled(asked, reply));
  }
  const failure = failureOf(asked, reply);
  return Either.left(
    failure === "no-server" ? notBelieved(asked, "server-exited", reply.stderr.trim()) : failure,
  );
};

/** A line in front of a listing that tells what is loaded for the name. */
export const leftLine = (fence: Fence): string => {
  const ours = `#{m:${buffersOf(fence)}*,#{buffer_name}}`;
  return `list-buffers -F "#{?${ours},${LEFT} #{buffer_name},}"\n`;
};

/**
 * The buffers that older epochs left, and the answer without the lines about them. What a newer
 * epoch loaded is its own to use.
 */
export const splitLeft = (
  fence: Fence,
  reply: TmuxReply,
): { readonly left: ReadonlyArray<string>; readonly rest: TmuxReply } => {
  const lines = reply.stdout.split("\n");
  const about = lines.findIndex((line, at) => {
    const ends = at === lines.length - 1;
    return ends || (line !== "" && !line.startsWith(`${LEFT} `));
  });
  const left = lines
    .slice(0, about)
    .filter((line) => line !== "")
    .map((line) => line.slice(LEFT.length + 1))
    .filter((name) => Number(name.slice(buffersOf(fence).length)) < fence.epoch);
  return { left, rest: { ...reply, stdout: lines.slice(about).join("\n") } };
};

/** Removes buffers; one that is gone is no failure. */
export const removeList = (buffers: ReadonlyArray<string>): string =>
  [...buffers.map((name) => `delete-buffer -b ${name}`), print(END), ""].join("\n");

/** Whether the answer is one of a server that removed them, or had them no more. */
export const readRemoved = (asked: Asked, reply: TmuxReply): Either.Either<void, LookupFailed> => {
  const odd = reply.stderr.split("\n").some((line) => !/^(unknown buffer: .*)?$/.test(line));
  if (!odd && reply.stdout === `${END}\n`) return Either.void;
  const failure = failureOf(asked, reply);
  // Its server took them along.
  return failure === "no-server" ? Either.void : Either.left(failure);
};
