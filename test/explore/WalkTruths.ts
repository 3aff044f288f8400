/**
 * WalkTruths: what is true behind every step of every walk, whatever was called and whatever
 * happened before: of what was made, what has ended and what lives on, of rows and the log, and
 * that no value is told.
 *
 * Pure: what was there before, what is there now and what was answered.
 */
import { isFinal, type SessionRecord } from "@troupe/core";
import { Exit } from "effect";
import { isOver, type Made, type WalkCall } from "./WalkCalls.js";
import type { Walk } from "./WalkedHome.js";
import { isKnown, isSame, type Living, type Sight, whoseIs } from "./WalkSight.js";
import { VARIABLES } from "./WalkValues.js";

/** A step that is over. */
export interface Stepped {
  readonly walk: Walk;
  readonly call: WalkCall;
  readonly exit: Exit.Exit<unknown, unknown>;
  readonly after: Sight;
}

type Truth = (step: Stepped) => string | null;

const wordsOf = ({ pid, program }: Living): string => `${program} ${pid}`;

/** A program that this very call started, and what was supplied to it. */
const isMade = ({ after, call, walk }: Stepped, made: Made): string | null => {
  const { incarnation, pid, state, terminal } = made;
  const what = `${incarnation} ${terminal}, which is told to be ${state},`;
  if (pid === null) return `${what} has no program`;
  if (walk.before.living.some((p) => p.pid === pid)) return `${what} has a program of before`;
  const program = after.living.find((p) => p.pid === pid);
  if (program === undefined) return state === "running" ? `${what} has none that lives` : null;
  const { environment } = program;
  if (environment.get("TROUPE_INCARNATION") !== incarnation) return `${what} has no mark`;
  if (environment.get("TROUPE_TERMINAL") !== terminal) return `${what} has another's mark`;
  for (const name of VARIABLES) {
    const value = environment.get(name);
    const given = call.given?.[name];
    const before = walk.supplied.get(`${call.formerly} ${name}`) ?? new Set();
    if (given !== undefined && value !== given) return `${what} has not the ${name} that was given`;
    if (given !== undefined || value === undefined) continue;
    if (!before.has(value)) return `${what} has a ${name} that nobody gave it`;
  }
  return null;
};

const made: Truth = (step) => {
  const { call, exit } = step;
  if (Exit.isFailure(exit) || call.made === undefined) return null;
  for (const one of call.made(exit.value)) {
    const odd = isMade(step, one);
    if (odd !== null) return odd;
  }
  return null;
};

/** What did not fail ended all that it was to end and could know of. */
const ended: Truth = ({ after, call, exit, walk }) => {
  const { ends } = call;
  if (Exit.isFailure(exit) || ends === null || ends === undefined) return null;
  const answer = exit.value as { readonly sessionDeleted?: boolean };
  const isWhole = ends.terminal === null || answer.sessionDeleted === true;
  for (const one of walk.before.living) {
    const whose = whoseIs(walk.before, one);
    if (whose?.incarnation !== ends.incarnation) continue;
    if (!isWhole && whose.terminal !== ends.terminal) continue;
    if (!isKnown(walk.before, one, whose) || call.spares === true) continue;
    if (after.living.some((p) => isSame(p, one))) {
      return `${wordsOf(one)} of ${whose.incarnation} ${whose.terminal} lives`;
    }
  }
  return null;
};

/** What it does not concern lives on. */
const livesOn: Truth = ({ after, call, walk }) => {
  for (const one of walk.before.living) {
    if (after.living.some((p) => isSame(p, one))) continue;
    const whose = whoseIs(walk.before, one);
    if (whose !== null && (call.mayEnd(whose) || isOver(walk, whose))) continue;
    return `${wordsOf(one)} of ${whose?.incarnation ?? "nobody"} ${whose?.terminal} was ended`;
  }
  return null;
};

const REFUSED = /^(NotFound|AlreadyExists|InvalidEnv|ForeignSession|InvalidName|StartFailed)$/;

/** What failed has left nothing behind it that lives. */
const undone: Truth = ({ after, exit, walk }) => {
  if (Exit.isSuccess(exit)) return null;
  const { cause } = exit;
  const name = cause._tag === "Fail" ? (cause.error as Error).name : cause._tag;
  if (name === "Die") return `it died: ${String(cause._tag === "Die" ? cause.defect : "")}`;
  if (!REFUSED.test(name)) return null;
  const isOfBefore = (pid: number): boolean => walk.before.living.some((p) => p.pid === pid);
  // What is born meanwhile of what was there is no part of it.
  const left = after.living.find(
    (one) => !walk.before.living.some((p) => isSame(p, one)) && !isOfBefore(one.parent),
  );
  return left === undefined ? null : `it failed with ${name}, and left ${wordsOf(left)}`;
};

const exitsOf = ({ incarnation, terminals }: SessionRecord) =>
  terminals.flatMap(({ exit, state, terminal }) =>
    exit === null ? [] : [{ key: `${incarnation} ${terminal}`, exit: JSON.stringify(exit), state }],
  );

/** What was told once is not told otherwise. */
const stays: Truth = ({ after, call, walk }) => {
  const { before } = walk;
  for (const record of before.records) {
    const now = after.records.find((r) => r.incarnation === record.incarnation);
    if (now === undefined) {
      if (!isFinal(record.state) && !call.forgets)
        return `the row of ${record.incarnation} is gone`;
      continue;
    }
    if (isFinal(record.state) && now.state !== record.state) {
      return `${record.incarnation} was ${record.state}, and is ${now.state}`;
    }
    const exits = exitsOf(now);
    const other = exitsOf(record).find(({ exit, key }) =>
      exits.some((one) => one.key === key && one.exit !== exit),
    );
    if (other !== undefined) return `${other.key} had ended with ${other.exit}, and otherwise now`;
  }
  const last = before.events.at(-1)?.sequence ?? 0;
  const young = after.events.filter(({ sequence }) => sequence > last);
  const old = after.events.filter(({ sequence }) => sequence <= last);
  const known = new Set(before.events.map((event) => JSON.stringify(event)));
  const odd = old.find((event) => !known.has(JSON.stringify(event)));
  if (odd !== undefined) return `event ${odd.sequence} is another than it was`;
  const numbers = young.map(({ sequence }) => sequence);
  const isGrowing = numbers.every((n, at) => at === 0 || n > (numbers[at - 1] ?? n));
  return isGrowing ? null : "the numbers of events do not grow";
};

/** Each of them, by what it is called in a failure. */
export const truths: ReadonlyArray<Truth> = [made, ended, livesOn, undone, stays];
