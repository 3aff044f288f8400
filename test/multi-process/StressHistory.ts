/**
 * StressHistory: whether what callers were told agrees with the log, in the order of the log.
 *
 * Each call lies between two numbers of the log: what it was told must have been so at a moment
 * between them, or have become so. Pure. What is true at the end is not looked at here.
 */
import type { SessionEvent, SessionState } from "@troupe/core";
import type { Answer } from "./SessionsProgram.js";
import type { Told } from "./StressRun.js";

/** What happened to one name, in order. */
interface Step {
  readonly sequence: number;
  readonly generation: number;
  readonly state: SessionState;
}

const stepsOf = (events: ReadonlyArray<SessionEvent>): ReadonlyMap<string, ReadonlyArray<Step>> => {
  const all = new Map<string, Array<Step>>();
  for (const { body, generation, sequence, session } of events) {
    if (body.type !== "session") continue;
    const steps = all.get(session) ?? [];
    all.set(session, steps);
    steps.push({ sequence, generation, state: body.state });
  }
  return all;
};

const holdsName = ({ state }: Step): boolean => state !== "failed" && state !== "deleted";

/** Whether the name was free, or was held, at a moment of the call. */
const wasEver = (steps: ReadonlyArray<Step>, { from, to }: Told, held: boolean): boolean => {
  const before = steps.findLast(({ sequence }) => sequence <= from);
  const isHeld = before !== undefined && holdsName(before);
  const meanwhile = steps.filter(({ sequence }) => sequence > from && sequence <= to);
  return isHeld === held || meanwhile.some((step) => holdsName(step) === held);
};

/** What the call began, if the log says so. */
const began = (steps: ReadonlyArray<Step>, { from, to }: Told, generation: number): boolean =>
  ["creating", "running"].every((state) =>
    steps.some(
      (step) =>
        step.generation === generation &&
        step.sequence > from &&
        step.sequence <= to &&
        (step.state === state || (state === "running" && step.state === "exited")),
    ),
  );

const ended = (steps: ReadonlyArray<Step>, to: number, generation: number): boolean =>
  steps.some((s) => s.generation === generation && s.sequence <= to && !holdsName(s));

const generationIn = (value: unknown): number =>
  typeof value === "object" && value !== null && "generation" in value
    ? Number(value.generation)
    : 0;

const wrongSuccess = (steps: ReadonlyArray<Step>, told: Told): string | null => {
  const { answer, call, to } = told;
  const generation = generationIn(answer.value);
  if (call.method === "create" || call.method === "restore") {
    return began(steps, told, generation) ? null : "the log does not say that it began then";
  }
  if (call.method !== "delete") return null;
  if (!ended(steps, to, generation)) return "the log does not say that it ended by then";
  return wasEver(steps, told, false) ? null : "the name was never free meanwhile";
};

/** What may happen to a call here. Anything else is a bug, or a registry that lost something. */
const expected = new Set([
  ...["AlreadyExists", "NotFound", "Busy", "LookupFailed", "KillUnconfirmed"],
  ...["ProcessesSurvived", "StartFailed", "TmuxRefused", "RegistryUnavailable"],
]);

const wrongFailure = (
  steps: ReadonlyArray<Step>,
  told: Told,
  error: NonNullable<Answer["error"]>,
): string | null => {
  if (!expected.has(error._tag)) return "this cannot happen";
  if (error._tag === "AlreadyExists" && !wasEver(steps, told, true)) {
    return "the name was free all the while";
  }
  const gone = error._tag === "NotFound" && ["delete", "reconcile"].includes(told.call.method);
  return gone && steps.some(({ sequence }) => sequence <= told.from)
    ? "there was one before"
    : null;
};

const wrongWith = (steps: ReadonlyArray<Step>, told: Told): string | null => {
  const { defect, died, error } = told.answer;
  if (died === true) return null;
  if (defect !== undefined) return "a defect";
  return error === undefined ? wrongSuccess(steps, told) : wrongFailure(steps, told, error);
};

/** Every call whose answer the log contradicts, in words. */
export const contradictions = (
  told: ReadonlyArray<Told>,
  events: ReadonlyArray<SessionEvent>,
): ReadonlyArray<string> => {
  const all = stepsOf(events);
  return told.flatMap((each) => {
    const wrong = wrongWith(all.get(each.call.session) ?? [], each);
    if (wrong === null) return [];
    const { answer, call, from, to } = each;
    return [
      `${call.method} ${call.session} (${from} to ${to}): ${wrong}: ${JSON.stringify(answer).slice(0, 200)}`,
    ];
  });
};

/** What of what was sent arrived otherwise than the senders were told; each is sent by one. */
export const misheard = (
  told: ReadonlyArray<Told>,
  heard: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  told.flatMap(({ answer, call: { token } }) => {
    if (token === null) return [];
    const times = heard.filter((line) => line === token).length;
    if (times > 1) return [`${token} arrived ${times} times`];
    return answer.error !== undefined && times > 0 ? [`${token} arrived, and was refused`] : [];
  });

/**
 * What was delivered, as its sender was told, to a session that has lived ever since, and did not
 * arrive. A call that may have ended the terminal alone counts as an end.
 */
export const unheard = (
  told: ReadonlyArray<Told>,
  events: ReadonlyArray<SessionEvent>,
  heard: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const all = stepsOf(events);
  return told.flatMap(({ answer, call: { session, token }, from }) => {
    const { value } = answer;
    const isDelivered =
      typeof value === "object" &&
      value !== null &&
      "status" in value &&
      value.status === "delivered";
    const later = (all.get(session) ?? []).filter(({ sequence }) => sequence > from);
    const isCut = told.some(
      ({ call, to }) => call.method === "deleteTerminal" && call.session === session && to >= from,
    );
    if (token === null || !isDelivered || later.length > 0 || isCut) return [];
    return heard.includes(token) ? [] : [token];
  });
};

const words: Readonly<Partial<Record<string, string>>> = {
  create: "create",
  restore: "restore",
  delete: "delete",
  addTerminal: "add",
  deleteTerminal: "delete a terminal",
};

/** The successes as `Agreement` reads them. */
export const toldLines = (told: ReadonlyArray<Told>): ReadonlyArray<string> =>
  told.flatMap(({ answer, call }) => {
    const word = words[call.method];
    return word === undefined || answer.value === undefined
      ? []
      : [`${word}: ok ${JSON.stringify(answer.value)}`];
  });
