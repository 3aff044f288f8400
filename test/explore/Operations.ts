/**
 * Operations: everything that can be done to a session, and what there is before two of them meet.
 *
 * A program that ends, a server that dies and a socket that is removed are among them: they are
 * done by the world, and no claim holds them up.
 */
import { isFinal } from "@troupe/core";
import { Effect } from "effect";
import type { Ending } from "./Agreement.js";
import type { WorldEnding } from "./EndingOf.js";
import { forkedTwice } from "./KillWorlds.js";
import {
  add,
  adopt,
  create,
  madeByUser,
  programEnds,
  reconcile,
  remove,
  removeByForce,
  removedByUser,
  removeFirst,
  removeTerminal,
  removeTerminalByForce,
  replacing,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { leaseRequest } from "./UnderLeaseWorlds.js";

/** Input for the first terminal. */
export const send: Call = { name: "send", run: (s) => s.send("a", { text: "x" }) };

/** The tmux server is killed, and its programs with it. */
export const serverDies: Call = {
  name: "the server dies",
  isAccident: true,
  run: (_, tmux) => tmux.crash,
};

/** The server is killed, and somebody starts another at the same socket, with a `cat` in it. */
export const serverRestarts: Call = {
  name: "the server restarts",
  isAccident: true,
  run: (_, tmux) =>
    Effect.zipRight(tmux.crash, tmux.client(["new-session", "-d", "-s", "user", "--", "cat"])),
};

/** What somebody has in a server that he started, of which something is missing. */
export const userHurt = ({ programs, strangers }: WorldEnding): string | null => {
  if (!programs.includes("cat")) return "a program of a user's was ended";
  const panes = strangers.filter((session) => session === "user").length;
  return panes === 1 ? null : `the session of a user has ${panes} panes`;
};

/** What somebody has in the other server is as he made it, whatever became of ours. */
export const userUnhurt = (ending: WorldEnding): string | null =>
  ending.told.some((line) => line.startsWith(`${serverRestarts.name}: ok`))
    ? userHurt(ending)
    : null;

/** The socket is removed under the server, which lives on. */
export const socketGoes: Call = {
  name: "the socket goes",
  isAccident: true,
  run: (_, tmux) => tmux.unlinkSocket,
};

/** What is out of reach is not told to be missing. */
export const notMissed = ({ told }: Ending): string | null => {
  if (!told.some((line) => line.startsWith(`${socketGoes.name}: ok`))) return null;
  return told.find((line) => line.endsWith(": failed NotFound")) ?? null;
};

/** What a caller or a program can do, each of which meets each. */
export const operations: ReadonlyArray<Call> = [
  create,
  add,
  removeTerminal,
  remove,
  reconcile,
  restore,
  adopt,
  send,
  programEnds,
];

/** What somebody calls, and does not only happen. */
export const called = operations.filter((call) => call !== programEnds);

/** What there is before the operations meet: what makes each of them have something to do. */
export const before = (met: ReadonlyArray<Call>): ReadonlyArray<Call> => {
  if (met.includes(adopt)) return [madeByUser];
  if (met.includes(restore)) return [create, programEnds];
  if (met.includes(create)) return [];
  return met.includes(removeTerminal) ? [create, add] : [create];
};

/** Whether there is a second terminal, or the call makes it. */
const hasSecond = (call: Call): boolean => call === add || before([call]).includes(add);

/** A delete that waits for nobody, which meets each that keeps a name waiting. */
export const forced: ReadonlyArray<readonly [Call, Call]> = called.flatMap((call) => [
  [call, removeByForce] as const,
  ...(hasSecond(call) ? [[call, removeTerminalByForce] as const] : []),
]);

/**
 * What ends something that it names, with all that lives in it. The end of the server is none: a
 * session that is lost by then stays that, and what lives of it with it.
 */
export const enders: ReadonlyArray<Call> = [remove, removeTerminal, removeFirst, replacing];

/**
 * Somebody takes the lease of the session, whoever holds that or has its name: what is under way
 * there is cut off by that, and what was begun is finished by it.
 */
export const take: Call = {
  name: "take the lease",
  run: (s) => s.claimLease({ ...leaseRequest("taker"), over: "any" }),
};

/** What a restore ended before it was cut off only needs a look, which a reconcile takes. */
const taking = (call: Call): Call => (call === restore ? { ...take, isAccident: true } : take);

const taken = new RegExp(`^${take.name}: ok (.*)$`);

/** Whoever took a lease has it as long as its session lives, which nobody takes from him here. */
export const takerKeeps = ({ leases, records, told }: WorldEnding): string | null => {
  for (const line of told) {
    const answer = taken.exec(line)?.[1];
    if (answer === undefined) continue;
    const { incarnation, lease } = JSON.parse(answer);
    const state = records.find((r) => r.incarnation === incarnation)?.state ?? "deleted";
    if (isFinal(state) || leases.some((one) => one.lease === lease)) continue;
    return `the lease that was taken of ${incarnation} is nobody's, which is ${state}`;
  }
  return null;
};

/** What another program may do from its beginning to its end in the middle of the call. */
export const verbsIn = (call: Call): ReadonlyArray<Call> => [
  removeByForce,
  ...(hasSecond(call) ? [removeTerminalByForce] : []),
  { name: "reconcile all", run: (s) => s.reconcileAll },
  { name: "stop the server", isAccident: true, run: (s) => s.stopServer },
  taking(call),
];

/** What can happen to the server. */
export const accidents: ReadonlyArray<Call> = [serverDies, serverRestarts, socketGoes];

/** What else can happen in the middle of a call: to what it is about, done by nobody who asks. */
export const incidents: ReadonlyArray<Call> = [
  programEnds,
  removedByUser,
  forkedTwice("main"),
  forkedTwice("t2"),
];

/** What else can happen in the middle of the call: to what it is about, done by nobody who asks. */
export const incidentsIn = (call: Call): ReadonlyArray<Call> =>
  incidents.filter(({ name }) => hasSecond(call) || !name.includes("t2"));
